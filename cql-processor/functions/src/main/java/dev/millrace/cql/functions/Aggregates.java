package dev.millrace.cql.functions;

import dev.millrace.cql.functions.statistics.ExactAggregate;
import dev.millrace.cql.functions.statistics.Moments;
import dev.millrace.cql.functions.statistics.PairSums;
import dev.millrace.cql.functions.statistics.PowerSums;
import dev.millrace.cql.functions.statistics.ProductSums;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The aggregates other than count, sum, avg, min and max, which the engine implements. All of them can remove rows,
 * most in constant time. Rows with a null argument are ignored; without any other row the value is null.
 *
 * <pre>
 *   Summed          compensated sums over rows        Ranked        sorted values
 *   ExactAggregate  exact sums of powers, products    LagAggregate  values and those before them
 *   Arrivals        values of any type by arrival
 * </pre>
 *
 * <p>Immutable, thread-safe; an instance from a factory belongs to one group.
 */
public final class Aggregates
{
    private static final Map<String, GroupAggregateFactory> FACTORIES = make();

    private Aggregates()
    {
    }

    /**
     * All aggregates.
     *
     * @return factories by the lower-case names to which flows bind them
     */
    public static Map<String, GroupAggregateFactory> factories()
    {
        return FACTORIES;
    }

    private static Map<String, GroupAggregateFactory> make()
    {
        final Map<String, GroupAggregateFactory> all = new HashMap<>();
        all.put("first", () -> new ArrivalOrderAggregate(rows -> rows.getFirst()[0]));
        all.put("last", () -> new ArrivalOrderAggregate(rows -> rows.getLast()[0]));
        all.put("listagg", () -> new ArrivalOrderAggregate(rows -> ArrivalOrderAggregate.joined("listagg", rows)));
        all.put("xmlagg", () -> new ArrivalOrderAggregate(rows -> ArrivalOrderAggregate.joined("xmlagg", rows)));
        addSums(all);
        addMeans(all);
        addRanks(all);
        addSeries(all);
        addMoments(all);
        return Map.copyOf(all);
    }

    private static void addSums(final Map<String, GroupAggregateFactory> all)
    {
        sum(all, "sumofinversions", row -> 1 / row[0]);
        sum(all, "sumoflogarithms", row -> Math.log(row[0]));
        sum(all, "sumofpowers", row -> Math.pow(row[0], row[1]));
        sum(all, "sumofpowerdeviations", row -> Math.pow(row[0] - row[2], row[1]));
        sum(all, "sumofsquares", row -> row[0] * row[0]);
    }

    /** A sum of one term per row. */
    private static void sum(final Map<String, GroupAggregateFactory> all, final String name, final Term term)
    {
        all.put(name, () -> new MomentAggregate(1, row -> new double[]{term.of(row)},
            (sums, count) -> sums[0].value()));
    }

    /** A term. */
    @FunctionalInterface
    private interface Term
    {
        double of(double[] row);
    }

    private static void addMeans(final Map<String, GroupAggregateFactory> all)
    {
        all.put("mean", () -> new MomentAggregate(1, row -> row, (sums, count) -> sums[0].over(count)));
        all.put("moment", () -> new MomentAggregate(1, row -> new double[]{Math.pow(row[0] - row[2], row[1])},
            (sums, count) -> sums[0].over(count)));
        final GroupAggregateFactory geometric = () -> new MomentAggregate(1, row -> new double[]{Math.log(row[0])},
            (sums, count) -> Math.exp(sums[0].over(count)));
        all.put("geometricmean", geometric);
        all.put("geometricmean1", geometric);
        all.put("harmonicmean", () -> new MomentAggregate(1, row -> new double[]{1 / row[0]},
            (sums, count) -> 1 / sums[0].over(count)));
        all.put("rms", () -> new MomentAggregate(1, row -> new double[]{row[0] * row[0]},
            (sums, count) -> Math.sqrt(sums[0].over(count))));
        all.put("pooledmean", () -> new MomentAggregate(1, row -> new double[]{row[0] / 2 + row[1] / 2},
            (sums, count) -> sums[0].over(count)));
        all.put("weightedmean", () -> new MomentAggregate(2, row -> new double[]{row[0] * row[1], row[1]},
            (sums, count) -> sums[0].value() / sums[1].value()));
    }

    private static void addRanks(final Map<String, GroupAggregateFactory> all)
    {
        all.put("median", () -> new SortedAggregate("median", row -> true, (values, row) -> values.quantile(0.5)));
        all.put("quantile", () -> new SortedAggregate("quantile", row -> row[1] >= 0 && row[1] <= 1,
            (values, row) -> values.quantile(row[1])));
        all.put("quantileinverse", () -> new SortedAggregate("quantileInverse", row -> true,
            (values, row) -> values.rank(row[1]) / values.size()));
        all.put("rankinterpolated", () -> new SortedAggregate("rankInterpolated", row -> true,
            (values, row) -> values.rank(row[1])));
        all.put("trimmedmean", () -> new SortedAggregate("trimmedMean", row -> row[1] >= 0 && row[2] >= 0,
            (values, row) -> values.mean((int) row[1], (int) row[2], false)));
        all.put("winsorizedmean", () -> new SortedAggregate("winsorizedMean", row -> row[1] >= 0 && row[2] >= 0,
            (values, row) -> values.mean((int) row[1], (int) row[2], true)));
    }

    private static void addSeries(final Map<String, GroupAggregateFactory> all)
    {
        all.put("autocorrelation", () -> new LagAggregate("autoCorrelation", true, (values, codeviation, lag) ->
            codeviation / (values.count() - lag) / Moments.variance(values)));
        all.put("lag1", () -> new LagAggregate("lag1", false, (values, codeviation, lag) ->
            codeviation / values.deviations(2)));
        all.put("meandeviation", () -> new SortedAggregate("meanDeviation", row -> true,
            (values, row) -> values.meanDeviation()));
        all.put("product", () -> new ExactAggregate<>(new ProductSums(), ProductSums::value));
    }

    private static void addMoments(final Map<String, GroupAggregateFactory> all)
    {
        one(all, "kurtosis", 4, Moments::kurtosis);
        one(all, "skew", 3, Moments::skew);
        one(all, "standarddeviation", 2, sums -> Math.sqrt(Moments.variance(sums)));
        one(all, "standarderror", 2, Moments::standardError);
        one(all, "sumofsquareddeviations", 2, sums -> sums.deviations(2));
        one(all, "variance", 2, Moments::variance);
        one(all, "samplekurtosis", 4, Moments::sampleKurtosis);
        one(all, "samplekurtosisstandarderror", 1, Moments::sampleKurtosisError);
        one(all, "sampleskew", 3, Moments::sampleSkew);
        one(all, "sampleskewstandarderror", 1, Moments::sampleSkewError);
        one(all, "samplevariance", 2, Moments::sampleVariance);
        two(all, "correlation", Moments::correlation);
        two(all, "covariance", Moments::covariance);
        two(all, "pooledvariance", Moments::pooledVariance);
    }

    /** An aggregate of one column, over the sums of its powers. */
    private static void one(
        final Map<String, GroupAggregateFactory> all,
        final String name,
        final int powers,
        final ToDoubleFunction<PowerSums> result)
    {
        all.put(name, () -> new ExactAggregate<>(new PowerSums(powers), result));
    }

    /** An aggregate of two columns. */
    private static void two(
        final Map<String, GroupAggregateFactory> all, final String name, final ToDoubleFunction<PairSums> result)
    {
        all.put(name, () -> new ExactAggregate<>(new PairSums(), result));
    }
}
