package dev.millrace.tuning;

import com.sun.management.ThreadMXBean;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.Samples;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.nexmark.ChecksumSink;
import dev.millrace.tuning.nexmark.Feed;
import dev.millrace.tuning.nexmark.NexmarkData;
import dev.millrace.tuning.nexmark.NexmarkFeed;
import dev.millrace.tuning.nexmark.NexmarkNetwork;
import dev.millrace.tuning.nexmark.NexmarkQuery;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * Results over all values on two workers: a query of Nexmark, or an aggregate without keys, in order on the source's
 * thread and in two steps on two workers, with the same events in alternating rounds. After each round both must have
 * emitted the same number of rows with the same values.
 *
 * <p>CPU time of all threads and elapsed time, since a second worker trades the one for the other.
 */
final class TwoStepsExperiment implements Experiment
{
    private static final int WORKERS = 2;
    private static final int WARM_UPS = 3;
    private static final int SHORT_WARM_UPS = 1;
    private static final int GROWING_MS = 500;
    private static final int LEAST_MS = 4_000;
    private static final int MS = 1_000;
    /** Bids that are counted and summed over all auctions. */
    private static final NexmarkQuery TOTAL = new NexmarkQuery("total", Feed.BIDS, 11, 2, Long.MAX_VALUE, false, false,
        "", List.of(new NexmarkQuery.Statement("out", false, "IStream(select count(*) as n, max(price) as hi, " +
            "sum(price) as s from Bid [range 10 seconds slide 100 milliseconds])", List.of())),
        List.of("n*", "hi*", "s*"), "", "");
    private static final Map<String, String> PARTITIONS = Map.of(
        "q4", "id", "q4w", "id", "q5", "c.auction", "q5ge", "c.auction", "q7", "b.auction", "total", "auction");

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /** One of the two variants, and its measurements: elapsed and CPU time in nanoseconds per event. */
    private final class Way implements AutoCloseable
    {
        private final NexmarkNetwork network;
        private final NexmarkFeed feed;
        private final ChecksumSink sink = new ChecksumSink();
        private final double[] ns;
        private final double[] cpuNs;

        Way(final NexmarkQuery query, final int workers, final NexmarkData data, final int rounds)
            throws DeploymentException
        {
            network = new NexmarkNetwork(query, true, workers, sink);
            feed = network.feed(data, query.feed());
            sink.check(true);
            ns = new double[rounds];
            cpuNs = new double[rounds];
        }

        void play(final long from, final long to, final int round)
        {
            final long cpuBefore = cpuNs();
            final long before = System.nanoTime();
            feed.play(from, to);
            network.drain();
            final long after = System.nanoTime();
            if (round >= 0)
            {
                ns[round] = (after - before) / (double)(to - from);
                cpuNs[round] = (cpuNs() - cpuBefore) / (double)(to - from);
            }
        }

        private long cpuNs()
        {
            return threads.getCurrentThreadCpuTime() + network.helpers().stream()
                .mapToLong(each -> Math.max(0, threads.getThreadCpuTime(each.getId()))).sum();
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
        final NexmarkQuery query = variant.equals(TOTAL.name()) ? TOTAL : NexmarkQuery.all().get(variant);
        final NexmarkData data = setting.nexmark(NexmarkExperiment.events(setting), false);
        try (Way alone = new Way(query, 1, data, setting.rounds());
            Way two = new Way(split(query, PARTITIONS.get(variant)), WORKERS, data, setting.rounds()))
        {
            measure(query, setting, List.of(alone, two));
            results.line(result(variant, alone, two));
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the benchmark's network cannot be built: " + e.problems(), e);
        }
    }

    private static NexmarkQuery split(final NexmarkQuery query, final String partition)
    {
        return new NexmarkQuery(query.name(), query.feed(), query.fillSeconds(), query.cycleSeconds(),
            query.mostEvents(), query.relation(), query.openOrder(), partition, query.statements(), query.columns(),
            query.what(), query.note());
    }

    /** Fills the windows, warms up and measures; the first stretch is as long as the windows. */
    private static void measure(final NexmarkQuery query, final BenchContext setting, final List<Way> ways)
        throws InterruptedException
    {
        final long eventsAMs = query.feed().eventsAMillisecond();
        final long length = (query.growing() ? GROWING_MS : Math.max(LEAST_MS, query.cycleSeconds() * MS)) * eventsAMs;
        final int warmUps = setting.isShort() ? SHORT_WARM_UPS : WARM_UPS;
        long played = 0;
        for (int round = -warmUps; round < setting.rounds(); round++)
        {
            setting.progress().showWithSeconds("workers " + query.name() +
                (round < 0 ? ": warming up" : ": round " + (round + 1)));
            final long until = played + (played == 0 ? Math.max(length, query.fillSeconds() * MS * eventsAMs) : length);
            for (final Way way : ways)
            {
                way.play(played, until, round);
            }
            played = until;
            check(query.name(), ways.get(0), ways.get(1));
            if (Thread.interrupted())
            {
                throw new InterruptedException("the benchmark was asked to stop");
            }
        }
    }

    private static void check(final String query, final Way alone, final Way two)
    {
        if (alone.sink.netRows() != two.sink.netRows() || alone.sink.checksum() != two.sink.checksum() ||
            alone.sink.rows() == 0 || two.network.rejectedRows() > 0)
        {
            throw new IllegalStateException("two workers emitted other rows than one thread, query=" + query +
                " rows=" + two.sink.netRows() + " expected=" + alone.sink.netRows() + " rejected=" +
                two.network.rejectedRows());
        }
    }

    private static BenchResult result(final String variant, final Way alone, final Way two)
    {
        final int rounds = alone.ns.length;
        final double[] ratios = new double[rounds];
        for (int i = 0; i < rounds; i++)
        {
            ratios[i] = two.ns[i] / alone.ns[i];
        }
        return new BenchResult("workers", variant).nsPerEvent(Samples.median(two.ns))
            .limitNsPerEvent(Samples.median(alone.ns)).ratioToLimit(Samples.median(ratios))
            .with("java", System.getProperty("java.version")).with("rounds", (long)rounds)
            .with("nsPerEventMin", Samples.least(two.ns)).with("nsPerEventMax", Samples.greatest(two.ns))
            .with("limitNsPerEventMin", Samples.least(alone.ns))
            .with("limitNsPerEventMax", Samples.greatest(alone.ns))
            .with("cpuNsPerEvent", Samples.median(two.cpuNs))
            .with("aloneCpuNsPerEvent", Samples.median(alone.cpuNs))
            .with("rowsOut", two.sink.rows()).with("checksum", two.sink.checksum())
            .with("check", "rows and values equal");
    }
}
