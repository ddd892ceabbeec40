package dev.millrace.tuning.harness;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Measures a workload: CPU time of the thread per event and bytes allocated per event, alternating rounds of the engine
 * and of the hand-written baseline. After each round both must have emitted the same rows. Not thread-safe.
 */
public final class Measurement
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final String name;
    private final String variant;
    private final BenchContext setting;

    public Measurement(final String name, final String variant, final BenchContext setting)
    {
        this.name = name;
        this.variant = variant;
        this.setting = setting;
    }

    /**
     * Warms up and measures.
     *
     * @throws InterruptedException when the thread was interrupted, after the current pass
     */
    public BenchResult of(final Workload workload) throws InterruptedException
    {
        if (setting.isText())
        {
            System.out.println(workload.javaText());
        }
        final int passes = warmUp(workload);
        final int rounds = setting.rounds();
        final double[] engine = new double[rounds];
        final double[] limit = new double[rounds];
        final double[] ratios = new double[rounds];
        final ComparedTimes others = new ComparedTimes(workload.others(), rounds, threads);
        final double events = (double)passes * workload.events();
        long allocated = 0;
        for (int round = 0; round < rounds; round++)
        {
            setting.progress().showWithSeconds(name + ' ' + variant + ": round " + (round + 1) + " of " + rounds);
            final long bytesBefore = bytes(workload);
            final long start = cpuNs(workload);
            for (int pass = 0; pass < passes; pass++)
            {
                workload.runEngine();
            }
            final long middle = cpuNs(workload);
            allocated += bytes(workload) - bytesBefore;
            for (int pass = 0; pass < passes; pass++)
            {
                workload.runLimit();
            }
            final long end = cpuNs(workload);
            engine[round] = (middle - start) / events;
            limit[round] = (end - middle) / events;
            ratios[round] = engine[round] / limit[round];
            others.run(round, passes, events);
            check(workload);
        }
        final BenchResult result = new BenchResult(name, variant)
            .events((long)events).nsPerEvent(Samples.median(engine)).bytesPerEvent(allocated / (events * rounds))
            .limitNsPerEvent(Samples.median(limit)).ratioToLimit(Samples.median(ratios));
        describe(result, workload, engine, limit);
        others.describe(result, engine);
        return result;
    }

    private void describe(
        final BenchResult result, final Workload workload, final double[] engine, final double[] limit)
    {
        result.with("java", System.getProperty("java.version"))
            .with("rounds", (long)engine.length)
            .with("nsPerEventMin", Samples.least(engine)).with("nsPerEventMax", Samples.greatest(engine))
            .with("limitNsPerEventMin", Samples.least(limit)).with("limitNsPerEventMax", Samples.greatest(limit))
            .with("rowsOut", workload.engineTally().rows())
            .with("checksum", workload.engineTally().checksum());
        if (!setting.form().isEmpty())
        {
            result.with("form", setting.form());
        }
        if (setting.isShort())
        {
            result.with("short", "yes");
        }
        workload.describe(result);
    }

    /** Runs until compiled and steady; returns the number of passes per round of a sensible length. */
    private int warmUp(final Workload workload) throws InterruptedException
    {
        final long start = threads.getCurrentThreadCpuTime();
        long last = Long.MAX_VALUE;
        while (threads.getCurrentThreadCpuTime() - start < setting.warmUpNs())
        {
            setting.progress().showWithSeconds(name + ' ' + variant + ": warming up");
            final long before = cpuNs(workload);
            workload.runEngine();
            last = Math.min(last, cpuNs(workload) - before);
            workload.runLimit();
            workload.others().forEach(each -> each.pass().run());
            checkInterrupt();
        }
        check(workload);
        return (int)Math.max(1, setting.roundNs() / Math.max(1, last));
    }

    /** CPU time of this thread and those that help the engine. */
    private long cpuNs(final Workload workload)
    {
        long sum = threads.getCurrentThreadCpuTime();
        for (final Thread each : workload.helpers())
        {
            sum += Math.max(0, threads.getThreadCpuTime(each.getId()));
        }
        return sum;
    }

    private long bytes(final Workload workload)
    {
        long sum = threads.getCurrentThreadAllocatedBytes();
        for (final Thread each : workload.helpers())
        {
            sum += Math.max(0, threads.getThreadAllocatedBytes(each.getId()));
        }
        return sum;
    }

    private void check(final Workload workload) throws InterruptedException
    {
        final ResultChecksum engine = workload.engineTally();
        final ResultChecksum limit = workload.limitTally();
        check(ComparedLoop.ENGINE, engine, limit, workload.putsOut() == engine.rows() > 0);
        workload.others().stream().filter(each -> each.tally() != null)
            .forEach(each -> check(each.name(), each.tally(), limit, true));
        checkInterrupt();
    }

    private void check(final String loop, final ResultChecksum actual, final ResultChecksum limit,
        final boolean isPlausible)
    {
        if (actual.rows() != limit.rows() || actual.checksum() != limit.checksum() || !isPlausible)
        {
            throw new IllegalStateException(loop + " and limit disagree, workload=" + name + ' ' + variant +
                " rows=" + actual.rows() + " expected=" + limit.rows() + " checksum=" + actual.checksum() +
                " expected=" + limit.checksum());
        }
    }

    private static void checkInterrupt() throws InterruptedException
    {
        if (Thread.interrupted())
        {
            throw new InterruptedException("the benchmark was asked to stop");
        }
    }
}
