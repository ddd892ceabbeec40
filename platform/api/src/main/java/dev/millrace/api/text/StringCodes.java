package dev.millrace.api.text;

import java.util.Arrays;

/**
 * Codes of string objects that came lately, so that one that comes again needs no look at its characters: each hash has
 * two places, and a new string takes the first one. Nothing is allocated before the first string comes.
 *
 * <p>Threads: confined to one thread.
 */
final class StringCodes
{
    private static final int PLACE_BITS = 14;
    private static final int FACTOR = 0x9E3779B9;

    private static final String[] NONE = new String[1];
    /** So many batches of mostly new objects show that they do not come again while they are here. */
    private static final int MOST_USELESS = 16;
    /** Of batches that are not looked up, one in so many is, in case objects begin to come again. */
    private static final int TRIAL_PERIOD = 512;

    private String[] strings;
    private int[] codes;
    /** One more than the place of a code, 0 where it has none. */
    private int[] placeOf = new int[0];
    private int uselessBatches;

    /** The code of a string, {@link Codes#NULL} when it is not here. */
    int find(final String text)
    {
        if (strings == null)
        {
            return Codes.NULL;
        }
        final int place = place(text);
        final String first = strings[place];
        if (first == text || first != null && first.equals(text))
        {
            return codes[place];
        }
        final String second = strings[place ^ 1];
        return second != null && second.equals(text) ? codes[place ^ 1] : Codes.NULL;
    }

    /**
     * The codes of many strings, as far as the very objects are here; {@link Codes#NULL} of others and of null. What
     * the loop reads is held in locals.
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
            found[i] = text != null && known[place] == text ? codesOf[place] : Codes.NULL;
        }
    }

    /** Whether the strings of the next batch are worth a look: objects of the last ones came again. */
    boolean isWorthALook()
    {
        return uselessBatches < MOST_USELESS || ++uselessBatches % TRIAL_PERIOD == 0;
    }

    /** Counts a batch that was looked up; most of its strings were here or not. */
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

    /** The code is another string's from now on. */
    void remove(final int code)
    {
        if (code < placeOf.length && placeOf[code] != 0)
        {
            strings[placeOf[code] - 1] = null;
            placeOf[code] = 0;
        }
    }
}
