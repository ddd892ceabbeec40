package dev.millrace.network.partition;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.string.StringTable;

/**
 * Numbers of the strings of a char column that the other side of a link knows. A string gets a number when it occurs a
 * second time shortly after the first, so strings that never repeat cost neither side memory. When all numbers are in
 * use, the oldest one is reassigned.
 *
 * <p>Not thread-safe.
 */
final class KnownStrings
{
    /** The maximum number. */
    static final int MOST = 1 << 18;
    /** Sent instead of a number: the string follows without a number. Smaller values assign numbers. */
    static final int PLAIN = -1;

    /** Longer strings, in bytes, get no number, so the memory of both sides is bounded. */
    private static final int LONGEST = 256;
    private static final int SEEN_BITS = 13;

    private final int most;
    private final StringTable codes;
    /** Recently seen strings without number: the lower half of the hash, indexed by its upper bits. */
    private final int[] seen = new int[1 << SEEN_BITS];
    /** The number that is reassigned next. */
    private int oldest = 1;

    KnownStrings()
    {
        this(MOST);
    }

    KnownStrings(final int most)
    {
        this.most = most;
        codes = new StringTable(StringTable.Lifetime.OWN, most);
    }

    /**
     * The number of a string that is not null: positive when the other side knows it, {@link #PLAIN} when it
     * has none, {@code PLAIN - n} when this call assigns the number n.
     */
    int numberOf(final CharColumn texts, final int row)
    {
        final int known = texts.find(row, codes);
        if (known != StringTable.NULL)
        {
            return known;
        }
        final long hash = texts.hash(row);
        final int place = (int)(hash >>> Long.SIZE - SEEN_BITS);
        if (seen[place] != (int)hash || texts.length(row) > LONGEST)
        {
            seen[place] = (int)hash;
            return PLAIN;
        }
        if (codes.size() == most)
        {
            codes.remove(oldest);
            oldest = oldest == most ? 1 : oldest + 1;
        }
        return PLAIN - texts.code(row, codes);
    }
}
