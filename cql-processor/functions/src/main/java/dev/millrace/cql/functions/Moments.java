package dev.millrace.cql.functions;

import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.stat.descriptive.moment.Kurtosis;
import org.apache.commons.math3.stat.descriptive.moment.Skewness;

/**
 * Statistics of values that are all at hand, in several passes: nothing is lost to cancellation. What divides 0 by 0
 * is NaN. Keeps no state.
 */
final class Moments
{
    private Moments()
    {
    }

    static double mean(final double... values)
    {
        final ExactSum sum = new ExactSum();
        for (final double value : values)
        {
            sum.change(value, 1);
        }
        return sum.over(values.length);
    }

    /** Mean k-th power of the distance from the mean. */
    static double central(final double[] values, final int power)
    {
        final double mean = mean(values);
        final double[] powers = new double[values.length];
        for (int i = 0; i < powers.length; i++)
        {
            powers[i] = Math.pow(values[i] - mean, power);
        }
        return mean(powers);
    }

    /** Of a population. */
    static double variance(final double... values)
    {
        return central(values, 2);
    }

    static double squaredDeviations(final double... values)
    {
        return variance(values) * values.length;
    }

    static double sampleVariance(final double... values)
    {
        return values.length < 2 ? Double.NaN : squaredDeviations(values) / (values.length - 1);
    }

    static double standardDeviation(final double... values)
    {
        return Math.sqrt(variance(values));
    }

    static double standardError(final double... values)
    {
        return Math.sqrt(variance(values) / values.length);
    }

    static double meanDeviation(final double... values)
    {
        final double mean = mean(values);
        final double[] distances = new double[values.length];
        for (int i = 0; i < distances.length; i++)
        {
            distances[i] = Math.abs(values[i] - mean);
        }
        return mean(distances);
    }

    static double skew(final double... values)
    {
        return central(values, 3) / Math.pow(standardDeviation(values), 3);
    }

    static double kurtosis(final double... values)
    {
        return central(values, 4) / Math.pow(variance(values), 2) - 3;
    }

    /** NaN for less than three values or equal ones. */
    static double sampleSkew(final double... values)
    {
        return values.length < 3 || variance(values) == 0 ? Double.NaN : new Skewness().evaluate(values);
    }

    static double sampleSkewError(final double... values)
    {
        final double n = values.length;
        return n < 3 ? Double.NaN : Math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)));
    }

    /** NaN for less than four values or equal ones. */
    static double sampleKurtosis(final double... values)
    {
        return values.length < 4 || variance(values) == 0 ? Double.NaN : new Kurtosis().evaluate(values);
    }

    static double sampleKurtosisError(final double... values)
    {
        final double n = values.length;
        return n < 4 ? Double.NaN :
            Math.sqrt(24 * n * (n - 1) * (n - 1) / ((n - 3) * (n - 2) * (n + 3) * (n + 5)));
    }

    static double product(final double... values)
    {
        return StatUtils.product(values);
    }

    /** Of a sample. */
    static double covariance(final double[] left, final double[] right)
    {
        if (left.length < 2)
        {
            return Double.NaN;
        }
        return codeviation(left, right, 0) / (left.length - 1);
    }

    /** Sum of products of the distances from both means, the second so many rows earlier. */
    private static double codeviation(final double[] left, final double[] right, final int lag)
    {
        final double leftMean = mean(left);
        final double rightMean = mean(right);
        final ExactSum sum = new ExactSum();
        for (int i = lag; i < left.length; i++)
        {
            sum.change((left[i] - leftMean) * (right[i - lag] - rightMean), 1);
        }
        return sum.value();
    }

    static double correlation(final double[] left, final double[] right)
    {
        return codeviation(left, right, 0) /
            (Math.sqrt(squaredDeviations(left)) * Math.sqrt(squaredDeviations(right)));
    }

    /** Null when no two rows are so far from each other. */
    static Double autoCorrelation(final double[] values, final int lag)
    {
        return lag >= values.length ? null :
            (Double) (codeviation(values, values, lag) / (values.length - lag) / variance(values));
    }

    static double lag1(final double... values)
    {
        return codeviation(values, values, 1) / squaredDeviations(values);
    }
}
