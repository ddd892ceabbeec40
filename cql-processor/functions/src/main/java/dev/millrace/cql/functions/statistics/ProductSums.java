package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * A product that supports removal of factors. It has twice the digits of a double and a separate exponent, so that a
 * temporary overflow or rounding leaves no trace; zeros and infinities are counted.
 *
 * <p>Not thread-safe.
 */
public final class ProductSums implements ExactAggregate.Sums
{
    /** Scales a subnormal number to a normal one. */
    private static final int SUBNORMAL_SHIFT = 64;

    private double high = 1;
    private double low;
    private long exponent;
    private long factors;
    private long zeros;
    private long nans;
    private long infinities;
    private long negativeInfinities;

    @Override
    public void reset()
    {
        clear();
        factors = 0;
        zeros = 0;
        nans = 0;
        infinities = 0;
        negativeInfinities = 0;
    }

    private void clear()
    {
        high = 1;
        low = 0;
        exponent = 0;
    }

    @Override
    public long count()
    {
        return factors + zeros + nans + infinities;
    }

    @Override
    public void change(final double[] row, final int sign)
    {
        final double value = row[0];
        if (Double.isNaN(value))
        {
            nans += sign;
        }
        else if (Double.isInfinite(value))
        {
            infinities += sign;
            negativeInfinities += value < 0 ? sign : 0;
        }
        else if (value == 0)
        {
            zeros += sign;
        }
        else
        {
            factors += sign;
            changeFactor(value, sign);
        }
    }

    private void changeFactor(final double value, final int sign)
    {
        if (factors == 0)
        {
            clear();
            return;
        }
        final boolean isSubnormal = Math.abs(value) < Double.MIN_NORMAL;
        final double normal = isSubnormal ? Math.scalb(value, SUBNORMAL_SHIFT) : value;
        final int scale = Math.getExponent(normal);
        final double factor = Math.scalb(normal, -scale);
        exponent += sign * (scale - (isSubnormal ? SUBNORMAL_SHIFT : 0));
        if (sign > 0)
        {
            final double product = high * factor;
            set(product, Math.fma(high, factor, -product) + low * factor);
        }
        else
        {
            final double quotient = high / factor;
            set(quotient, (Math.fma(-quotient, factor, high) + low) / factor);
        }
    }

    /** Sets a number and a small remainder; the exponent is stored separately. */
    private void set(final double number, final double rest)
    {
        final double sum = number + rest;
        final int scale = Math.getExponent(sum);
        high = Math.scalb(sum, -scale);
        low = Math.scalb(number - sum + rest, -scale);
        exponent += scale;
    }

    /** The product; 0 has no sign. */
    public double value()
    {
        if (nans > 0 || infinities > 0 && zeros > 0)
        {
            return Double.NaN;
        }
        if (zeros > 0)
        {
            return 0;
        }
        if (infinities > 0)
        {
            return (high < 0) == ((negativeInfinities & 1) == 0) ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        final int beyond = 2 * Double.MAX_EXPONENT + SUBNORMAL_SHIFT;
        return Math.scalb(high + low, (int) Math.max(-beyond, Math.min(beyond, exponent)));
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(Double.doubleToRawLongBits(high));
        to.writeLong(Double.doubleToRawLongBits(low));
        to.writeLong(exponent);
        to.writeLong(factors);
        to.writeLong(zeros);
        to.writeLong(nans);
        to.writeLong(infinities);
        to.writeLong(negativeInfinities);
    }

    @Override
    public void read(final StateInput from)
    {
        high = Double.longBitsToDouble(from.readLong());
        low = Double.longBitsToDouble(from.readLong());
        exponent = from.readLong();
        factors = from.readLong();
        zeros = from.readLong();
        nans = from.readLong();
        infinities = from.readLong();
        negativeInfinities = from.readLong();
    }
}
