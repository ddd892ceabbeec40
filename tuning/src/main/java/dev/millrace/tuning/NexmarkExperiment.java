package dev.millrace.tuning;

import com.sun.management.ThreadMXBean;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.Samples;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.nexmark.ChecksumSink;
import dev.millrace.tuning.nexmark.NexmarkData;
import dev.millrace.tuning.nexmark.NexmarkFeed;
import dev.millrace.tuning.nexmark.NexmarkNetwork;
import dev.millrace.tuning.nexmark.NexmarkQuery;
import dev.millrace.tuning.nexmark.QueryBaseline;
import dev.millrace.tuning.nexmark.QueryBaselines;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Compares a query of Nexmark, of Linear Road or of everyday use, run through the channels of a network, with a
 * hand-written loop: processor time of all threads and bytes allocated per event, in alternating rounds. Both first
 * process the same events and must emit the same rows; after each round the numbers of rows must be equal.
 *
 * <p>A query whose state grows plays a bounded number of events, so that the heap stays bounded.
 */
final class NexmarkExperiment implements Experiment
{
    /** Suffix of a variant whose events have times in whole milliseconds. */
    static final String MILLISECONDS = "-ms";

    /** Differs from the length of a window, so that a row does not leave when an equal row enters. */
    private static final int EVENTS = 1_048_500;
    private static final int SHORT_EVENTS = 209_700;
    private static final int CHUNK_MS = 256;
    private static final long WARM_UP_NS = 600_000_000L;
    private static final long SHORT_WARM_UP_NS = 150_000_000L;
    private static final long BUDGET_NS = 2_500_000_000L;
    private static final int LEAST_ROUNDS = 3;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final NexmarkQuery query;
    private final boolean milliseconds;

    NexmarkExperiment(final NexmarkQuery query, final boolean milliseconds)
    {
        this.query = query;
        this.milliseconds = milliseconds;
    }

    /** Engine and loop, their position in the feed, and their costs in the rounds. */
    private final class Run implements AutoCloseable
    {
        private final String variant;
        private final BenchContext setting;
        private final ChecksumSink sink = new ChecksumSink();
        private final NexmarkNetwork network;
        private final NexmarkFeed feed;
        private final QueryBaseline loop;
        private final long most;
        private final long eventsAMs;
        private final long chunk;
        private long played;
        private long rowsBefore;
        private long events;
        private long bytes;
        private int rounds;
        private final double[] engineNs;
        private final double[] loopNs;
        private final double[] ratios;

        Run(final String variant, final BenchContext setting, final NexmarkData data) throws DeploymentException
        {
            this.variant = variant;
            this.setting = setting;
            network = new NexmarkNetwork(query, !milliseconds, sink);
            feed = network.feed(data, query.feed());
            loop = QueryBaselines.of(query.name(), data);
            most = query.growing() && setting.isShort() ? query.mostEvents() / 10 : query.mostEvents();
            eventsAMs = query.feed().eventsAMillisecond();
            chunk = CHUNK_MS * eventsAMs;
            engineNs = new double[setting.rounds()];
            loopNs = new double[setting.rounds()];
            ratios = new double[setting.rounds()];
        }

        /** Fills windows and warms up; compares the values of all rows. */
        private void begin() throws InterruptedException
        {
            final long fill = setting.isShort() ? Math.min(2, query.fillSeconds()) : query.fillSeconds();
            final long warmUpNs = setting.isShort() ? SHORT_WARM_UP_NS : WARM_UP_NS;
            check(true);
            final long start = cpuNs();
            while (played < most / 4 && (played < fill * 1_000 * eventsAMs || cpuNs() - start < warmUpNs))
            {
                play(chunk);
                compareValues();
            }
            check(false);
            final long again = cpuNs();
            while (played < most / 3 && cpuNs() - again < warmUpNs / 2)
            {
                play(chunk);
            }
            compareRows();
        }

        private void check(final boolean on)
        {
            sink.check(on);
            loop.out().check(on);
        }

        private void play(final long count) throws InterruptedException
        {
            setting.progress().showWithSeconds("nexmark " + variant + ": warming up");
            feed.play(played, played + count);
            network.drain();
            loop.play(query.feed(), played, played + count);
            played += count;
            if (Thread.interrupted())
            {
                throw new InterruptedException("the benchmark was interrupted");
            }
        }

        private void compareValues()
        {
            compareRows();
            if (!milliseconds || !query.openOrder())
            {
                compare("checksum", sink.checksum(), loop.out().checksum());
            }
        }

        private void compareRows()
        {
            compare("rows", sink.netRows(), loop.out().netRows());
        }

        private void compare(final String what, final long engine, final long limit)
        {
            if (engine != limit || network.rejectedRows() > 0)
            {
                throw new IllegalStateException("engine and limit disagree, workload=nexmark " + variant + ' ' + what +
                    '=' + engine + " expected=" + limit + " events=" + played + " rejected=" + network.rejectedRows());
            }
        }

        /** Measures rounds until their number or the time budget is reached. */
        private void measure() throws InterruptedException
        {
            final long length = roundLength();
            rowsBefore = sink.rows();
            final long start = cpuNs();
            final int least = Math.min(LEAST_ROUNDS, setting.rounds());
            while (rounds < setting.rounds() && (rounds < least || cpuNs() - start < BUDGET_NS))
            {
                setting.progress().showWithSeconds("nexmark " + variant + ": round " + (rounds + 1));
                round(length);
                compareRows();
                if (Thread.interrupted())
                {
                    throw new InterruptedException("the benchmark was interrupted");
                }
            }
        }

        private void round(final long length)
        {
            final long bytesBefore = bytes();
            final long start = cpuNs();
            feed.play(played, played + length);
            network.drain();
            final long middle = cpuNs();
            bytes += bytes() - bytesBefore;
            loop.play(query.feed(), played, played + length);
            final long end = cpuNs();
            engineNs[rounds] = (middle - start) / (double)length;
            loopNs[rounds] = (end - middle) / (double)length;
            ratios[rounds] = engineNs[rounds] / loopNs[rounds];
            rounds++;
            events += length;
            played += length;
        }

        /** Events of a round: of a sensible time, whole cycles of the query, not beyond the most. */
        private long roundLength() throws InterruptedException
        {
            final long before = cpuNs();
            final long playedBefore = played;
            play(chunk);
            final double ns = Math.max(1.0, (cpuNs() - before) / (double)(played - playedBefore));
            final long wanted = Math.max(chunk, (long)(setting.roundNs() / ns));
            final long cycle = setting.isShort() ? 0 : query.cycleSeconds() * 1_000L * eventsAMs;
            final long whole = cycle == 0 ? wanted : (wanted + cycle - 1) / cycle * cycle;
            final long length =
                query.growing() ? Math.max(chunk, Math.min(whole, (most - played) / setting.rounds())) : whole;
            return length / eventsAMs * eventsAMs;
        }

        private long cpuNs()
        {
            return threads.getCurrentThreadCpuTime() + network.helpers().stream()
                .mapToLong(each -> Math.max(0, threads.getThreadCpuTime(each.getId()))).sum();
        }

        private long bytes()
        {
            return threads.getCurrentThreadAllocatedBytes() + network.helpers().stream()
                .mapToLong(each -> Math.max(0, threads.getThreadAllocatedBytes(each.getId()))).sum();
        }

        private BenchResult result()
        {
            final double[] engine = Arrays.copyOf(engineNs, rounds);
            final double[] limit = Arrays.copyOf(loopNs, rounds);
            final BenchResult result = new BenchResult("nexmark", variant).events(events / rounds)
                .nsPerEvent(Samples.median(engine)).bytesPerEvent(bytes / (double)events)
                .limitNsPerEvent(Samples.median(limit))
                .ratioToLimit(Samples.median(Arrays.copyOf(ratios, rounds)))
                .with("java", System.getProperty("java.version")).with("rounds", (long)rounds)
                .with("nsPerEventMin", Samples.least(engine)).with("nsPerEventMax", Samples.greatest(engine))
                .with("limitNsPerEventMin", Samples.least(limit))
                .with("limitNsPerEventMax", Samples.greatest(limit))
                .with("rowsOutPerEvent", (sink.rows() - rowsBefore) / (double)events)
                .with("rowsOut", sink.rows()).with("checksum", sink.checksum())
                .with("check", milliseconds && query.openOrder() ? "number of rows equal" : "rows and values equal");
            if (setting.isShort())
            {
                result.with("short", "yes");
            }
            return result;
        }

        @Override
        public void close()
        {
            network.close();
        }
    }

    /** Events of one pass. */
    static int events(final BenchContext setting)
    {
        return setting.isShort() ? SHORT_EVENTS : EVENTS;
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        final NexmarkData data =
            setting.nexmark(events(setting), milliseconds);
        try (Run run = new Run(variant, setting, data))
        {
            run.begin();
            run.measure();
            results.line(run.result());
        }
        catch (final DeploymentException e)
        {
            results.line(new BenchResult("nexmark", variant).with("refused", e.problems().get(0).toString()));
        }
    }
}
