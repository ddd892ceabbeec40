package dev.millrace.cql.processor.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.Operator.OutputKind;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.processor.PairPlan;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.cql.processor.PlannedCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.network.spi.RunningProcessor;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pipelines with different ordering constraints on one channel, and the time that drives them. */
@Tag("slow")
@Timeout(180)
class PipelineGroupsTest
{
    private static final int TICKS = 20_000;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);

    private final List<Tick> ticks = PairPlan.ticks(new Random(21), TICKS, 40);
    private TestWiring wiring;
    private RunningProcessor running;

    /** Copies the stream. */
    private PipelinePlan copying(final String query, final OrderingConstraint ordering, final OutputKind kind)
    {
        final EventType type = new EventType("proc." + query, EventType.Kind.TUPLE, PairPlan.TICK.properties(), null);
        final Expression price = new Column(1, CqlType.DOUBLE, true);
        final Operator output = new Operator.Output(query, type, kind);
        final Operator calc = new Operator.Calc(null, List.of(
            new Field("symbol", new Column(0, CqlType.CHAR, true)), new Field("lastPrice", price)), List.of(output));
        return new PipelinePlan(query, PairPlan.CHANNEL, PairPlan.TICK, ordering,
            ordering == OrderingConstraint.PARTITION_ORDERED ? 0 : -1, List.of(calc));
    }

    private EventBatchSink start(final int workers, final PipelinePlan... pipelines) throws Exception
    {
        final PlannedCqlProcessor planned = new PlannedCqlProcessor(
            PairPlan.stage(PairPlan.cache()), new ProcessorPlan(List.of(pipelines), List.of()));
        wiring = new TestWiring(workers, 1);
        running = planned.start(wiring);
        return running.openInput(PairPlan.CHANNEL);
    }

    private void sendAll(final EventBatchSink input) throws Exception
    {
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        final Random random = new Random(22);
        for (int from = 0; from < TICKS;)
        {
            final int count = Math.min(1 + random.nextInt(40), TICKS - from);
            PairPlan.fill(batch, ticks, from, count);
            input.onBatch(batch);
            from += count;
        }
    }

    private void heartbeat(final EventBatchSink input, final long timeNs) throws Exception
    {
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        batch.clear();
        batch.baseTimestampNs(timeNs);
        input.onBatch(batch);
    }

    private List<List<Object>> sent()
    {
        return ticks.stream().map(tick -> List.<Object>of(tick.symbol(), tick.price())).toList();
    }

    private List<List<Object>> received(final String query)
    {
        return wiring.rows(query).stream().map(TestWiring.Row::values).toList();
    }

    @Test
    void shouldKeepEachConstraintWhenPipelinesShareAChannel() throws Exception
    {
        final EventBatchSink input = start(3,
            copying("all", OrderingConstraint.ORDERED, OutputKind.STREAM),
            copying("parts", OrderingConstraint.PARTITION_ORDERED, OutputKind.STREAM),
            copying("any", OrderingConstraint.UNORDERED, OutputKind.STREAM));
        sendAll(input);

        assertThat(running.drain(DRAIN_NS)).isTrue();
        assertThat(received("all")).isEqualTo(sent());
        assertThat(received("any")).containsExactlyInAnyOrderElementsOf(sent());
        for (final String symbol : List.of("S0", "S7", "S39"))
        {
            assertThat(received("parts").stream().filter(row -> row.get(0).equals(symbol)).toList())
                .isEqualTo(sent().stream().filter(row -> row.get(0).equals(symbol)).toList());
        }
        assertThat(wiring.outputs()).hasSize(1 + 3 + 3);
        assertThat(running.statistics().get("queries").toString()).contains(
            "all={rowsIn=" + TICKS + ", rowsOut=" + TICKS, "parts={rowsIn=" + TICKS + ", rowsOut=" + TICKS,
            "any={rowsIn=" + TICKS + ", rowsOut=" + TICKS);
        running.stop();
    }

    @Test
    void shouldRunEverythingOnTheSourcesThreadWhenThereIsOneWorker() throws Exception
    {
        final EventBatchSink input = start(1,
            copying("all", OrderingConstraint.ORDERED, OutputKind.STREAM),
            copying("parts", OrderingConstraint.PARTITION_ORDERED, OutputKind.STREAM));
        sendAll(input);

        assertThat(received("all")).isEqualTo(sent());
        assertThat(received("parts")).isEqualTo(sent());
        assertThat(wiring.startedThreads()).isEmpty();
        assertThat(running.drain(0)).isTrue();
        running.stop();
    }

    @Test
    void shouldTellAllWorkersTheTimeWhenRowsLeaveByTime() throws Exception
    {
        final EventBatchSink input = start(3,
            copying("now", OrderingConstraint.PARTITION_ORDERED, OutputKind.NOW_RELATION));
        sendAll(input);
        heartbeat(input, TICKS + 1_000L);

        assertThat(running.drain(DRAIN_NS)).isTrue();
        final List<TestWiring.Row> rows = wiring.rows("now");
        assertThat(rows.stream().filter(row -> row.kind() == EventBatch.INSERT)).hasSize(TICKS);
        assertThat(rows.stream().filter(row -> row.kind() == EventBatch.DELETE)).hasSize(TICKS);
        running.stop();
    }

    @Test
    void shouldPassTheTimeOnWhenOneWorkersPartitionsAreSilent() throws Exception
    {
        final EventBatchSink input = start(2,
            copying("now", OrderingConstraint.PARTITION_ORDERED, OutputKind.NOW_RELATION));
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        PairPlan.fill(batch, List.of(new Tick("FIRST", 1)), 0, 1);
        input.onBatch(batch);
        PairPlan.fill(batch, List.of(new Tick("SECOND", 2)), 0, 1);
        batch.baseTimestampNs(1_000);
        input.onBatch(batch);

        assertThat(running.drain(DRAIN_NS)).isTrue();
        // The second row belongs to the other worker; the time alone has ended the life of the first row.
        assertThat(wiring.rows("now").stream().filter(row -> row.kind() == EventBatch.DELETE))
            .extracting(row -> row.values().get(0)).containsExactly("FIRST");
        running.stop();
    }

    @Test
    void shouldPassHeartbeatsOnWhenNobodySends() throws Exception
    {
        final EventBatchSink input = start(2,
            copying("parts", OrderingConstraint.PARTITION_ORDERED, OutputKind.STREAM));
        heartbeat(input, 77);

        assertThat(running.drain(DRAIN_NS)).isTrue();
        assertThat(wiring.outputs()).hasSize(2).allMatch(output -> output.heartbeats().equals(List.of(77L)));
        running.stop();
    }
}
