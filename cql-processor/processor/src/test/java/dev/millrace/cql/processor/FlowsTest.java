package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows in a processor: on the source's thread, on a worker, with a lookup in a cache. */
@Timeout(60)
class FlowsTest
{
    private static final int TICKS = 5_000;
    private static final EventType COUNT = EventType.tuple("proc.count", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("count", CqlType.BIGINT));

    /** The number of ticks of each watched symbol so far. */
    private static FlowPlan plan()
    {
        final RowType ticks = new RowType(List.of("symbol", "lastPrice"), List.of(CqlType.CHAR, CqlType.DOUBLE));
        final Column symbol = new Column(0, CqlType.CHAR, true);
        final FlowNode.Source source = new FlowNode.Source(PairPlan.CHANNEL, PairPlan.TICK, ticks, false, List.of(),
            FlowNode.TimeKind.SYSTEM, false, false);
        final FlowNode watched = new FlowNode.ToStream(new FlowNode.Pull(new FlowNode.Window(source,
            new WindowSpec.Now()), FlowNode.PullKind.CACHE, PairPlan.RELATION,
            new RowType(List.of("symbol"), List.of(CqlType.CHAR)), List.of(symbol), List.of(0), List.of()),
            FlowNode.StreamKind.RSTREAM, List.of());
        final FlowNode group = new FlowNode.Group(new FlowNode.Window(new FlowNode.Calc(watched, null,
            List.of(new Field("symbol", symbol))), new WindowSpec.Unbounded()), List.of(0),
            List.of(new FlowNode.Aggregate("count", List.of(), false, CqlType.BIGINT, -1)),
            new RowType(List.of("symbol", "count"), List.of(CqlType.CHAR, CqlType.BIGINT)));
        return new FlowPlan("count", List.of(source), List.of(new FlowPlan.Output("count",
            new FlowNode.ToStream(group, FlowNode.StreamKind.ISTREAM, List.of()), true, COUNT)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldCountWatchedTicksOnOneThread(final int workers) throws Exception
    {
        final Cache cache = PairPlan.cache("S1", "S3");
        final PlannedCqlProcessor planned = new PlannedCqlProcessor(PairPlan.stage(cache),
            new ProcessorPlan(List.of(), List.of(plan())));
        assertThat(planned.outputs()).singleElement().matches(output -> output.queryId().equals("count"));
        final TestWiring wiring = new TestWiring(workers, 1);
        final RunningProcessor running = planned.start(wiring);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        final List<Tick> ticks = PairPlan.ticks(new Random(3), TICKS, 5);
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        for (int from = 0; from < TICKS; from += 50)
        {
            PairPlan.fill(batch, ticks, from, 50);
            input.onBatch(batch);
        }
        assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();

        final Map<String, Long> counts = new HashMap<>();
        final List<List<Object>> expected = new ArrayList<>();
        for (final Tick tick : ticks)
        {
            if (tick.symbol().equals("S1") || tick.symbol().equals("S3"))
            {
                expected.add(List.of(tick.symbol(), counts.merge(tick.symbol(), 1L, Long::sum)));
            }
        }
        assertThat(wiring.rows("count").stream().map(TestWiring.Row::values).toList()).isEqualTo(expected);
        assertThat(wiring.startedThreads()).hasSize(workers == 1 ? 0 : workers);
        assertThat(running.statistics().get("queries").toString())
            .contains("count={rowsIn=" + TICKS + ", rowsOut=" + expected.size());
        running.stop();
    }
}
