package dev.millrace.cql.runtime.unit;

/** Values as longs of the same order. Keeps no state. */
public final class Ordered
{
    private Ordered()
    {
    }

    /**
     * A floating value as a long; zeros are equal, NaN is the greatest.
     *
     * @param value any
     * @return its place in the order
     */
    public static long of(final double value)
    {
        return turned(Double.doubleToLongBits(value + 0.0));
    }

    /**
     * A floating value that is there as bits, whose zeros and NaN have one form.
     *
     * @param bits of a double
     * @return its place in the order
     */
    public static long ofBits(final long bits)
    {
        return turned(bits);
    }

    /**
     * The floating value of a long.
     *
     * @param order from {@link #of}
     * @return value
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
