package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Exact sums of the powers of numbers that are added and removed, from which the sums of the powers of their distances
 * from the mean are computed. As the sums are exact, there is no cancellation error, and a result depends only on the
 * current numbers, not on removed ones. A change and a result take constant time.
 *
 * <p>Not thread-safe.
 */
public final class PowerSums implements ExactAggregate.Sums
{
    private final ExactTotal[] sums;
    private long count;
    private long notFinite;

    /** For powers up to this one, at most the fourth. */
    public PowerSums(final int powers)
    {
        sums = new ExactTotal[powers];
        for (int i = 0; i < powers; i++)
        {
            sums[i] = new ExactTotal();
        }
    }

    @Override
    public long count()
    {
        return count;
    }

    @Override
    public void reset()
    {
        count = 0;
        notFinite = 0;
        for (final ExactTotal sum : sums)
        {
            sum.reset();
        }
    }

    @Override
    public void change(final double[] row, final int sign)
    {
        change(row[0], sign);
    }

    /** Adds (sign 1) or removes (sign -1) a number. */
    public void change(final double value, final int sign)
    {
        count += sign;
        if (!Double.isFinite(value))
        {
            notFinite += sign;
        }
        else if (ExactTotal.isLarge(value))
        {
            changeLarge(new BigDecimal(value), BigDecimal.valueOf(sign));
        }
        else
        {
            changePlain(value, sign);
        }
    }

    private void changeLarge(final BigDecimal value, final BigDecimal sign)
    {
        BigDecimal power = sign;
        for (final ExactTotal sum : sums)
        {
            power = power.multiply(value);
            sum.addLarge(power);
        }
    }

    private void changePlain(final double value, final int sign)
    {
        final double signed = sign * value;
        sums[0].add(signed);
        if (sums.length == 1)
        {
            return;
        }
        final double square = value * value;
        final double rest = Math.fma(value, value, -square);
        sums[1].add(sign * square);
        sums[1].add(sign * rest);
        if (sums.length > 2)
        {
            sums[2].addProduct(square, signed);
            sums[2].addProduct(rest, signed);
        }
        if (sums.length > 3)
        {
            sums[3].addProduct(square, sign * square);
            sums[3].addProduct(square, 2 * sign * rest);
            sums[3].addProduct(rest, sign * rest);
        }
    }

    /** The sum of the numbers themselves. */
    ExactTotal sum()
    {
        return sums[0];
    }

    /** Whether all numbers are finite. */
    boolean isFinite()
    {
        return notFinite == 0;
    }

    /** The mean of finite numbers, rounded. */
    double mean()
    {
        return sums[0].isPlain() ? sums[0].value() / count :
            sums[0].exact().divide(BigDecimal.valueOf(count), MathContext.DECIMAL64).doubleValue();
    }

    /** The sum of the distances from the rounded mean, which is the rounding error. */
    ExactTotal rest(final double mean)
    {
        final ExactTotal rest = new ExactTotal(sums[0]);
        rest.addProduct(-count, mean);
        return rest;
    }

    /** Sum of the powers of the distances from the mean; NaN unless all numbers are finite. */
    public double deviations(final int power)
    {
        if (!isFinite())
        {
            return Double.NaN;
        }
        for (int i = 0; i < power; i++)
        {
            if (!sums[i].isPlain())
            {
                return largeDeviations(power);
            }
        }
        return plainDeviations(power);
    }

    /**
     * The sums T(j, k) of x^j (x - c)^k, where c is the rounded mean, follow from T(j, k) = T(j + 1, k - 1) - c T(j, k
     * - 1) without rounding; the difference between c and the mean is subtracted at the end.
     */
    private double plainDeviations(final int power)
    {
        final double mean = mean();
        final ExactTotal[] terms = new ExactTotal[power + 1];
        terms[0] = new ExactTotal();
        terms[0].add(count);
        for (int j = 1; j <= power; j++)
        {
            terms[j] = sums[j - 1];
        }
        final double[] about = new double[power + 1];
        for (int k = 1; k <= power; k++)
        {
            for (int j = 0; j <= power - k; j++)
            {
                final ExactTotal next = new ExactTotal(terms[j + 1]);
                next.addScaled(terms[j], -mean);
                terms[j] = next;
            }
            about[k] = terms[0].value();
        }
        final double shift = about[1] / count;
        return switch (power)
        {
            case 2 -> about[2] - shift * about[1];
            case 3 -> about[3] - 3 * shift * about[2] + 2 * shift * shift * about[1];
            default -> about[4] - 4 * shift * about[3] + 6 * shift * shift * about[2] -
                3 * shift * shift * shift * about[1];
        };
    }

    /** By the binomial theorem, multiplied by count^power, so that only the last step divides. */
    private double largeDeviations(final int power)
    {
        final BigDecimal number = BigDecimal.valueOf(count);
        final BigDecimal negative = sums[0].exact().negate();
        BigDecimal total = BigDecimal.ZERO;
        int choices = 1;
        for (int j = 0; j <= power; j++)
        {
            final BigDecimal sum = j == 0 ? number : sums[j - 1].exact();
            total = total.add(sum.multiply(number.pow(j)).multiply(negative.pow(power - j))
                .multiply(BigDecimal.valueOf(choices)));
            choices = choices * (power - j) / (j + 1);
        }
        return total.divide(number.pow(power), MathContext.DECIMAL64).doubleValue();
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(count);
        to.writeLong(notFinite);
        for (final ExactTotal sum : sums)
        {
            sum.write(to);
        }
    }

    @Override
    public void read(final StateInput from)
    {
        count = from.readLong();
        notFinite = from.readLong();
        for (final ExactTotal sum : sums)
        {
            sum.read(from);
        }
    }
}
