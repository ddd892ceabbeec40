package dev.millrace.cql.compiler.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.compiler.unit.DiscardSupport;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.expression.PatternExpression.Navigation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pattern after a filter discards partitions before they return, also in the instant of their last row. */
@Timeout(60)
class PatternForgetTest
{
    private static final EventType TYPE =
        EventType.tuple("Row", new EventProperty("k", CqlType.INT), new EventProperty("v", CqlType.INT));
    private static final RowType ROWS = new RowType(List.of("k", "v"), List.of(CqlType.INT, CqlType.INT));
    private static final EventType OUT =
        EventType.tuple("Out", new EventProperty("a", CqlType.INT), new EventProperty("b", CqlType.INT));

    private final List<String> lines = new ArrayList<>();
    private FlowEngine engine;

    private static Navigation v(final int variable)
    {
        return new Navigation(1L << variable, End.LAST, 0, 0, -1, true, 1, CqlType.INT);
    }

    /** {@code partition by k pattern (A B) define B as B.v > A.v} over the rows whose number is not negative. */
    @BeforeEach
    void compile()
    {
        final FlowNode.Source source = new FlowNode.Source("S", TYPE, ROWS, false, List.of(),
            FlowNode.TimeKind.APPLICATION, false, false);
        final FlowNode filter = new FlowNode.Calc(source, new Call(Operation.GREATER_OR_EQUAL,
            List.of(new Column(1, CqlType.INT, true), new Literal(0, CqlType.INT)), CqlType.BOOLEAN, true), null);
        final FlowNode match = new FlowNode.Match(filter, new PatternSpec(List.of(0), List.of("A", "B"),
            Arrays.asList(null, new Call(Operation.GREATER, List.of(v(1), v(0)), CqlType.BOOLEAN, true)),
            new PatternSpec.Sequence(List.of(new PatternSpec.Variable(0), new PatternSpec.Variable(1))),
            List.of(new Field("a", v(0)), new Field("b", v(1))), false, 0, false, 0, -1, false,
            PatternSpec.Skip.PAST_LAST_ROW, 0, PatternSpec.RowsPerMatch.ONE_WITHOUT_EMPTY));
        final Map<FlowNode, Integer> columns = new IdentityHashMap<>();
        List.of(source, filter, match).forEach(node -> columns.put(node, 0));
        engine = new FlowCompiler().compile(new FlowPlan("test", List.of(source),
            List.of(new FlowPlan.Output("q", match, true, OUT))), new DiscardSupport(columns, false))
            .instantiate(new FlowBindings(Map.of("q", new BatchSchema(OUT)),
                Map.of("q", this::collect), Map.of(), Map.of(), (count, reason, detail) -> lines.add(reason), 1000));
    }

    private void collect(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            lines.add(out.timestampNs(row) + " " + out.value(0, row) + ' ' + out.value(1, row));
        }
    }

    private void row(final long timeNs, final int k, final int v)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        batch.ints(0)[0] = k;
        batch.ints(1)[0] = v;
        batch.baseTimestampNs(timeNs);
        batch.size(1);
        engine.onBatch(0, batch);
    }

    private void heartbeat(final long timeNs)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        batch.baseTimestampNs(timeNs);
        engine.onBatch(0, batch);
    }

    private void forget(final int k)
    {
        engine.forget(0, new PartitionPredicate()
        {
            @Override
            public boolean ofNull()
            {
                return false;
            }

            @Override
            public boolean ofString(final String value)
            {
                return false;
            }

            @Override
            public boolean ofLong(final long value)
            {
                return value == k;
            }

            @Override
            public boolean ofFloat(final float value)
            {
                return false;
            }

            @Override
            public boolean ofDouble(final double value)
            {
                return false;
            }
        });
    }

    @Test
    void shouldKeepAPartitionApartThatComesBackInTheInstantOfItsLastRow()
    {
        row(1000, 1, 1);
        row(1000, 2, 1);
        forget(1);
        row(1000, 1, 2);
        row(1000, 2, 2);
        row(2000, 1, 3);
        heartbeat(9000);
        assertThat(lines).containsExactly("1000 1 2", "2000 2 3");
    }

    @Test
    void shouldForgetAPartitionThatComesBackLater()
    {
        row(1000, 1, 1);
        forget(1);
        row(2000, 1, 2);
        row(3000, 1, 3);
        heartbeat(9000);
        assertThat(lines).containsExactly("3000 2 3");
    }
}
