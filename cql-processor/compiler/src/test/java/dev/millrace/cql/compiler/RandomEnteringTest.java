package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that are new in a window, compared with the definition: at each instant the bag of the window's rows is built
 * from the whole input, and exactly the rows that it has in addition to the bag of the previous instant must have been
 * emitted.
 */
@Tag("slow")
@Timeout(120)
class RandomEnteringTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("c", CqlType.CHAR),
        new EventProperty("i", CqlType.INT), new EventProperty("b", CqlType.BOOLEAN),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("f", CqlType.FLOAT));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldPutOutWhatTheWindowHasMoreOfThanBefore(final long block)
    {
        check(block, false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldGoOnWithWhatOtherInstancesHaveWritten(final long block)
    {
        check(block, true);
    }

    private static void check(final long block, final boolean restarts)
    {
        int cancelled = 0;
        for (long seed = block * 100_000; seed < block * 100_000 + 100; seed++)
        {
            final Random random = new Random(seed);
            final Operator.Window window = random.nextBoolean() ? new Operator.Window(1 + random.nextInt(20), 0) :
                new Operator.Window(0, 1 + random.nextInt(10));
            final int columns = 1 + random.nextInt(TYPE.properties().size());
            final int least = random.nextInt(3) - 1;
            final List<PlanInterpreter.Row> rows = rows(random);
            final List<String> actual = run(window, columns, least, rows, random,
                restarts ? new Random(seed) : null);
            final List<PlanInterpreter.Row> kept = rows.stream().filter(row -> row.values().get(1) != null &&
                (Integer)row.values().get(1) >= least).toList();
            final List<String> expected = expected(window, columns, kept);
            assertThat(actual).as("seed %d %s", seed, window).isEqualTo(expected);
            cancelled += kept.size() - expected.size();
        }
        assertThat(cancelled).as("rows that cancel each other").isPositive();
    }

    private static List<PlanInterpreter.Row> rows(final Random random)
    {
        final int nulls = random.nextInt(3);
        final int gap = 1 + random.nextInt(4);
        final int values = 1 + random.nextInt(3);
        final List<PlanInterpreter.Row> rows = new ArrayList<>();
        long timeNs = random.nextInt(5) == 0 ? Long.MIN_VALUE : random.nextInt(100);
        for (int i = random.nextInt(300); i >= 0; i--)
        {
            timeNs += 1 + random.nextInt(gap);
            final List<Object> row = new ArrayList<>();
            row.add("g" + random.nextInt(values));
            row.add(random.nextInt(values));
            row.add(random.nextInt(values) == 0);
            row.add(new double[] {0.0, -0.0, Double.NaN}[random.nextInt(values)]);
            row.add(new float[] {-0.0F, 0.0F, Float.NaN}[random.nextInt(values)]);
            for (int column = 0; column < row.size(); column++)
            {
                if (nulls > 0 && random.nextInt(4 * nulls) == 0)
                {
                    row.set(column, null);
                }
            }
            rows.add(new PlanInterpreter.Row(row, timeNs, null));
        }
        return rows;
    }

    private static List<String> run(final Operator.Window window, final int columns, final int least,
        final List<PlanInterpreter.Row> rows, final Random random, final Random restarts)
    {
        final List<Field> fields = IntStream.range(0, columns).mapToObj(column -> new Field("c" + column,
            new Expression.Column(column, TYPE.properties().get(column).type(), true))).toList();
        final EventType out = EventType.tuple("Out", fields.stream()
            .map(field -> new EventProperty(field.name(), field.expression().type())).toArray(EventProperty[]::new));
        final Operator root = new Operator.Calc(SignalPlans.call(Operation.GREATER_OR_EQUAL, CqlType.BOOLEAN,
            new Expression.Column(1, CqlType.INT, true), new Expression.Literal(least, CqlType.INT)), fields,
            List.of(new Operator.WindowIStream(window, fields,
                List.of(new Operator.Output("q", out, Operator.OutputKind.STREAM)))));
        final PipelineHarness harness = new PipelineHarness(new PipelineCompiler().compile(
            new PipelinePlan("q", "S", TYPE, OrderingConstraint.ORDERED, -1, List.of(root))), Map.of());
        harness.restarts(restarts);
        for (int from = 0; from < rows.size();)
        {
            final int to = Math.min(rows.size(), from + 1 + random.nextInt(random.nextBoolean() ? 5 : 200));
            harness.onRows(rows.subList(from, to), false);
            from = to;
            if (random.nextInt(3) == 0)
            {
                harness.onHeartbeat(from < rows.size() ? rows.get(from).timeNs() - 1 : rows.get(from - 1).timeNs());
            }
        }
        assertThat(harness.rejected()).isZero();
        return harness.results.get("q").stream().map(row -> text(row.timeNs(), row.values(), columns)).toList();
    }

    /** Equal rows have equal strings. */
    private static String text(final long timeNs, final List<Object> values, final int columns)
    {
        return timeNs + " " + values.subList(0, columns).stream().map(value -> value instanceof Double number ?
            (Object)(number + 0.0) : value instanceof Float number ? (Object)(number + 0.0F) : value).toList();
    }

    private static List<String> expected(
        final Operator.Window window, final int columns, final List<PlanInterpreter.Row> rows)
    {
        final List<String> changes = new ArrayList<>();
        List<String> before = List.of();
        for (int i = 0; i < rows.size(); i++)
        {
            final long timeNs = rows.get(i).timeNs();
            final List<String> after = inWindow(window, columns, rows.subList(0, i + 1), timeNs);
            // The bag at the nanosecond before, when no row arrived.
            final List<String> more = new ArrayList<>(after);
            (window.rangeNs() > 0 ? inWindow(window, columns, rows.subList(0, i), timeNs - 1) : before)
                .forEach(more::remove);
            more.forEach(row -> changes.add(timeNs + " " + row));
            before = after;
        }
        return changes;
    }

    private static List<String> inWindow(final Operator.Window window, final int columns,
        final List<PlanInterpreter.Row> come, final long timeNs)
    {
        final List<PlanInterpreter.Row> in = window.rangeNs() > 0 ?
            come.stream().filter(row -> timeNs - row.timeNs() < window.rangeNs()).toList() :
            come.subList((int)Math.max(0, come.size() - window.rows()), come.size());
        return in.stream().map(row -> text(0, row.values(), columns).substring(2)).toList();
    }
}
