package dev.millrace.tuning.ticks;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.Samples;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.harness.TickData;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The gain of a second worker: the same ticks through one query on the source's thread (ORDERED, one worker, run to
 * completion), and PARTITION_ORDERED from two source threads to one worker and to two. The three alternate in rounds;
 * after each, every symbol must have the same rows in the same order everywhere.
 *
 * <p>Times are elapsed times, since the experiment measures threads; CPU time of all threads is reported in addition,
 * and an estimate for two cores that are always available. The additional cost of a row that is passed to a worker is
 * the break-even point: a query that costs less gains nothing from a second worker.
 */
public final class WorkersExperiment implements Experiment
{
    private static final EventType SIGNAL = EventType.tuple("Signal", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE), new EventProperty("percLastPrice", CqlType.DOUBLE));
    private static final EventType SHAPE = EventType.tuple("Shape", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("firstPrice", CqlType.DOUBLE), new EventProperty("lastPrice", CqlType.DOUBLE));
    /** Down, up, down, up: the shape of a W, from each beginning to each end. */
    private static final RuleText HEAVY = RuleText.query("w", """
        select symbol, firstPrice, lastPrice
        from StockTickStream MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES A.symbol as symbol, A.lastPrice as firstPrice, last(Z.lastPrice) as lastPrice
          ALL MATCHES
          PATTERN (A W+ X+ Y+ Z+)
          DEFINE
            W AS W.lastPrice < prev(W.lastPrice),
            X AS X.lastPrice > prev(X.lastPrice),
            Y AS Y.lastPrice < prev(Y.lastPrice),
            Z AS Z.lastPrice > prev(Z.lastPrice)
        ) as T
        """).partitionOrdered("symbol");
    /** Means of the last prices, about 100 ns per event. */
    private static final RuleText MEDIUM = RuleText.query("means", """
        IStream(select symbol, avg(lastPrice) as firstPrice, max(lastPrice) as lastPrice
        from StockTickStream [partition by symbol rows 20] group by symbol)
        """).partitionOrdered("symbol");
    /** Minimum and maximum prices, about 20 ns per event. */
    private static final RuleText LIGHT = RuleText.query("extremes", """
        IStream(select symbol, min(lastPrice) as firstPrice, max(lastPrice) as lastPrice
        from StockTickStream group by symbol)
        """).partitionOrdered("symbol");
    private static final Map<String, List<RuleText>> RULES = Map.of("heavy", List.of(HEAVY), "medium", List.of(MEDIUM),
        "light", List.of(LIGHT), "pair", List.of(BenchQueries.VIEW, BenchQueries.PAIR));
    private static final int SOURCES = 2;
    private static final int WARM_UPS = 6;
    private static final int SHORT_WARM_UPS = 3;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /** The three variants, and their measurements: elapsed and CPU nanoseconds per event. */
    private static final class Way implements AutoCloseable
    {
        private final WorkerNetwork network;
        private final SequenceTally tally;
        private final TickFeeder[] feeders;
        private final double[] ns;
        private final double[] cpuNs;
        private long allocated;

        Way(final WorkerNetwork network, final SequenceTally tally, final int sources, final BenchContext setting)
        {
            this.network = network;
            this.tally = tally;
            feeders = IntStream.range(0, sources)
                .mapToObj(source -> new TickFeeder(setting.ticks(), network, source, sources))
                .toArray(TickFeeder[]::new);
            ns = new double[setting.rounds()];
            cpuNs = new double[setting.rounds()];
        }

        @Override
        public void close()
        {
            network.close();
        }
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        final List<RuleText> rules = RULES.get(variant);
        final EventType output = variant.equals("pair") ? SIGNAL : SHAPE;
        try (Way alone = way(rules, output, 1, 1, setting);
            Way one = way(rules, output, 1, SOURCES, setting);
            Way two = way(rules, output, 2, SOURCES, setting))
        {
            final List<Way> ways = List.of(alone, one, two);
            final int warmUps = setting.isShort() ? SHORT_WARM_UPS : WARM_UPS;
            for (int round = -warmUps; round < setting.rounds(); round++)
            {
                setting.progress().showWithSeconds("workers " + variant +
                    (round < 0 ? ": warming up" : ": round " + (round + 1)));
                for (final Way way : ways)
                {
                    pass(way, round);
                }
                check(variant, alone, one);
                check(variant, alone, two);
            }
            results.line(result(variant, alone, one, two));
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the benchmark's network cannot be built: " + e.problems(), e);
        }
    }

    private static Way way(final List<RuleText> rules, final EventType output, final int workers, final int sources,
        final BenchContext setting) throws DeploymentException
    {
        final TickData data = setting.ticks();
        final Map<String, Integer> numbers = new HashMap<>();
        for (int i = 0; i < TickData.SYMBOLS; i++)
        {
            numbers.put(data.names[i], i);
        }
        final List<String> cached = IntStream.range(0, TickData.SYMBOLS).filter(TickData::isCached)
            .mapToObj(symbol -> data.names[symbol]).toList();
        final SequenceTally tally = new SequenceTally(numbers::get, TickData.SYMBOLS);
        final boolean ordered = sources == 1;
        return new Way(new WorkerNetwork(rules.stream().map(rule -> bound(rule, ordered)).toList(),
            output, cached, workers, sources, tally), tally, sources, setting);
    }

    private static Rule bound(final RuleText rule, final boolean ordered)
    {
        return new Rule(rule.id(), rule.view(), rule.text(), rule.schema(),
            ordered ? "ORDERED" : "PARTITION_ORDERED", ordered ? null : rule.partitionExpression(), true,
            SourcePosition.NONE);
    }

    /** Sends all ticks once; measures from the first row sent to the last one processed. */
    private void pass(final Way way, final int round) throws InterruptedException
    {
        final long allocatedBefore = allocated(way);
        final long cpuBefore = workersCpuNs(way);
        final long ownBefore = threads.getCurrentThreadCpuTime();
        final long start = System.nanoTime();
        final long sourcesCpuNs = TickFeeder.runAll(way.feeders);
        way.network.drain();
        final long end = System.nanoTime();
        final long cpu = workersCpuNs(way) - cpuBefore + sourcesCpuNs + threads.getCurrentThreadCpuTime() - ownBefore;
        if (round >= 0)
        {
            way.ns[round] = (end - start) / (double)TickData.EVENTS;
            way.cpuNs[round] = cpu / (double)TickData.EVENTS;
            way.allocated += allocated(way) - allocatedBefore;
        }
        if (Thread.interrupted())
        {
            throw new InterruptedException("the benchmark was asked to stop");
        }
    }

    private long workersCpuNs(final Way way)
    {
        return way.network.workerThreads().stream().mapToLong(each -> threads.getThreadCpuTime(each.getId())).sum();
    }

    private long allocated(final Way way)
    {
        return way.network.workerThreads().stream()
            .mapToLong(each -> threads.getThreadAllocatedBytes(each.getId())).sum();
    }

    private static void check(final String variant, final Way expected, final Way actual)
    {
        final int symbol = expected.tally.differsFrom(actual.tally);
        if (symbol >= 0 || expected.tally.rows() != actual.tally.rows() || expected.tally.rows() == 0)
        {
            throw new IllegalStateException("workers emitted other rows than one thread, variant=" + variant +
                " symbol=" + symbol + " rows=" + actual.tally.rows() + " expected=" + expected.tally.rows());
        }
    }

    private static BenchResult result(final String variant, final Way alone, final Way one, final Way two)
    {
        final int rounds = alone.ns.length;
        final double[] ratios = new double[rounds];
        final double[] handOver = new double[rounds];
        final double[] possible = new double[rounds];
        for (int i = 0; i < rounds; i++)
        {
            ratios[i] = two.ns[i] / alone.ns[i];
            handOver[i] = two.cpuNs[i] - alone.cpuNs[i];
            possible[i] = 2 * alone.cpuNs[i] / two.cpuNs[i];
        }
        return new BenchResult("workers", variant).events(TickData.EVENTS).nsPerEvent(Samples.median(two.ns))
            .bytesPerEvent(two.allocated / ((double)rounds * TickData.EVENTS))
            .limitNsPerEvent(Samples.median(alone.ns)).ratioToLimit(Samples.median(ratios))
            .with("java", System.getProperty("java.version")).with("rounds", (long)rounds)
            .with("nsPerEventMin", Samples.least(two.ns)).with("nsPerEventMax", Samples.greatest(two.ns))
            .with("limitNsPerEventMin", Samples.least(alone.ns))
            .with("limitNsPerEventMax", Samples.greatest(alone.ns))
            .with("speedUp", 1 / Samples.median(ratios))
            .with("oneWorkerNsPerEvent", Samples.median(one.ns))
            .with("cpuNsPerEvent", Samples.median(two.cpuNs))
            .with("aloneCpuNsPerEvent", Samples.median(alone.cpuNs))
            .with("breakEvenNsPerEvent", Samples.median(handOver))
            .with("speedUpByCpu", Samples.median(possible))
            .with("rowsOut", two.tally.rows()).with("checksum", two.tally.checksum())
            .with("check", "rows and order of each symbol equal");
    }
}
