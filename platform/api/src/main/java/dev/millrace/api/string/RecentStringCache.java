package dev.millrace.api.string;

import java.util.Arrays;

/**
 * Codes of recently used string objects, so that a repeated object is found without reading its characters: each hash
 * has two slots, and a new string takes a free one or replaces the first one. Nothing is allocated before the first
 * string.
 *
 * <p>Not thread-safe.
 */
final class RecentStringCache
{
    private static final int PLACE_BITS = 14;
    private static final int FACTOR = 0x9E3779B9;

    private static final String[] NONE = new String[1];
    /** After so many batches of mostly new objects, objects are assumed not to repeat while they are cached. */
    private static final int MOST_USELESS = 16;
    /** While look-ups are disabled, one in so many batches is still looked up, in case objects begin to repeat. */
    private static final int TRIAL_PERIOD = 512;

    private String[] strings;
    private int[] codes;
    /** The slot of a code plus one, 0 where it has none. */
    private int[] placeOf = new int[0];
    private int uselessBatches;

    /** The code of a string, {@link StringTable#NULL} if it is not cached. */
    int find(final String text)
    {
        if (strings == null)
        {
            return StringTable.NULL;
        }
        final int place = place(text);
        final String first = strings[place];
        if (first == text || first != null && first.equals(text))
        {
            return codes[place];
        }
        final String second = strings[place ^ 1];
        return second != null && second.equals(text) ? codes[place ^ 1] : StringTable.NULL;
    }

    /**
     * Gets the codes of many strings as far as the same objects are cached; {@link StringTable#NULL} for others and for
     * null. Everything that the loop reads is in local variables.
     */
    void find(final String[] texts, final int count, final int[] found)
    {
        final String[] known = strings == null ? NONE : strings;
        final int[] codesOf = codes;
        final int mask = known.length - 1;
        for (int i = 0; i < count; i++)
        {
            final String text = texts[i];
            final int place = text == null ? 0 : place(text) & mask;
            found[i] = text != null && known[place] == text ? codesOf[place] : StringTable.NULL;
        }
    }

    /** Whether the strings of the next batch should be looked up: objects of recent batches repeated. */
    boolean isWorthALook()
    {
        return uselessBatches < MOST_USELESS || ++uselessBatches % TRIAL_PERIOD == 0;
    }

    /** Counts a batch that was looked up, and whether most of its strings were found. */
    void lookedUp(final boolean wasOfUse)
    {
        uselessBatches = wasOfUse ? 0 : Math.min(uselessBatches + 1, MOST_USELESS + TRIAL_PERIOD);
    }

    private static int place(final String text)
    {
        return text.hashCode() * FACTOR >>> Integer.SIZE - PLACE_BITS;
    }

    void put(final String text, final int code)
    {
        if (strings == null)
        {
            strings = new String[1 << PLACE_BITS];
            codes = new int[1 << PLACE_BITS];
        }
        if (code >= placeOf.length)
        {
            placeOf = Arrays.copyOf(placeOf, Math.max(code + 1, placeOf.length * 2));
        }
        final int home = place(text);
        final int place = strings[home] == null || strings[home ^ 1] != null ? home : home ^ 1;
        remove(code);
        if (strings[place] != null)
        {
            placeOf[codes[place]] = 0;
        }
        strings[place] = text;
        codes[place] = code;
        placeOf[code] = place + 1;
    }

    /** Called when the code is assigned to another string. */
    void remove(final int code)
    {
        if (code < placeOf.length && placeOf[code] != 0)
        {
            strings[placeOf[code] - 1] = null;
            placeOf[code] = 0;
        }
    }
}
