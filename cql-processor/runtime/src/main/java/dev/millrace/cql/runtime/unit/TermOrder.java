package dev.millrace.cql.runtime.unit;

import dev.millrace.api.string.StringTable;
import dev.millrace.cql.runtime.unit.string.UnitStrings;
import java.util.stream.IntStream;

/** Order of rows by ORDER BY terms that are longs. Immutable except for the code tables. */
public final class TermOrder
{
    /** A term whose long has the order of the values. */
    public static final byte LONG = 0;
    /** A term that is the code of a string, in the order of strings; 0 when the term before it marks it as null. */
    public static final byte TEXT = 1;
    /** The same in reverse order. */
    public static final byte TEXT_DESCENDING = 2;
    /** A term that is the code of an object, in the order of values; 0 for null, as for strings. */
    public static final byte OBJECT = 3;
    /** The same in reverse order. */
    public static final byte OBJECT_DESCENDING = 4;

    /** A long that specifies whether the next term is null, and where nulls sort: less than 0, 0 or greater. */
    public static final byte RANK = 5;

    /** Number of longs of the terms. */
    public final int terms;
    private final byte[] kinds;
    /** Index of the term that distinguishes most rows: 0, or 1 after a rank. */
    private final int main;
    private final StringTable codes;
    private final ObjectCodes objects;
    private final CodeColumns held;

    /**
     * @param kinds       kind of each long of the terms: {@link #LONG} and others
     * @param unitStrings codes of the strings of the unit
     * @param objects     codes of objects
     */
    public TermOrder(final byte[] kinds, final UnitStrings unitStrings, final ObjectCodes objects)
    {
        this.objects = objects;
        this.kinds = kinds.clone();
        codes = unitStrings.codes();
        terms = kinds.length;
        main = terms > 1 && kinds[0] == RANK && kinds[1] == LONG ? 1 : 0;
        for (int i = 0; i < terms; i++)
        {
            this.kinds[i] = kinds[i] == RANK ? LONG : kinds[i];
        }
        held = new CodeColumns(words(0, false), unitStrings, words(0, true), objects);
    }

    /**
     * Retains or releases the codes among the terms of a row.
     *
     * @param words of the terms
     * @param at    first of them
     * @param holds whether to retain them
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

    CodeColumns codes()
    {
        return held;
    }

    /** The codes of rows whose terms follow their columns, when the columns retain the codes of the terms. */
    CodeColumns borrowedBy(final CodeColumns columns, final int first)
    {
        return columns.with(words(first, false), words(first, true));
    }

    /** Indexes of the terms that are codes of strings, or of objects. */
    private int[] words(final int first, final boolean ofObjects)
    {
        return IntStream.range(0, terms).filter(i -> kinds[i] != LONG && kinds[i] >= OBJECT == ofObjects)
            .map(i -> first + i).toArray();
    }

    /**
     * A long that is never less than that of a preceding row; it distinguishes most rows.
     *
     * @param words of the terms
     * @param at    first of them
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
     * @param a  longs of the first row
     * @param at index of its terms
     * @param b  longs of the second row
     * @param bt index of its terms
     * @return negative when the first row precedes the second, 0 when all terms are equal
     */
    public int compare(final long[] a, final int at, final long[] b, final int bt)
    {
        for (int i = 0; i < kinds.length; i++)
        {
            final long x = a[at + i];
            final long y = b[bt + i];
            if (x != y)
            {
                return kinds[i] == LONG || x == StringTable.NULL || y == StringTable.NULL ? Long.compare(x, y) :
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
