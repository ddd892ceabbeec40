package dev.millrace.cql.compiler.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Expression.Call;
import dev.millrace.cql.plan.expression.Expression.Column;
import dev.millrace.cql.plan.expression.Expression.Literal;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compiled flows, from batches in to batches out. */
@Tag("slow")
@Timeout(180)
class FlowCompilerTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("i", CqlType.INT),
        new EventProperty("b", CqlType.BIGINT), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("s", CqlType.CHAR),
        new EventProperty("t", CqlType.BOOLEAN), new EventProperty("m", CqlType.BIGDECIMAL));
    private static final RowType ROWS = new RowType(
        TYPE.properties().stream().map(EventProperty::name).toList(),
        TYPE.properties().stream().map(EventProperty::type).toList());
    private static final FlowNode.Source SOURCE = new FlowNode.Source("S", TYPE, ROWS, false, List.of(),
        FlowNode.TimeKind.APPLICATION_TOTAL_ORDER, false, false);
    private static final Expression I = new Column(0, CqlType.INT, true);
    private static final Expression B = new Column(1, CqlType.BIGINT, true);
    private static final Expression F = new Column(2, CqlType.FLOAT, true);
    private static final Expression D = new Column(3, CqlType.DOUBLE, true);
    private static final Expression S = new Column(4, CqlType.CHAR, true);
    private static final Expression T = new Column(5, CqlType.BOOLEAN, true);
    private static final Expression M = new Column(6, CqlType.BIGDECIMAL, true);
    private static final Object[] VALUES = {7, 8L, 1.5f, 2.5, "abc", true, new BigDecimal("10")};
    private static final Object[] NULLS = new Object[VALUES.length];

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Integer> rejected = new TreeMap<>();

    private FlowEngine engine(final FlowNode last, final boolean stream)
    {
        final EventProperty[] columns = new EventProperty[last.rows().size()];
        Arrays.setAll(columns, i -> new EventProperty("c" + i, last.rows().types().get(i)));
        final EventType type = EventType.tuple("Out", columns);
        return new FlowCompiler()
            .compile(new FlowPlan("test", List.of(SOURCE), List.of(new FlowPlan.Output("q", last, stream, type))))
            .instantiate(new FlowBindings(Map.of("q", new BatchSchema(type)),
                Map.of("q", this::collect), Map.of(), Map.of(),
                (rows, reason, detail) -> rejected.merge(reason, rows, Integer::sum), 1000));
    }

    private void collect(final EventBatch out)
    {
        for (int row = 0; row < out.size(); row++)
        {
            final StringBuilder line = new StringBuilder(
                out.timestampNs(row) + (out.kind(row) == EventBatch.DELETE ? " -" : " +"));
            for (int column = 0; column < out.schema().columnCount(); column++)
            {
                line.append(' ').append(out.value(column, row));
            }
            lines.add(line.toString());
        }
    }

    private void send(final FlowEngine engine, final long timeNs, final Object... values)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        for (int i = 0; i < values.length; i++)
        {
            batch.setValue(i, 0, values[i]);
        }
        batch.useTimestampPerRow()[0] = timeNs;
        batch.size(1);
        engine.onBatch(0, batch);
    }

    private static Expression call(final Operation operation, final CqlType type, final Expression... arguments)
    {
        return new Call(operation, List.of(arguments), type, true);
    }

    private static Expression number(final int value)
    {
        return new Literal(value, CqlType.INT);
    }

    private static Expression text(final String value)
    {
        return new Literal(value, CqlType.CHAR);
    }

    private static Expression condition(final Operation operation, final Expression... arguments)
    {
        return call(operation, CqlType.BOOLEAN, arguments);
    }

    private static Expression zeroDivision()
    {
        return condition(Operation.GREATER, call(Operation.DIVIDE, CqlType.INT, number(1), number(0)), number(0));
    }

    /** Functions that statements call. */
    public static final class Functions
    {
        private Functions()
        {
        }

        /** Never called with null. */
        public static String twice(final String value)
        {
            return value + value;
        }

        /** Called with null, too. */
        public static Integer orMinusOne(final Integer value)
        {
            return value == null ? -1 : value;
        }

        /** Takes any number. */
        public static String joined(final String... parts)
        {
            return String.join("+", parts);
        }

        /** Accepts and returns anything. */
        public static Object same(final Object value)
        {
            return value;
        }

        /** Throws. */
        public static int fails(final int value)
        {
            throw new IllegalArgumentException("no " + value);
        }
    }

    private static Expression function(
        final String name, final boolean nullsReach, final CqlType type, final Expression... arguments)
    {
        return new Expression.FunctionCall(
            new FunctionRef(name, Functions.class.getName(), name, null, nullsReach, true),
            List.of(arguments), type);
    }

    static Stream<Object[]> expressions()
    {
        final Expression unknown = condition(Operation.GREATER, new Literal(null, CqlType.INT), number(1));
        final Expression yes = new Literal(true, CqlType.BOOLEAN);
        final Expression no = new Literal(false, CqlType.BOOLEAN);
        return Stream.of(new Object[][]{
            {call(Operation.ADD, CqlType.INT, I, number(3)), "10", "null"},
            {call(Operation.SUBTRACT, CqlType.BIGINT, B, new Literal(10L, CqlType.BIGINT)), "-2", "null"},
            {call(Operation.MULTIPLY, CqlType.FLOAT, F, F), "2.25", "null"},
            {call(Operation.DIVIDE, CqlType.DOUBLE, D, new Literal(0.0, CqlType.DOUBLE)), "Infinity", "null"},
            {call(Operation.DIVIDE, CqlType.INT, I, number(2)), "3", "null"},
            {call(Operation.DIVIDE, CqlType.BIGDECIMAL, M, new Literal(new BigDecimal(4), CqlType.BIGDECIMAL)), "2.5",
                "null"},
            {call(Operation.ADD, CqlType.INT, number(Integer.MAX_VALUE), number(1)), "-2147483648", "-2147483648"},
            {call(Operation.NEGATE, CqlType.DOUBLE, D), "-2.5", "null"},
            {call(Operation.NEGATE, CqlType.BIGDECIMAL, M), "-10", "null"},
            {call(Operation.CONVERT, CqlType.CHAR, F), "1.5", "null"},
            {call(Operation.CONVERT, CqlType.CHAR, T), "true", "null"},
            {call(Operation.CONVERT, CqlType.DOUBLE, I), "7.0", "null"},
            {call(Operation.CONVERT, CqlType.BIGDECIMAL, F), "1.5", "null"},
            {call(Operation.CONVERT, CqlType.TIMESTAMP, text("01/02/1970 00:00:01")), "86401000000000",
                "86401000000000"},
            {call(Operation.CONVERT, CqlType.INTERVAL, text("1 00:00:00.5")), "86400500000000", "86400500000000"},
            {call(Operation.CONCAT, CqlType.CHAR, S, text("x")), "abcx", "x"},
            {call(Operation.CONCAT, CqlType.CHAR, S, new Literal(null, CqlType.CHAR)), "abc", "null"},
            {condition(Operation.EQUAL, S, text("abc")), "true", "null"},
            {condition(Operation.LESS, S, text("abd")), "true", "null"},
            {condition(Operation.NOT_EQUAL, M, new Literal(new BigDecimal("10.0"), CqlType.BIGDECIMAL)), "false",
                "null"},
            {condition(Operation.GREATER_OR_EQUAL, I, number(7)), "true", "null"},
            {condition(Operation.LIKE, S, text("b")), "true", "null"},
            {condition(Operation.IN, I, number(1), number(7)), "true", "null"},
            {condition(Operation.IN, I, number(1), new Literal(null, CqlType.INT)), "null", "null"},
            {condition(Operation.IN, I, number(7), new Literal(null, CqlType.INT)), "true", "null"},
            {condition(Operation.IS_NULL, S), "false", "true"},
            {condition(Operation.IS_NOT_NULL, I), "true", "false"},
            {condition(Operation.NOT, T), "false", "null"},
            {condition(Operation.XOR, T, no), "true", "null"},
            {condition(Operation.AND, unknown, no), "false", "false"},
            {condition(Operation.AND, unknown, yes), "null", "null"},
            {condition(Operation.AND, yes, T, yes), "true", "null"},
            {condition(Operation.AND, no, zeroDivision()), "false", "false"},
            {condition(Operation.OR, unknown, yes), "true", "true"},
            {condition(Operation.OR, unknown, no), "null", "null"},
            {condition(Operation.OR, yes, zeroDivision()), "true", "true"},
            {new Expression.Case(List.of(condition(Operation.GREATER, I, number(5)), zeroDivision()),
                List.of(text("big"), text("never")), text("small"), CqlType.CHAR), "big", "rejected"},
            {new Expression.Case(List.of(condition(Operation.GREATER, I, number(50))), List.of(I),
                new Literal(null, CqlType.INT), CqlType.INT), "null", "null"},
            {function("twice", false, CqlType.CHAR, S), "abcabc", "null"},
            {function("orMinusOne", true, CqlType.INT, I), "7", "-1"},
            {function("joined", false, CqlType.CHAR, S, text("x"), S), "abc+x+abc", "null"},
            {function("joined", false, CqlType.CHAR, S), "abc", "null"},
            {function("same", true, CqlType.INT, I), "7", "null"},
            {function("fails", false, CqlType.INT, I), "rejected", "null"},
            {function("twice", false, CqlType.INT, S), "rejected", "null"},
            {zeroDivision(), "rejected", "rejected"}});
    }

    @ParameterizedTest
    @MethodSource("expressions")
    void shouldComputeExpressionsWithAndWithoutNulls(
        final Expression expression, final String value, final String ofNulls)
    {
        final FlowEngine engine = engine(new FlowNode.Calc(SOURCE, null, List.of(new Field("c", expression))), true);
        send(engine, 1, VALUES);
        assertThat(lines.isEmpty() ? "rejected" : lines.remove(0)).isEqualTo(line(1, value));
        send(engine, 2, NULLS);
        assertThat(lines.isEmpty() ? "rejected" : lines.remove(0)).isEqualTo(line(2, ofNulls));
    }

    private static String line(final int timeNs, final String value)
    {
        return value.equals("rejected") ? value : timeNs + " + " + value;
    }

    @Test
    void shouldRunWindowGroupAndHavingWhenChained()
    {
        final FlowNode group = new FlowNode.Group(new FlowNode.Window(SOURCE, new WindowSpec.Range(5, 0)),
            List.of(4), List.of(new FlowNode.Aggregate("sum", List.of(0), false, CqlType.INT, -1),
            new FlowNode.Aggregate("count", List.of(), false, CqlType.BIGINT, -1)),
            new RowType(List.of("s", "sum", "n"), List.of(CqlType.CHAR, CqlType.INT, CqlType.BIGINT)));
        final FlowEngine engine = engine(new FlowNode.Calc(group, condition(Operation.GREATER,
            new Column(1, CqlType.INT, true), number(5)), null), false);
        send(engine, 1, 4, null, null, null, "a", null, null);
        send(engine, 2, 9, null, null, null, "b", null, null);
        send(engine, 3, 3, null, null, null, "a", null, null);
        send(engine, 20, 1, null, null, null, "c", null, null);
        assertThat(lines).containsExactly("2 + b 9 1", "3 + a 7 2", "6 - a 7 2", "7 - b 9 1");
        assertThat(rejected).isEmpty();
    }

    @Test
    void shouldKeepWhatTheBeginningPutsOutUntilTheFirstInput()
    {
        final FlowNode window = new FlowNode.Window(SOURCE, new WindowSpec.Unbounded());
        final FlowNode group = new FlowNode.Group(window, List.of(), List.of(
            new FlowNode.Aggregate("count", List.of(), false, CqlType.BIGINT, -1)),
            new RowType(List.of("n"), List.of(CqlType.BIGINT)));
        final FlowEngine engine = engine(group, false);
        assertThat(lines).isEmpty();
        send(engine, 5, VALUES);
        assertThat(lines).containsExactly(Long.MIN_VALUE + " + 0", "5 - 0", "5 + 1");
    }

    @Test
    void shouldGiveWholeRelationWhenStreamedOverAJoin()
    {
        final FlowNode join = new FlowNode.Join(new FlowNode.Window(SOURCE, new WindowSpec.Now()),
            new FlowNode.Window(SOURCE, new WindowSpec.Rows(2, 1)), FlowNode.JoinKind.LEFT, List.of(4), List.of(4),
            condition(Operation.NOT_EQUAL, I, new Column(ROWS.size(), CqlType.INT, true)));
        final FlowNode both = new FlowNode.Calc(join, null, List.of(new Field("a", I),
            new Field("b", new Column(ROWS.size(), CqlType.INT, true))));
        final FlowEngine engine = engine(new FlowNode.ToStream(both, FlowNode.StreamKind.RSTREAM, List.of()), true);
        send(engine, 1, 1, null, null, null, "a", null, null);
        send(engine, 3, 2, null, null, null, "a", null, null);
        send(engine, 5, 3, null, null, null, "b", null, null);
        assertThat(lines).containsExactly("1 + 1 null", "3 + 2 1", "5 + 3 null");
    }

    @Test
    void shouldGiveUpThePatternWhenItExplodes()
    {
        final FlowEngine engine = engine(new FlowNode.Calc(SOURCE,
            condition(Operation.LIKE, S, text("(x+x+)+\\1y")), null), true);
        send(engine, 1, 1, null, null, null, "x".repeat(60), null, null);
        assertThat(rejected).containsExactly(Map.entry("pattern-too-slow", 1));
    }

    @Test
    void shouldSplitTheMethodWhenThereAreThousandsOfColumns()
    {
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < 5_000; i++)
        {
            fields.add(new Field("c" + i, call(Operation.ADD, CqlType.INT, I, number(i))));
        }
        final FlowEngine engine = engine(new FlowNode.Calc(SOURCE, null, fields), true);
        send(engine, 1, VALUES);
        assertThat(lines.get(0)).startsWith("1 + 7 8 9").endsWith(" 5006");
    }

    @Test
    void shouldServeOtherQueriesAndKeepStateWhenAStageBelowFails()
    {
        final FlowNode group = new FlowNode.Group(new FlowNode.Window(SOURCE, new WindowSpec.Unbounded()), List.of(0),
            List.of(new FlowNode.Aggregate("count", List.of(), false, CqlType.BIGINT, -1)),
            new RowType(List.of("i", "n"), List.of(CqlType.INT, CqlType.BIGINT)));
        final FlowNode all = new FlowNode.Group(group, List.of(),
            List.of(new FlowNode.Aggregate("sum", List.of(1), false, CqlType.BIGINT, -1)),
            new RowType(List.of("n"), List.of(CqlType.BIGINT)));
        final EventType counts = EventType.tuple("Counts", new EventProperty("i", CqlType.INT),
            new EventProperty("n", CqlType.BIGINT));
        final EventType sum = EventType.tuple("Sum", new EventProperty("n", CqlType.BIGINT));
        final AtomicInteger failures = new AtomicInteger();
        final FlowEngine engine = new FlowCompiler().compile(new FlowPlan("test", List.of(SOURCE), List.of(
                new FlowPlan.Output("failing", group, false, counts), new FlowPlan.Output("q", all, false, sum))))
            .instantiate(new FlowBindings(Map.of("failing", new BatchSchema(counts),
                "q", new BatchSchema(sum)), Map.of("q", this::collect, "failing", batch ->
                {
                    failures.incrementAndGet();
                    throw new IllegalStateException("the stage below fails");
                }), Map.of(), Map.of(), (rows, reason, detail) -> rejected.merge(reason, rows, Integer::sum), 1000));
        final EventBatch batch = new EventBatch(new BatchSchema(TYPE));
        for (int row = 0; row < EventBatch.CAPACITY; row++)
        {
            batch.ints(0)[row] = 7;
            batch.useTimestampPerRow()[row] = row;
        }
        batch.size(EventBatch.CAPACITY);
        assertThatThrownBy(() -> engine.onBatch(0, batch)).hasMessage("the stage below fails");
        assertThat(failures).as("an old and a new row each but for the first").hasValue(2);
        assertThat(lines).last().isEqualTo(EventBatch.CAPACITY - 1 + " + " + EventBatch.CAPACITY);
        assertThatThrownBy(() -> send(engine, 2000, VALUES)).hasMessage("the stage below fails");
        assertThat(lines).last().isEqualTo("2000 + " + (EventBatch.CAPACITY + 1));
        assertThat(rejected).isEmpty();
    }
}
