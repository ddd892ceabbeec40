package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** State that pipelines write and read by partition, and state that they refuse. */
@Timeout(60)
class PipelineStateTest
{
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("c", CqlType.CHAR),
        new EventProperty("v", CqlType.BIGINT));
    private static final EventType OUT = EventType.tuple("Out", new EventProperty("c", CqlType.CHAR),
        new EventProperty("n", CqlType.BIGINT));
    private static final PartitionSelection HALF = PartitionSelection.of(0, new HalfOfPartitions());
    private static final PartitionSelection OTHERS = PartitionSelection.of(0, new HalfOfPartitions().others());

    private static PipelinePlan plan(final String name, final Operator root)
    {
        return new PipelinePlan(name, "S", ROW, OrderingConstraint.ORDERED, -1, List.of(root));
    }

    private static List<Operator.Aggregate> sum()
    {
        return List.of(new Operator.Aggregate(
            Operator.AggregateFunction.SUM, new Expression.Column(1, CqlType.BIGINT, true), CqlType.BIGINT));
    }

    private static List<Field> fields()
    {
        return List.of(new Field("c", new Expression.KeyValue(0, CqlType.CHAR, true)),
            new Field("n", new Expression.AggregateValue(0, CqlType.BIGINT, true)));
    }

    private static List<Operator> output()
    {
        return List.of(new Operator.Output("q", OUT, Operator.OutputKind.STREAM));
    }

    private static List<Expression> key()
    {
        return List.of(new Expression.Column(0, CqlType.CHAR, true));
    }

    /** {@code select c, sum(v) as n from S group by c}. */
    private static PipelinePlan sums()
    {
        return plan("sums", new Operator.GroupedAggregate(key(), sum(), null, fields(), output()));
    }

    private static PipelinePlan window(final Operator.Window window)
    {
        return plan("window", new Operator.WindowAggregate(window, key(), sum(), null, fields(), output()));
    }

    private static PipelineHarness harness(final PipelinePlan plan)
    {
        return new PipelineHarness(new PipelineCompiler().compile(plan), Map.of());
    }

    private static void send(final PipelineHarness to, final long timeNs, final String c, final long v)
    {
        to.onRows(List.of(new PlanInterpreter.Row(Arrays.asList(c, v), timeNs, null)), false);
    }

    private static void read(final PipelineHarness to, final byte[] state)
    {
        final StateInput from = new StateInput(state);
        to.pipeline.read(from);
        from.end();
    }

    private static List<List<Object>> taken(final PipelineHarness of)
    {
        final List<List<Object>> rows = new ArrayList<>();
        of.results.get("q").forEach(row -> rows.add(row.values()));
        of.results.get("q").clear();
        return rows;
    }

    @Test
    void shouldPutPartitionsBesideThoseThatAreThere()
    {
        final PipelineHarness first = harness(sums());
        send(first, 1, "a", 1);
        send(first, 2, "b", 2);
        final PipelineHarness second = harness(sums());
        send(second, 1, "x", 10);
        read(second, first.written(HALF));
        read(second, first.written(OTHERS));
        taken(second);
        send(second, 3, "a", 4);
        send(second, 4, "b", 4);
        send(second, 5, "x", 4);
        assertThat(taken(second)).containsExactly(List.of("a", 5L), List.of("b", 6L), List.of("x", 14L));
    }

    @Test
    void shouldBeginAnewWithPartitionsThatItHasForgotten()
    {
        final PipelineHarness harness = harness(sums());
        send(harness, 1, "a", 1);
        send(harness, 2, "b", 2);
        harness.pipeline.forget(HALF);
        taken(harness);
        send(harness, 3, "a", 4);
        send(harness, 4, "b", 4);
        // The hash of b is even.
        assertThat(taken(harness)).containsExactly(List.of("a", 5L), List.of("b", 4L));
    }

    @Test
    void shouldMergeRowsOfWindowsByTime()
    {
        final PipelinePlan plan = window(new Operator.Window(100, 0));
        final PipelineHarness first = harness(plan);
        send(first, 10, "a", 1);
        send(first, 30, "a", 2);
        final PipelineHarness second = harness(plan);
        send(second, 20, "b", 4);
        send(second, 40, "b", 8);
        read(second, first.written(PartitionSelection.ALL));
        taken(second);
        // The second row of a is still in the window.
        second.onHeartbeat(125);
        assertThat(taken(second)).containsExactly(List.of("a", 2L), List.of("b", 8L));
    }

    @Test
    void shouldRefuseStateOfAKeyThatIsThere()
    {
        for (final PipelinePlan plan : List.of(sums(), window(new Operator.Window(100, 0))))
        {
            final PipelineHarness first = harness(plan);
            send(first, 1, "a", 1);
            final PipelineHarness second = harness(plan);
            send(second, 1, "a", 1);
            final byte[] state = first.written(PartitionSelection.ALL);
            assertThatThrownBy(() -> read(second, state)).isInstanceOf(StateException.class)
                .hasMessageContaining("already").hasMessageContaining("queries=[q]");
        }
    }

    @Test
    void shouldRefuseToTellApartWhatPartitionsShare()
    {
        final PipelineHarness last = harness(window(new Operator.Window(0, 3)));
        send(last, 1, "a", 1);
        assertThatThrownBy(() -> last.written(HALF)).isInstanceOf(StateException.class)
            .hasMessageContaining("cannot be separated by partition").hasMessageContaining("queries=[q]");
        final PipelineHarness sums = harness(sums());
        send(sums, 1, "a", 1);
        assertThatThrownBy(() -> sums.written(PartitionSelection.of(1, new HalfOfPartitions())))
            .isInstanceOf(StateException.class).hasMessageContaining("cannot be separated by partition")
            .hasMessageContaining("column=1");
    }

    @Test
    void shouldRefuseStateOfAnotherPlan()
    {
        final byte[] state = harness(window(new Operator.Window(100, 0))).written(PartitionSelection.ALL);
        assertThatThrownBy(() -> read(harness(window(new Operator.Window(101, 0))), state))
            .isInstanceOf(StateException.class).hasMessageContaining("another plan");
        assertThatThrownBy(() -> read(harness(sums()), state)).isInstanceOf(StateException.class)
            .hasMessageContaining("another plan");
    }

    @Test
    void shouldWriteTheSameBytesAgain()
    {
        final PipelineHarness first = harness(sums());
        send(first, 1, "a", 1);
        send(first, 2, null, 2);
        send(first, 3, "c", 3);
        final PipelineHarness second = harness(sums());
        final byte[] state = first.written(PartitionSelection.ALL);
        read(second, state);
        assertThat(second.written(PartitionSelection.ALL)).isEqualTo(state);
    }
}
