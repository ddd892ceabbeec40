package dev.millrace.cql.functions.statistics;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.math.MathContext;

/** Exact sums over pairs of numbers that are added and removed. Not thread-safe. */
public final class PairSums implements ExactAggregate.Sums
{
    private final PowerSums left = new PowerSums(2);
    private final PowerSums right = new PowerSums(2);
    private final ExactTotal products = new ExactTotal();

    PowerSums left()
    {
        return left;
    }

    PowerSums right()
    {
        return right;
    }

    @Override
    public long count()
    {
        return left.count();
    }

    @Override
    public void reset()
    {
        left.reset();
        right.reset();
        products.reset();
    }

    @Override
    public void change(final double[] row, final int sign)
    {
        final double one = row[0];
        final double other = row[1];
        left.change(one, sign);
        right.change(other, sign);
        if (!Double.isFinite(one) || !Double.isFinite(other))
        {
            return;
        }
        if (ExactTotal.isLarge(one) || ExactTotal.isLarge(other))
        {
            products.addLarge(new BigDecimal(sign * one).multiply(new BigDecimal(other)));
        }
        else
        {
            products.addProduct(sign * one, other);
        }
    }

    /** Sum of the products of the distances from both means; NaN unless all numbers are finite. */
    public double deviations()
    {
        return deviations(left, right);
    }

    /** As {@link #deviations()}, but from the means of other numbers. */
    public double deviations(final PowerSums lefts, final PowerSums rights)
    {
        if (!lefts.isFinite() || !rights.isFinite())
        {
            return Double.NaN;
        }
        if (!left.sum().isPlain() || !right.sum().isPlain() || !products.isPlain() || !lefts.sum().isPlain() ||
            !rights.sum().isPlain())
        {
            return largeDeviations(lefts, rights);
        }
        final double leftMean = lefts.mean();
        final double rightMean = rights.mean();
        final ExactTotal leftRest = left.rest(leftMean);
        final ExactTotal total = new ExactTotal(products);
        total.addScaled(right.sum(), -leftMean);
        total.addScaled(leftRest, -rightMean);
        // The difference between the rounded means and the means.
        final double leftShift = lefts.rest(leftMean).value() / lefts.count();
        final double rightShift = rights.rest(rightMean).value() / rights.count();
        return total.value() - leftShift * right.rest(rightMean).value() - rightShift * leftRest.value() +
            count() * leftShift * rightShift;
    }

    /** Multiplied by both counts, so that only the last step divides. */
    private double largeDeviations(final PowerSums lefts, final PowerSums rights)
    {
        final BigDecimal leftCount = BigDecimal.valueOf(lefts.count());
        final BigDecimal rightCount = BigDecimal.valueOf(rights.count());
        final BigDecimal leftSum = lefts.sum().exact();
        final BigDecimal rightSum = rights.sum().exact();
        return products.exact().multiply(leftCount).multiply(rightCount)
            .subtract(leftSum.multiply(rightCount).multiply(right.sum().exact()))
            .subtract(rightSum.multiply(leftCount).multiply(left.sum().exact()))
            .add(leftSum.multiply(rightSum).multiply(BigDecimal.valueOf(count())))
            .divide(leftCount.multiply(rightCount), MathContext.DECIMAL64).doubleValue();
    }

    @Override
    public void write(final StateOutput to)
    {
        left.write(to);
        right.write(to);
        products.write(to);
    }

    @Override
    public void read(final StateInput from)
    {
        left.read(from);
        right.read(from);
        products.read(from);
    }
}
