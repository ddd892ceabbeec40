package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.function.FunctionErrors;

/** Bit masks, hashes and seeds, under Colt's names. */
public final class BitFunctions
{
    private static final int LAST_BIT = 63;

    private BitFunctions()
    {
    }

    /** Number with bits set. */
    public static long bitMaskWithBitsSetFromTo(final int from, final int to)
    {
        if (!(from >= 0 && to <= LAST_BIT && to - from >= -1))
        {
            throw FunctionErrors.domain("bitMaskWithBitsSetFromTo", "from=" + from + " to=" + to);
        }
        return to < from ? 0 : -1L >>> LAST_BIT - (to - from) << from;
    }

    /** Index of the lowest set bit. */
    public static int leastSignificantBit(final int value)
    {
        return Integer.numberOfTrailingZeros(value);
    }

    /** Index of the highest set bit. */
    public static int mostSignificantBit(final int value)
    {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(value);
    }

    /** Hash of a double. */
    public static int hash(final double value)
    {
        final long bits = Double.doubleToLongBits(value);
        return (int) (bits ^ bits >>> Integer.SIZE);
    }

    /** Hash of a float; the factor spreads integers. */
    public static int hash1(final float value)
    {
        return Float.floatToIntBits(value * 663608941.737f);
    }

    /** Hash of an int. */
    public static int hash2(final int value)
    {
        return value;
    }

    /** Hash of a bigint. */
    public static int hash3(final long value)
    {
        return (int) (value ^ value >> Integer.SIZE);
    }

    /** A seed that depends only on row and column and is always positive. */
    public static int getSeedAtRowColumn(final int row, final int column)
    {
        long mixed = ((long) row << Integer.SIZE ^ column & 0xFFFFFFFFL) + 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return (int) ((mixed ^ mixed >>> 31) & Integer.MAX_VALUE) | 1;
    }
}
