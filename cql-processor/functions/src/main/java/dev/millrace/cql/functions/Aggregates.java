package dev.millrace.cql.functions;

import dev.millrace.cql.runtime.flow.AggregateFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * The aggregates beyond count, sum, avg, min and max, which the engine has itself. All take rows out again; those whose
 * sums would lose digits by that keep the values of their rows. Rows with a null argument are passed over; without any
 * other row the value is null.
 *
 * <pre>
 *   Summed    sums over rows                         Ranked    sorted values
 *   Series    values by arrival, in several passes   Arrivals  values of any type by arrival
 * </pre>
 *
 * <p>Immutable, safe for all threads; what the factories make belongs to one group.
 */
public final class Aggregates
{
    private static final Map<String, AggregateFactory> FACTORIES = make();

    private Aggregates()
    {
    }

    /**
     * All of them.
     *
     * @return factories by the lower-case names under which flows bind them
     */
    public static Map<String, AggregateFactory> factories()
    {
        return FACTORIES;
    }

    private static Map<String, AggregateFactory> make()
    {
        final Map<String, AggregateFactory> all = new HashMap<>();
        all.put("first", () -> new Arrivals(rows -> rows.getFirst()[0]));
        all.put("last", () -> new Arrivals(rows -> rows.getLast()[0]));
        all.put("listagg", () -> new Arrivals(rows -> Arrivals.joined("listagg", rows)));
        all.put("xmlagg", () -> new Arrivals(rows -> Arrivals.joined("xmlagg", rows)));
        addSums(all);
        addMeans(all);
        addRanks(all);
        addSeries(all);
        addSampleStatistics(all);
        return Map.copyOf(all);
    }

    private static void addSums(final Map<String, AggregateFactory> all)
    {
        sum(all, "sumofinversions", row -> 1 / row[0]);
        sum(all, "sumoflogarithms", row -> Math.log(row[0]));
        sum(all, "sumofpowers", row -> Math.pow(row[0], row[1]));
        sum(all, "sumofpowerdeviations", row -> Math.pow(row[0] - row[2], row[1]));
        sum(all, "sumofsquares", row -> row[0] * row[0]);
    }

    /** A sum of one term a row. */
    private static void sum(final Map<String, AggregateFactory> all, final String name, final Term term)
    {
        all.put(name, () -> new Summed(1, row -> new double[]{term.of(row)}, (sums, count) -> sums[0].value()));
    }

    /** An addend. */
    @FunctionalInterface
    private interface Term
    {
        double of(double[] row);
    }

    private static void addMeans(final Map<String, AggregateFactory> all)
    {
        all.put("mean", () -> new Summed(1, row -> row, (sums, count) -> sums[0].over(count)));
        all.put("moment", () -> new Summed(1, row -> new double[]{Math.pow(row[0] - row[2], row[1])},
            (sums, count) -> sums[0].over(count)));
        final AggregateFactory geometric = () -> new Summed(1, row -> new double[]{Math.log(row[0])},
            (sums, count) -> Math.exp(sums[0].over(count)));
        all.put("geometricmean", geometric);
        all.put("geometricmean1", geometric);
        all.put("harmonicmean", () -> new Summed(1, row -> new double[]{1 / row[0]},
            (sums, count) -> 1 / sums[0].over(count)));
        all.put("rms", () -> new Summed(1, row -> new double[]{row[0] * row[0]},
            (sums, count) -> Math.sqrt(sums[0].over(count))));
        all.put("pooledmean", () -> new Summed(1, row -> new double[]{row[0] / 2 + row[1] / 2},
            (sums, count) -> sums[0].over(count)));
        all.put("weightedmean", () -> new Summed(2, row -> new double[]{row[0] * row[1], row[1]},
            (sums, count) -> sums[0].value() / sums[1].value()));
    }

    private static void addRanks(final Map<String, AggregateFactory> all)
    {
        all.put("median", () -> new Ranked("median", row -> true, (values, row) -> values.quantile(0.5)));
        all.put("quantile", () -> new Ranked("quantile", row -> row[1] >= 0 && row[1] <= 1,
            (values, row) -> values.quantile(row[1])));
        all.put("quantileinverse", () -> new Ranked("quantileInverse", row -> true,
            (values, row) -> values.rank(row[1]) / values.size()));
        all.put("rankinterpolated", () -> new Ranked("rankInterpolated", row -> true,
            (values, row) -> values.rank(row[1])));
        all.put("trimmedmean", () -> new Ranked("trimmedMean", row -> row[1] >= 0 && row[2] >= 0,
            (values, row) -> values.mean((int) row[1], (int) row[2], false)));
        all.put("winsorizedmean", () -> new Ranked("winsorizedMean", row -> row[1] >= 0 && row[2] >= 0,
            (values, row) -> values.mean((int) row[1], (int) row[2], true)));
    }

    private static void addSeries(final Map<String, AggregateFactory> all)
    {
        all.put("autocorrelation", () -> new Series("autoCorrelation", 2, row -> row[1] >= 0,
            columns -> Moments.autoCorrelation(columns[0], (int) columns[1][columns[1].length - 1])));
        all.put("correlation", () -> new Series("correlation", 2,
            columns -> Moments.correlation(columns[0], columns[1])));
        all.put("covariance", () -> new Series("covariance", 2,
            columns -> Moments.covariance(columns[0], columns[1])));
        all.put("pooledvariance", () -> new Series("pooledVariance", 2,
            columns -> Moments.variance(columns[0]) / 2 + Moments.variance(columns[1]) / 2));
        one(all, "lag1", Moments::lag1);
        one(all, "kurtosis", Moments::kurtosis);
        one(all, "meandeviation", Moments::meanDeviation);
        one(all, "product", Moments::product);
        one(all, "skew", Moments::skew);
        one(all, "standarddeviation", Moments::standardDeviation);
        one(all, "standarderror", Moments::standardError);
        one(all, "sumofsquareddeviations", Moments::squaredDeviations);
        one(all, "variance", Moments::variance);
    }

    private static void addSampleStatistics(final Map<String, AggregateFactory> all)
    {
        one(all, "samplekurtosis", Moments::sampleKurtosis);
        one(all, "samplekurtosisstandarderror", Moments::sampleKurtosisError);
        one(all, "sampleskew", Moments::sampleSkew);
        one(all, "sampleskewstandarderror", Moments::sampleSkewError);
        one(all, "samplevariance", Moments::sampleVariance);
    }

    /** An aggregate of one column. */
    private static void one(final Map<String, AggregateFactory> all, final String name, final Term result)
    {
        all.put(name, () -> new Series(name, 1, columns -> result.of(columns[0])));
    }
}
