package dev.millrace.cql.runtime.unit;

/** Maps values to longs of the same order. Stateless. */
public final class OrderedLongs
{
    private OrderedLongs()
    {
    }

    /** A floating-point value as a long; zeros are equal, NaN is the greatest. */
    public static long of(final double value)
    {
        return turned(Double.doubleToLongBits(value + 0.0));
    }

    /**
     * As {@link #of}, for the bits of a value whose zeros and NaN are canonical.
     *
     * @param bits of a double
     */
    public static long ofBits(final long bits)
    {
        return turned(bits);
    }

    /**
     * The floating-point value of a long.
     *
     * @param order from {@link #of}
     */
    public static double value(final long order)
    {
        return Double.longBitsToDouble(turned(order));
    }

    private static long turned(final long bits)
    {
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }
}
