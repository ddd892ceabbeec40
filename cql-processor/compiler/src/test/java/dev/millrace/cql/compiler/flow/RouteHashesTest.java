package dev.millrace.cql.compiler.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.runtime.row.RowHashes;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows find their engine by a value that is computed from them. */
@Timeout(60)
class RouteHashesTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("n", CqlType.INT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("t", CqlType.CHAR));
    private static final RowType ROWS = new RowType(List.of("n", "d", "t", "element_time"),
        List.of(CqlType.INT, CqlType.DOUBLE, CqlType.CHAR, CqlType.BIGINT));
    private static final FlowNode.Source SOURCE = new FlowNode.Source("S", TYPE, ROWS, false, List.of(),
        FlowNode.TimeKind.APPLICATION, false, true, -1);
    private static final BatchSchema SCHEMA = new BatchSchema(TYPE);

    /** The hashes of four rows: 12, 0.0 and "ab"; 0, -0.0 and null; null, 2.5 and "x"; -4, null, "ab". */
    private static long[] hashes(final Expression value)
    {
        final FlowPlan plan = new FlowPlan("test", List.of(SOURCE),
            List.of(new FlowPlan.Output("q", SOURCE, true, TYPE)), OrderingConstraint.PARTITION_ORDERED,
            List.of(FlowRoute.by(value)));
        final RowHashes hashes = new FlowCompiler().compile(plan).hashes(0, SCHEMA);
        final EventBatch batch = new EventBatch(SCHEMA);
        final Integer[] numbers = {12, 0, null, -4};
        final Double[] doubles = {0.0, -0.0, 2.5, null};
        final String[] texts = {"ab", null, "x", "ab"};
        for (int row = 0; row < numbers.length; row++)
        {
            if (numbers[row] == null)
            {
                batch.setNull(0, row);
            }
            else
            {
                batch.ints(0)[row] = numbers[row];
            }
            if (doubles[row] == null)
            {
                batch.setNull(1, row);
            }
            else
            {
                batch.doubles(1)[row] = doubles[row];
            }
            batch.texts(2).set(row, texts[row]);
            batch.useTimestampPerRow()[row] = 1000 + row;
        }
        batch.size(numbers.length);
        final long[] all = new long[EventBatch.CAPACITY];
        hashes.of(batch, all);
        return Arrays.copyOf(all, numbers.length);
    }

    private static Expression call(final Operation operation, final CqlType type, final Expression... arguments)
    {
        return new Call(operation, List.of(arguments), type, true);
    }

    private static Expression column(final int index)
    {
        return new Column(index, ROWS.types().get(index), true);
    }

    @Test
    void shouldHashNumbersByTheirValue()
    {
        assertThat(hashes(call(Operation.ADD, CqlType.INT, column(0), new Literal(1, CqlType.INT))))
            .containsExactly(13, 1, RowHashes.NULL, -3);
        assertThat(hashes(column(0))).as("a column as it is").containsExactly(12, 0, RowHashes.NULL, -4);
    }

    @Test
    void shouldHashEqualFloatingNumbersAlike()
    {
        final long[] computed = hashes(call(Operation.MULTIPLY, CqlType.DOUBLE, column(1),
            new Literal(-1.0, CqlType.DOUBLE)));
        assertThat(computed[0]).as("-0.0 and 0.0").isEqualTo(computed[1]);
        assertThat(computed[2]).isEqualTo(Double.doubleToLongBits(-2.5));
        assertThat(computed[3]).isEqualTo(RowHashes.NULL);
    }

    @Test
    void shouldHashTextsByTheirCharacters()
    {
        assertThat(hashes(call(Operation.CONCAT, CqlType.CHAR, column(2), new Literal("c", CqlType.CHAR))))
            .containsExactly("abc".hashCode(), "c".hashCode(), "xc".hashCode(), "abc".hashCode());
    }

    @Test
    void shouldHashTheTimeOfARow()
    {
        assertThat(hashes(column(3))).containsExactly(1000, 1001, 1002, 1003);
    }

    @Test
    void shouldKeepRowsTogetherWhoseValueCannotBeComputed()
    {
        assertThat(hashes(call(Operation.DIVIDE, CqlType.INT, new Literal(24, CqlType.INT), column(0))))
            .containsExactly(2, RowHashes.NULL, RowHashes.NULL, -6);
    }
}
