package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.state.StateArrays;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * A sum of finite numbers and of their products without any rounding: removing all added values gives exactly 0. The
 * sum is kept as a Shewchuk expansion: numbers whose bits do not overlap, from the smallest to the largest. There are
 * two or three of them unless the addends differ by many orders of magnitude.
 *
 * <p>Not thread-safe.
 */
final class ExactTotal implements StateHolder
{
    /** Below this bound, products of four factors and the sums of all rows over them do not overflow. */
    private static final double LARGE = 0x1p200;

    private double[] parts = new double[2];
    private int size;
    private BigDecimal large = BigDecimal.ZERO;

    ExactTotal()
    {
    }

    ExactTotal(final ExactTotal other)
    {
        parts = other.parts.clone();
        size = other.size;
        large = other.large;
    }

    /** Whether products of this value must be added by {@link #addLarge}. */
    static boolean isLarge(final double value)
    {
        return Math.abs(value) >= LARGE;
    }

    /** Adds a number that is not large, or a product of such numbers. */
    void add(final double term)
    {
        double carry = term;
        int kept = 0;
        for (int i = 0; i < size; i++)
        {
            final double part = parts[i];
            final double sum = carry + part;
            final double added = sum - carry;
            final double error = carry - (sum - added) + (part - added);
            if (error != 0)
            {
                parts[kept++] = error;
            }
            carry = sum;
        }
        if (carry != 0)
        {
            if (kept == parts.length)
            {
                parts = Arrays.copyOf(parts, kept * 2);
            }
            parts[kept++] = carry;
        }
        size = kept;
    }

    /** Adds a product; its rounding error is representable as a number. */
    void addProduct(final double left, final double right)
    {
        final double product = left * right;
        add(product);
        add(Math.fma(left, right, -product));
    }

    /** Adds each part of another total, multiplied by a factor. */
    void addScaled(final ExactTotal other, final double factor)
    {
        for (int i = 0; i < other.size; i++)
        {
            addProduct(other.parts[i], factor);
        }
    }

    /** Adds a term that would overflow. */
    void addLarge(final BigDecimal term)
    {
        final BigDecimal sum = large.add(term);
        large = sum.signum() == 0 ? BigDecimal.ZERO : sum;
    }

    /** Whether it contains no large term, so that it can be used in plain computations. */
    boolean isPlain()
    {
        return large.signum() == 0;
    }

    /** The total, rounded once. */
    double value()
    {
        if (!isPlain())
        {
            return exact().doubleValue();
        }
        double sum = 0;
        for (int i = 0; i < size; i++)
        {
            sum += parts[i];
        }
        return sum;
    }

    /** The exact total. */
    BigDecimal exact()
    {
        BigDecimal sum = large;
        for (int i = 0; i < size; i++)
        {
            sum = sum.add(new BigDecimal(parts[i]));
        }
        return sum;
    }

    /** Resets the total to 0. */
    void reset()
    {
        size = 0;
        large = BigDecimal.ZERO;
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(size);
        StateArrays.write(parts, 0, size, to);
        to.writeValue(large);
    }

    @Override
    public void read(final StateInput from)
    {
        size = from.readSize(Double.BYTES);
        parts = new double[Math.max(parts.length, size)];
        StateArrays.read(parts, 0, size, from);
        large = (BigDecimal) from.readValue();
    }
}
