package dev.millrace.api.string;

import java.nio.charset.StandardCharsets;

/**
 * Codes of string objects: recently used objects are found by identity, others by their characters.
 *
 * <p>Not thread-safe.
 */
final class StringEncoder
{
    /** Longer strings are encoded into separate arrays. */
    private static final int SCRATCH_BYTES = 1 << 10;
    /** Longer strings are not found by identity, so that the cache retains few bytes. */
    private static final int MOST_REMEMBERED = 64;

    private final StringTable codes;
    private final RecentStringCache remembered = new RecentStringCache();
    private final StringPrefixes heads = new StringPrefixes();
    private final byte[] scratch = new byte[SCRATCH_BYTES];

    StringEncoder(final StringTable codes)
    {
        this.codes = codes;
    }

    /**
     * The code of a string.
     *
     * @param isTakenIn whether a new string is added
     */
    int code(final String text, final boolean isTakenIn)
    {
        if (text == null || text.isEmpty())
        {
            return StringTable.NULL;
        }
        final int known = remembered.find(text);
        return known != StringTable.NULL ? known : learn(text, isTakenIn);
    }

    private int learn(final String text, final boolean isTakenIn)
    {
        final int code = byValue(text, isTakenIn);
        if (code > StringTable.NULL && text.length() <= MOST_REMEMBERED)
        {
            remembered.put(text, code);
        }
        return code;
    }

    private int byValue(final String text, final boolean isTakenIn)
    {
        final int length = Utf8.copyAscii(text, scratch);
        final byte[] bytes = length >= 0 ? scratch : text.getBytes(StandardCharsets.UTF_8);
        final int count = length >= 0 ? length : bytes.length;
        return isTakenIn ? codes.code(bytes, 0, count) : codes.find(bytes, 0, count);
    }

    /**
     * Gets the codes of many strings: first of the cached objects, then of the others. The cache is skipped while it
     * has few hits.
     *
     * @param to receives one code per string; {@link StringTable#FULL} where there is no room, {@link StringTable#NULL}
     *     where a string is not added
     * @return whether there was room for all
     */
    boolean codes(final String[] texts, final int count, final boolean isTakenIn, final int[] to)
    {
        return remembered.isWorthALook() ? byObject(texts, count, isTakenIn, to) : byHead(texts, count, isTakenIn, to);
    }

    private boolean byObject(final String[] texts, final int count, final boolean isTakenIn, final int[] to)
    {
        remembered.find(texts, count, to);
        boolean all = true;
        int missed = 0;
        for (int i = 0; i < count; i++)
        {
            if (to[i] != StringTable.NULL || texts[i] == null || texts[i].isEmpty())
            {
                continue;
            }
            to[i] = remembered.find(texts[i]);
            if (to[i] == StringTable.NULL)
            {
                to[i] = learn(texts[i], isTakenIn);
                all &= to[i] != StringTable.FULL;
                missed++;
            }
        }
        remembered.lookedUp(missed <= count / 2);
        return all;
    }

    private boolean byHead(final String[] texts, final int count, final boolean isTakenIn, final int[] to)
    {
        final long[] headOf = heads.of(texts, count);
        boolean all = codes.findHeads(headOf, count, to);
        if (all && !heads.hasOthers())
        {
            return true;
        }
        all = true;
        for (int i = 0; i < count; i++)
        {
            if (to[i] != StringTable.NULL || texts[i] == null || texts[i].isEmpty())
            {
                continue;
            }
            if (headOf[i] == 0)
            {
                to[i] = byValue(texts[i], isTakenIn);
            }
            else if (isTakenIn)
            {
                to[i] = codes.code(headOf[i], texts[i].length());
            }
            all &= to[i] != StringTable.FULL;
        }
        return all;
    }

    /** Called when the code is assigned to another string. */
    void remove(final int code)
    {
        remembered.remove(code);
    }
}
