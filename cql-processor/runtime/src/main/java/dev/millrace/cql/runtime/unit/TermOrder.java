package dev.millrace.cql.runtime.unit;

import dev.millrace.api.text.Codes;
import dev.millrace.cql.runtime.unit.text.UnitTexts;
import java.util.stream.IntStream;

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

    /** A long that says of the next term whether it is null: less than 0, 0 or greater. */
    public static final byte RANK = 5;

    /** How many longs the terms have. */
    public final int terms;
    private final byte[] kinds;
    /** Which of them orders rows best: 0, or 1 behind a rank. */
    private final int main;
    private final Codes codes;
    private final ObjectCodes objects;
    private final HeldCodes held;

    /**
     * Makes an order.
     *
     * @param kinds   of the longs of the terms: {@link #LONG} and others
     * @param texts   codes of strings, of the unit
     * @param objects those of objects
     */
    public TermOrder(final byte[] kinds, final UnitTexts texts, final ObjectCodes objects)
    {
        this.objects = objects;
        this.kinds = kinds.clone();
        codes = texts.codes();
        terms = kinds.length;
        main = terms > 1 && kinds[0] == RANK && kinds[1] == LONG ? 1 : 0;
        for (int i = 0; i < terms; i++)
        {
            this.kinds[i] = kinds[i] == RANK ? LONG : kinds[i];
        }
        held = new HeldCodes(words(0, false), texts, words(0, true), objects);
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
        if (holds)
        {
            held.hold(words, at);
        }
        else
        {
            held.release(words, at);
        }
    }

    /** Which terms are codes. */
    HeldCodes codes()
    {
        return held;
    }

    /** The codes of rows that have the terms behind their columns, which hold the codes of the terms. */
    HeldCodes borrowedBy(final HeldCodes columns, final int first)
    {
        return columns.with(words(first, false), words(first, true));
    }

    /** Places of the terms that are codes of strings, or of objects. */
    private int[] words(final int first, final boolean ofObjects)
    {
        return IntStream.range(0, terms).filter(i -> kinds[i] != LONG && kinds[i] >= OBJECT == ofObjects)
            .map(i -> first + i).toArray();
    }

    /**
     * A long that is never less than that of a row which comes before: most rows are told apart by it.
     *
     * @param words of the terms
     * @param at    first of them
     * @return any long
     */
    long first(final long[] words, final int at)
    {
        if (kinds[0] != LONG)
        {
            return 0;
        }
        return main == 0 || words[at] == 0 ? words[at + main] : words[at] < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
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
