package dev.millrace.cql.runtime.unit;

import dev.millrace.api.text.Codes;

/**
 * ORDER BY over terms that are longs. Immutable but for the texts of codes.
 */
public final class TermOrder
{
    /** A term that is a long in its order. */
    public static final byte LONG = 0;
    /** A term that is the code of a text, in the order of texts; 0 where the term before it says that it is null. */
    public static final byte TEXT = 1;
    /** The same in the reverse order. */
    public static final byte TEXT_DESCENDING = 2;

    /** How many longs the terms have. */
    public final int terms;
    private final byte[] kinds;
    private final Codes codes;

    /**
     * Makes an order.
     *
     * @param kinds of the longs of the terms: {@link #LONG}, {@link #TEXT}, {@link #TEXT_DESCENDING}
     * @param codes of the unit
     */
    public TermOrder(final byte[] kinds, final Codes codes)
    {
        this.kinds = kinds.clone();
        this.codes = codes;
        terms = kinds.length;
    }

    /**
     * Holds the codes of texts among the terms of a row, or gives them up.
     *
     * @param words of the terms
     * @param at    first of them
     * @param holds whether they are held
     */
    void hold(final long[] words, final int at, final boolean holds)
    {
        for (int i = 0; i < kinds.length; i++)
        {
            if (kinds[i] != LONG && holds)
            {
                codes.hold((int)words[at + i]);
            }
            else if (kinds[i] != LONG)
            {
                codes.release((int)words[at + i]);
            }
        }
    }

    /**
     * Compares two rows by their terms.
     *
     * @param a  longs of one
     * @param at where its terms begin
     * @param b  longs of the other
     * @param bt where its terms begin
     * @return negative when the first one comes before, 0 when all terms are equal
     */
    public int compare(final long[] a, final int at, final long[] b, final int bt)
    {
        for (int i = 0; i < kinds.length; i++)
        {
            final long x = a[at + i];
            final long y = b[bt + i];
            if (x != y)
            {
                return kinds[i] == LONG || x == Codes.NULL || y == Codes.NULL ? Long.compare(x, y) :
                    kinds[i] == TEXT ? codes.compare((int)x, (int)y) : codes.compare((int)y, (int)x);
            }
        }
        return 0;
    }
}
