package dev.millrace.tuning.signal;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.OpenLoop;
import dev.millrace.tuning.harness.ResultChecksum;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.harness.SymbolCodes;
import dev.millrace.tuning.harness.TickData;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * Latency of {@code pair} in an open loop of {@value #RATE_M} million events per second: from when an event was due
 * until the network has processed it and emitted its signal. It alternates with the same loop over a target that does
 * nothing (the hiccup probe: pauses that the machine imposes on a thread that only reads the clock) and over the
 * hand-written loop. One thread.
 *
 * <p>Each is measured twice: raw, and with time stopped during gaps of more than 20 us, see {@link OpenLoop}.
 */
public final class LatencyExperiment implements Experiment
{
    static final int RATE_M = 1;

    private static final long PERIOD_NS = 1_000 / RATE_M;
    private static final long EVENTS_A_SECOND = 1_000_000_000L / PERIOD_NS;
    /** Short turns, so that other activity of the machine affects all alike. */
    private static final long EVENTS_A_TURN = EVENTS_A_SECOND / 10;
    private static final double NS_A_US = 1e3;

    /** Fills batches with ticks, one after another. */
    private static final class Ticks
    {
        private final EventBatch batch;
        private final TickData data;
        private final double[] prices;
        /** Codes of the batches, and their table; {@code null} when they have strings. */
        private final ColumnWorkload.Ticks coded;
        private int next;

        Ticks(final EventBatch batch, final TickData data, final ColumnWorkload.Ticks coded)
        {
            this.batch = batch;
            this.data = data;
            this.coded = coded;
            prices = data.prices;
        }

        EventBatch fill(final int rows)
        {
            fillSymbols(rows);
            final double[] toPrices = batch.doubles(1);
            int from = next;
            for (int i = 0; i < rows; i++)
            {
                toPrices[i] = prices[from];
                from = from + 1 & TickData.EVENTS - 1;
            }
            next = from;
            batch.size(rows);
            return batch;
        }

        private void fillSymbols(final int rows)
        {
            final int[] codes = coded == null ? null : batch.texts(0).writeCodes(coded.strings());
            final String[] symbols = coded == null ? batch.texts(0).writeStrings() : null;
            for (int i = 0; i < rows; i++)
            {
                final int from = next + i & TickData.EVENTS - 1;
                if (codes == null)
                {
                    symbols[i] = data.names[data.symbols[from]];
                }
                else
                {
                    codes[i] = coded.ids()[from];
                }
            }
            batch.texts(0).wroteStrings(rows);
        }
    }

    /** One of the alternating contenders: its target, and a loop for each measurement. */
    private static final class Contender
    {
        private final String name;
        private final OpenLoop.Target target;
        private final OpenLoop raw = new OpenLoop(PERIOD_NS);
        private final OpenLoop removed = new OpenLoop(PERIOD_NS);

        Contender(final String name, final OpenLoop.Target target)
        {
            this.name = name;
            this.target = target;
        }

        void turn()
        {
            raw.run(target, EVENTS_A_TURN, false);
            removed.run(target, EVENTS_A_TURN, true);
        }

        void reset()
        {
            raw.reset();
            removed.reset();
        }
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        final ResultChecksum signals = new ResultChecksum(SymbolCodes.of(setting.ticks().names));
        final ResultChecksum expected = new ResultChecksum();
        try (PairNetwork network = new PairNetwork(setting.ticks(), signals))
        {
            final Ticks ticks = new Ticks(network.batch(), setting.ticks(), null);
            final Contender engine = new Contender("engine", rows -> network.send(ticks.fill(rows)));
            final Contender limit = new Contender("limit", limit(setting.ticks(), expected));
            final Contender probe = new Contender("probe", rows -> { });
            final Contender[] all = {probe, engine, limit};
            final long events = EVENTS_A_SECOND * setting.seconds(1, 1);
            rounds(all, setting, Math.max(1, (int)(setting.warmUpNs() / 1_000_000_000L)), events, "warming up");
            for (final Contender each : all)
            {
                each.reset();
            }
            rounds(all, setting, setting.rounds(), events, "round");
            if (signals.rows() != expected.rows() || signals.rows() == 0 || network.rejectedRows() != 0)
            {
                throw new IllegalStateException("engine and loop disagree, workload=latency rows=" + signals.rows() +
                    " expected=" + expected.rows() + " rejected=" + network.rejectedRows());
            }
            results.line(result(variant, engine, limit, probe, events * setting.rounds()));
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the rules of the benchmark are invalid: " + e.getMessage(), e);
        }
    }

    private static OpenLoop.Target limit(final TickData data, final ResultChecksum expected)
    {
        final ColumnWorkload.Ticks coded = ColumnWorkload.Ticks.of(data);
        final PairBaseline loop = new PairBaseline(coded.cached(), new BatchSchema(PairNetwork.SIGNAL), expected);
        final Ticks ticks = new Ticks(new EventBatch(coded.source()), data, coded);
        return rows -> loop.onBatch(ticks.fill(rows));
    }

    private static void rounds(final Contender[] all, final BenchContext setting, final int rounds, final long events,
        final String what) throws InterruptedException
    {
        for (int round = 0; round < rounds; round++)
        {
            setting.progress().showWithSeconds("latency: " + what + ' ' + (round + 1) + " of " + rounds);
            for (long done = 0; done < events; done += EVENTS_A_TURN)
            {
                for (final Contender each : all)
                {
                    each.turn();
                }
                if (Thread.interrupted())
                {
                    throw new InterruptedException("the benchmark was asked to stop");
                }
            }
        }
    }

    private static BenchResult result(final String variant, final Contender engine, final Contender limit,
        final Contender probe, final long events)
    {
        final BenchResult result = new BenchResult("latency", variant).events(events)
            .nsPerEvent(engine.removed.insideNsPerEvent()).limitNsPerEvent(limit.removed.insideNsPerEvent())
            .ratioToLimit(engine.removed.insideNsPerEvent() / limit.removed.insideNsPerEvent());
        for (final Contender each : new Contender[] {engine, limit, probe})
        {
            percentiles(result, each.name, each.removed.latencyNs());
            percentiles(result, each.name + "Raw", each.raw.latencyNs());
        }
        for (final double percentile : new double[] {99, 99.9, 99.99})
        {
            result.with("rawToProbeP" + name(percentile), (double)engine.raw.latencyNs()
                .getValueAtPercentile(percentile) / probe.raw.latencyNs().getValueAtPercentile(percentile));
        }
        return result.with("rowsPerBatch", engine.removed.rowsPerBatch())
            .with("engineGapsPerSecInside", engine.removed.gapsInsidePerSec())
            .with("engineGapsPerSec", engine.removed.gapsPerSec()).with("probeGapsPerSec", probe.removed.gapsPerSec())
            .with("engineGapShare", engine.removed.gapShare()).with("probeGapShare", probe.removed.gapShare());
    }

    private static void percentiles(final BenchResult result, final String of, final Histogram latencyNs)
    {
        for (final double percentile : new double[] {50, 99, 99.9, 99.99})
        {
            result.with(of + 'P' + name(percentile) + "Us", latencyNs.getValueAtPercentile(percentile) / NS_A_US);
        }
        result.with(of + "MaxUs", latencyNs.getMaxValue() / NS_A_US);
    }

    private static String name(final double percentile)
    {
        return Double.toString(percentile).replace(".0", "").replace(".", "");
    }
}
