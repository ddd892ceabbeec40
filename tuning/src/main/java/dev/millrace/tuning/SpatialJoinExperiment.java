package dev.millrace.tuning;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.flow.FlowCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.ResultSink;
import dev.millrace.tuning.harness.Samples;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Points joined with 10,000 rectangles that contain them: by the R-tree of the join, and by comparing all pairs, in
 * alternating rounds. Both must find the same pairs for the points that both receive; those of all pairs are the first
 * few of each round. CPU time of the thread per point.
 */
final class SpatialJoinExperiment implements Experiment
{
    private static final int COLUMNS = 100;
    private static final int AREAS = COLUMNS * COLUMNS;
    private static final int POINTS = 1_000_000;
    private static final int SHORT_POINTS = 20_000;
    private static final int COMPARED_POINTS = 1_000;
    private static final int SHORT_COMPARED_POINTS = 50;
    private static final int WARM_UPS = 2;
    private static final long MS_NS = 1_000_000L;
    private static final EventType POINT = EventType.tuple("P", new EventProperty("id", CqlType.INT),
        new EventProperty("x", CqlType.DOUBLE), new EventProperty("y", CqlType.DOUBLE));
    private static final EventType AREA = EventType.tuple("Z", new EventProperty("z", CqlType.INT),
        new EventProperty("x", CqlType.DOUBLE), new EventProperty("y", CqlType.DOUBLE));
    private static final String CONTAINS = "contain@spatial(a.area, createPoint@spatial(p.x, p.y), 0.0d)";

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /** One of the two ways to join. Pairs are counted and summed. */
    private static final class Way
    {
        private final FlowEngine engine;
        private long timeNs;
        private long pairs;
        private long checksum;

        Way(final String condition)
        {
            final List<RuleText> rules = List.of(
                RuleText.view("Areas", "select z, createRectangle@spatial(x, y, x + 0.9, y + 0.9) as area " +
                    "from Z [range unbounded]"),
                RuleText.query("q", "RStream(select p.id as id, a.z as z from P [now] as p, Areas as a where " +
                    condition + ")"));
            try
            {
                final FlowPlan plan = new RulePlanner().flowsOnly().plan("spatial", rules, Catalog.builder()
                    .stream("P", POINT).stream("Z", AREA)
                    .cartridges(Cartridges.installed(SpatialJoinExperiment.class.getClassLoader())).build())
                    .flows().get(0);
                final EventBatchSink sink = this::count;
                engine = new FlowCompiler().compile(plan).instantiate(new FlowBindings(
                    Map.of("q", new BatchSchema(plan.outputs().get(0).type())), Map.of("q", sink), Map.of(), Map.of(),
                    SpatialJoinExperiment::reject, 2 * AREAS));
            }
            catch (final CqlException refused)
            {
                throw new IllegalStateException("a rule of the bench is refused, condition=" + condition, refused);
            }
            areas();
        }

        private void areas()
        {
            final EventBatch batch = new EventBatch(new BatchSchema(AREA));
            for (int z = 0; z < AREAS; z++)
            {
                final int row = batch.size();
                batch.ints(0)[row] = z;
                batch.doubles(1)[row] = z % COLUMNS;
                batch.doubles(2)[row] = z / COLUMNS;
                add(batch, "Z");
            }
            flush(batch, "Z");
        }

        void points(final int count, final long seed)
        {
            final Random random = new Random(seed);
            final EventBatch batch = new EventBatch(new BatchSchema(POINT));
            for (int i = 0; i < count; i++)
            {
                final int row = batch.size();
                batch.ints(0)[row] = i;
                batch.doubles(1)[row] = random.nextDouble() * COLUMNS;
                batch.doubles(2)[row] = random.nextDouble() * COLUMNS;
                add(batch, "P");
            }
            flush(batch, "P");
        }

        private void add(final EventBatch batch, final String source)
        {
            timeNs += MS_NS;
            batch.useTimestampPerRow()[batch.size()] = timeNs;
            batch.size(batch.size() + 1);
            if (batch.size() == EventBatch.CAPACITY)
            {
                flush(batch, source);
            }
        }

        private void flush(final EventBatch batch, final String source)
        {
            if (batch.size() > 0)
            {
                engine.onBatch(engine.source(source), batch);
                batch.clear();
            }
        }

        private void count(final EventBatch rows)
        {
            for (int row = 0; row < rows.size(); row++)
            {
                pairs++;
                checksum = checksum * 31 + rows.ints(0)[row] * 7L + rows.ints(1)[row];
            }
        }

        void reset()
        {
            pairs = 0;
            checksum = 0;
        }
    }

    private static void reject(final int rows, final String reason, final String detail)
    {
        throw new IllegalStateException("a row is rejected, reason=" + reason + ' ' + detail);
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        final int points = setting.isShort() ? SHORT_POINTS : POINTS;
        final int compared = setting.isShort() ? SHORT_COMPARED_POINTS : COMPARED_POINTS;
        final Way indexed = new Way(CONTAINS + " = true");
        final Way all = new Way("case when " + CONTAINS + " then 1 else 0 end = 1");
        final double[] indexedNs = new double[setting.rounds()];
        final double[] comparedNs = new double[setting.rounds()];
        for (int round = -WARM_UPS; round < setting.rounds(); round++)
        {
            setting.progress().showWithSeconds("spatial-join: " + (round < 0 ? "warming up" : "round " + (round + 1)));
            indexed.reset();
            all.reset();
            indexed.points(compared, round);
            final double allNs = measure(all, compared, round);
            if (indexed.pairs == 0 || indexed.pairs != all.pairs || indexed.checksum != all.checksum)
            {
                throw new IllegalStateException("the joins find different pairs, indexed=" + indexed.pairs +
                    " compared=" + all.pairs);
            }
            final double ns = measure(indexed, points, ~round);
            if (round >= 0)
            {
                comparedNs[round] = allNs;
                indexedNs[round] = ns;
            }
            if (Thread.interrupted())
            {
                throw new InterruptedException("the benchmark was asked to stop");
            }
        }
        results.line(result(variant, points, indexedNs, comparedNs, indexed.pairs));
    }

    private double measure(final Way way, final int points, final long seed)
    {
        final long before = threads.getCurrentThreadCpuTime();
        way.points(points, seed);
        return (threads.getCurrentThreadCpuTime() - before) / (double)points;
    }

    private static BenchResult result(final String variant, final int points, final double[] indexedNs,
        final double[] comparedNs, final long pairs)
    {
        final double[] ratios = new double[indexedNs.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = indexedNs[i] / comparedNs[i];
        }
        return new BenchResult("spatial-join", variant).events(points).nsPerEvent(Samples.median(indexedNs))
            .limitNsPerEvent(Samples.median(comparedNs)).ratioToLimit(Samples.median(ratios))
            .with("java", System.getProperty("java.version")).with("rounds", (long)ratios.length)
            .with("nsPerEventMin", Samples.least(indexedNs)).with("nsPerEventMax", Samples.greatest(indexedNs))
            .with("limitNsPerEventMin", Samples.least(comparedNs))
            .with("limitNsPerEventMax", Samples.greatest(comparedNs))
            .with("areas", (long)AREAS).with("rowsOut", pairs).with("check", "the same pairs");
    }
}
