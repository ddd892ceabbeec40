package dev.millrace.tuning.burst;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.Samples;
import dev.millrace.tuning.harness.ResultSink;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;

/**
 * Bursts of {@value #SMALL}, {@value #MIDDLE} and {@value #GREAT} events into a window of 5 seconds, each followed by a
 * pause until all have left. Measures elapsed time, since waiting dominates a burst; medians. The time per event of the
 * line itself is first in to last out of the great burst, for the engine and for the baseline.
 */
public final class BurstExperiment implements Experiment
{
    static final int SMALL = 4_000;
    static final int MIDDLE = 8_000;
    static final int GREAT = 10_000;

    private static final int[] SIZES = {SMALL, MIDDLE, GREAT};
    /** A burst takes about 10 ms, and one in four contains a garbage collection, on either side. */
    private static final int BURSTS_A_ROUND = 7;
    private static final int LEAST_WARM_UP_BURSTS = 5;
    /** A driver needs seconds of bursts to be compiled, both next to the thread that writes and without it. */
    private static final int STORE_WARM_UPS = 3;
    private static final long REST_MS = 20;

    private final Stores stores;

    /** Creates the store of a variant. */
    @FunctionalInterface
    public interface Stores
    {
        /** A store that is ready, or {@code null} when events stay in memory. */
        BurstStore open() throws IOException;
    }

    /**
     * @param stores where events are stored, in addition to the window
     */
    public BurstExperiment(final Stores stores)
    {
        this.stores = stores;
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        try (BurstStore store = stores.open();
            BurstEngine engine = new BurstEngine(setting.ticks(), GREAT, store))
        {
            final BurstBaseline limit = new BurstBaseline(setting.ticks(), GREAT, store);
            setting.progress().showWithSeconds("burst " + variant + ": warming up");
            warmUp(setting, engine, limit, store);
            final BenchResult result = new BenchResult("burst", variant);
            long allocated = 0;
            long events = 0;
            for (final int size : SIZES)
            {
                setting.progress().showWithSeconds("burst " + variant + ": bursts of " + size);
                final Burst[] bursts = new Burst[setting.rounds() * BURSTS_A_ROUND];
                final double[] limits = new double[bursts.length];
                for (int i = 0; i < bursts.length; i++)
                {
                    Thread.sleep(REST_MS);
                    bursts[i] = engine.burst(size);
                    allocated += bursts[i].allocatedBytes();
                    events += size;
                    limits[i] = limit.burst(size);
                    finish(engine, limit, store, size);
                }
                add(result, size, bursts, limits);
            }
            results.line(result.bytesPerEvent((double)allocated / events));
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the query of the benchmark is invalid: " + e.getMessage(), e);
        }
    }

    private static void warmUp(final BenchContext setting, final BurstEngine engine, final BurstBaseline limit,
        final BurstStore store) throws InterruptedException, IOException
    {
        final long startNs = System.nanoTime();
        final long warmUpNs = setting.warmUpNs() * (store == null ? 1 : STORE_WARM_UPS);
        for (int i = 0; i < LEAST_WARM_UP_BURSTS || System.nanoTime() - startNs < warmUpNs; i++)
        {
            engine.burst(GREAT);
            limit.burst(GREAT);
            finish(engine, limit, store, GREAT);
        }
    }

    /** Compares the output of a burst, or its stored rows. */
    private static void finish(final BurstEngine engine, final BurstBaseline limit, final BurstStore store,
        final int rows)
        throws IOException
    {
        if (store != null)
        {
            store.empty(rows);
        }
        else if (engine.checksum() != limit.checksum())
        {
            throw new IllegalStateException("engine and loop disagree, workload=burst checksum=" + engine.checksum() +
                " expected=" + limit.checksum());
        }
    }

    private static void add(final BenchResult result, final int size, final Burst[] bursts, final double[] limits)
    {
        final double[] ratios = new double[bursts.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = bursts[i].firstInToLastOutNs() / limits[i];
        }
        result.with("latencyMs" + size, median(bursts, Burst::latencyMs))
            .with("insertMs" + size, median(bursts, Burst::insertMs))
            .with("processMs" + size, median(bursts, Burst::processMs))
            .with("firstInToLastOutMs" + size, median(bursts, Burst::firstInToLastOutMs))
            .with("limitMs" + size, Samples.median(limits) / Burst.NS_A_MS);
        if (size == GREAT)
        {
            result.events((long)size * bursts.length)
                .nsPerEvent(median(bursts, Burst::firstInToLastOutMs) * Burst.NS_A_MS / size)
                .limitNsPerEvent(Samples.median(limits) / size).ratioToLimit(Samples.median(ratios));
        }
    }

    private static double median(final Burst[] bursts, final ToDoubleFunction<Burst> figure)
    {
        return Samples.median(Arrays.stream(bursts).mapToDouble(figure).toArray());
    }
}
