package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * A sum that supports removal of values. Rounding is compensated with Neumaier's method; values that are not finite are
 * counted separately, and very large values are summed in scaled form, so that a temporary overflow leaves no trace.
 *
 * <p>Not thread-safe.
 */
public final class ExactSum implements StateHolder
{
    private static final double HUGE = 0x1p900;
    private static final double SCALE = 0x1p-200;

    private double sum;
    private double compensation;
    private double hugeSum;
    private double hugeCompensation;
    private long huge;
    private long nans;
    private long positives;
    private long negatives;

    /** Adds (sign 1) or removes (sign -1) a value. */
    public void change(final double value, final int sign)
    {
        if (Double.isNaN(value))
        {
            nans += sign;
        }
        else if (Double.isInfinite(value))
        {
            positives += value > 0 ? sign : 0;
            negatives += value > 0 ? 0 : sign;
        }
        else if (Math.abs(value) >= HUGE)
        {
            addHuge(sign * value * SCALE);
            huge += sign;
            if (huge == 0)
            {
                hugeSum = 0;
                hugeCompensation = 0;
            }
        }
        else
        {
            final double term = sign * value;
            final double next = sum + term;
            compensation += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
            sum = next;
        }
    }

    private void addHuge(final double term)
    {
        final double next = hugeSum + term;
        hugeCompensation += Math.abs(hugeSum) >= Math.abs(term) ? hugeSum - next + term : term - next + hugeSum;
        hugeSum = next;
    }

    /** Removes all values. */
    public void reset()
    {
        sum = 0;
        compensation = 0;
        hugeSum = 0;
        hugeCompensation = 0;
        huge = 0;
        nans = 0;
        positives = 0;
        negatives = 0;
    }

    /** The sum. */
    public double value()
    {
        return over(1);
    }

    /** The sum divided by a count; the quotient may be finite where the sum is not. */
    public double over(final double count)
    {
        if (nans > 0 || positives > 0 && negatives > 0)
        {
            return Double.NaN;
        }
        if (positives > 0 || negatives > 0)
        {
            return positives > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
        }
        final double plain = (sum + compensation) / count;
        return huge == 0 ? plain : (hugeSum + hugeCompensation) / count / SCALE + plain;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(Double.doubleToRawLongBits(sum));
        to.writeLong(Double.doubleToRawLongBits(compensation));
        to.writeLong(Double.doubleToRawLongBits(hugeSum));
        to.writeLong(Double.doubleToRawLongBits(hugeCompensation));
        to.writeLong(huge);
        to.writeLong(nans);
        to.writeLong(positives);
        to.writeLong(negatives);
    }

    @Override
    public void read(final StateInput from)
    {
        sum = Double.longBitsToDouble(from.readLong());
        compensation = Double.longBitsToDouble(from.readLong());
        hugeSum = Double.longBitsToDouble(from.readLong());
        hugeCompensation = Double.longBitsToDouble(from.readLong());
        huge = from.readLong();
        nans = from.readLong();
        positives = from.readLong();
        negatives = from.readLong();
    }
}
