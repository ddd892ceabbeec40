package dev.millrace.cql.runtime.unit;

import dev.millrace.api.text.Codes;

/**
 * ORDER BY over terms that are longs. Immutable but for the tables of codes.
 */
public final class TermOrder
{
    /** A term that is a long in its order. */
    public static final byte LONG = 0;
    /** A term that is the code of a text, in the order of texts; 0 where the term before it says that it is null. */
    public static final byte TEXT = 1;
    /** The same in the reverse order. */
    public static final byte TEXT_DESCENDING = 2;
    /** A term that is the code of an object, in the order of values; 0 for null as with texts. */
    public static final byte OBJECT = 3;
    /** The same in the reverse order. */
    public static final byte OBJECT_DESCENDING = 4;

    /** How many longs the terms have. */
    public final int terms;
    private final byte[] kinds;
    private final Codes codes;
    private final ObjectCodes objects;

    /**
     * Makes an order.
     *
     * @param kinds   of the longs of the terms: {@link #LONG} and others
     * @param codes   of strings, of the unit
     * @param objects those of objects
     */
    public TermOrder(final byte[] kinds, final Codes codes, final ObjectCodes objects)
    {
        this.objects = objects;
        this.kinds = kinds.clone();
        this.codes = codes;
        terms = kinds.length;
    }

    /**
     * Holds the codes among the terms of a row, or gives them up.
     *
     * @param words of the terms
     * @param at    first of them
     * @param holds whether they are held
     */
    void hold(final long[] words, final int at, final boolean holds)
    {
        for (int i = 0; i < kinds.length; i++)
        {
            final int code = (int)words[at + i];
            switch (kinds[i])
            {
                case LONG ->
                {
                    // Refers to nothing.
                }
                case TEXT, TEXT_DESCENDING ->
                {
                    if (holds)
                    {
                        codes.hold(code);
                    }
                    else
                    {
                        codes.release(code);
                    }
                }
                default ->
                {
                    if (holds)
                    {
                        objects.hold(code);
                    }
                    else
                    {
                        objects.release(code);
                    }
                }
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
                    compareCodes(kinds[i], (int)x, (int)y);
            }
        }
        return 0;
    }

    private int compareCodes(final byte kind, final int code, final int other)
    {
        return switch (kind)
        {
            case TEXT -> codes.compare(code, other);
            case TEXT_DESCENDING -> codes.compare(other, code);
            case OBJECT -> objects.compare(code, other);
            default -> objects.compare(other, code);
        };
    }
}
