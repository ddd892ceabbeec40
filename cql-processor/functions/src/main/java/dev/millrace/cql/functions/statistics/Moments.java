package dev.millrace.cql.functions.statistics;

/** Statistics of the powers of the distances from the mean. A division of 0 by 0 gives NaN. Stateless. */
public final class Moments
{
    private Moments()
    {
    }

    /** Population variance. */
    public static double variance(final PowerSums sums)
    {
        return sums.deviations(2) / sums.count();
    }

    public static double sampleVariance(final PowerSums sums)
    {
        return sums.count() < 2 ? Double.NaN : sums.deviations(2) / (sums.count() - 1);
    }

    public static double standardError(final PowerSums sums)
    {
        return Math.sqrt(variance(sums) / sums.count());
    }

    public static double skew(final PowerSums sums)
    {
        return sums.deviations(3) / sums.count() / Math.pow(Math.sqrt(variance(sums)), 3);
    }

    public static double kurtosis(final PowerSums sums)
    {
        return sums.deviations(4) / sums.count() / Math.pow(variance(sums), 2) - 3;
    }

    /** NaN for fewer than three values or equal values. */
    public static double sampleSkew(final PowerSums sums)
    {
        final double n = sums.count();
        return n < 3 ? Double.NaN : skew(sums) * Math.sqrt(n * (n - 1)) / (n - 2);
    }

    public static double sampleSkewError(final PowerSums sums)
    {
        final double n = sums.count();
        return n < 3 ? Double.NaN : Math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)));
    }

    /** NaN for fewer than four values or equal values. */
    public static double sampleKurtosis(final PowerSums sums)
    {
        final double n = sums.count();
        return n < 4 ? Double.NaN : ((n + 1) * kurtosis(sums) + 6) * (n - 1) / ((n - 2) * (n - 3));
    }

    public static double sampleKurtosisError(final PowerSums sums)
    {
        final double n = sums.count();
        return n < 4 ? Double.NaN :
            Math.sqrt(24 * n * (n - 1) * (n - 1) / ((n - 3) * (n - 2) * (n + 3) * (n + 5)));
    }

    /** Sample covariance. */
    public static double covariance(final PairSums pairs)
    {
        return pairs.count() < 2 ? Double.NaN : pairs.deviations() / (pairs.count() - 1);
    }

    public static double correlation(final PairSums pairs)
    {
        return pairs.deviations() /
            (Math.sqrt(pairs.left().deviations(2)) * Math.sqrt(pairs.right().deviations(2)));
    }

    public static double pooledVariance(final PairSums pairs)
    {
        return variance(pairs.left()) / 2 + variance(pairs.right()) / 2;
    }
}
