package dev.millrace.cql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.Operator.AggregateFunction;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Groups of windows compared with their definition: at each instant the window's rows are looked up in the whole input,
 * the groups are computed from scratch, and exactly the difference to the previous instant must have been emitted.
 *
 * <p>Strings arrive as codes, bytes or objects, and codes of groups are reassigned at once, or after a while, so that
 * state left at a released code would be detected. {@code -Dcases=100000} tries more than the build.
 */
@Tag("slow")
@Timeout(120)
class RandomWindowTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("c", CqlType.CHAR),
        new EventProperty("i", CqlType.INT), new EventProperty("l", CqlType.BIGINT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("f", CqlType.FLOAT));
    private static final int BLOCKS = 8;
    private static final int CASES = Integer.getInteger("cases", 60 * BLOCKS);
    private static final CqlType[] TYPES =
        {CqlType.CHAR, CqlType.INT, CqlType.BIGINT, CqlType.DOUBLE, CqlType.FLOAT};

    /** A visible row and when it changed. */
    private record Change(long timeNs, boolean enters, List<Object> values)
    {
    }

    /** The case to run. */
    private record Case(Operator.Window window, int key, List<Operator.Aggregate> aggregates, long leastRows,
        boolean relation, long leastInput)
    {
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldPutOutWhatTheDefinitionSays(final long block)
    {
        check(block, false);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGoOnWithWhatOtherInstancesHaveWritten(final long block)
    {
        check(block, true);
    }

    private static void check(final long block, final boolean restarts)
    {
        for (long seed = block * 100_000; seed < block * 100_000 + CASES / BLOCKS; seed++)
        {
            final Random random = new Random(seed);
            final Case given = newCase(random);
            final List<PlanInterpreter.Row> rows = rows(random);
            final List<Long> beats = new ArrayList<>();
            final List<Change> actual = run(given, rows, random, beats, restarts ? new Random(seed) : null);
            assertThat(actual).extracting(Change::timeNs).as("seed %d %s", seed, given).isSorted();
            final List<String> found = sorted(actual);
            final List<String> wanted = sorted(expected(given, rows, beats));
            for (int i = 0; i < Math.min(found.size(), wanted.size()); i++)
            {
                assertThat(found.get(i)).as("seed %d change %d %s", seed, i, given).isEqualTo(wanted.get(i));
            }
            assertThat(found).as("seed %d %s", seed, given).hasSameSizeAs(wanted);
        }
    }

    /** The order of different groups within an instant is undefined. */
    private static List<String> sorted(final List<Change> changes)
    {
        return changes.stream().sorted(Comparator.comparing(Change::timeNs).thenComparing(Change::toString))
            .map(Change::toString).toList();
    }

    private static Case newCase(final Random random)
    {
        final Operator.Window window = random.nextBoolean() ? new Operator.Window(1 + random.nextInt(60), 0) :
            new Operator.Window(0, 1 + random.nextInt(40));
        final List<Operator.Aggregate> aggregates = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++)
        {
            aggregates.add(aggregate(random));
        }
        return new Case(window, random.nextInt(4) - 1, aggregates, random.nextInt(3), random.nextBoolean(),
            random.nextInt(3) == 0 ? random.nextInt(10) - 5 : Long.MIN_VALUE);
    }

    private static Operator.Aggregate aggregate(final Random random)
    {
        final int column = 1 + random.nextInt(4);
        final Expression argument = new Expression.Column(column, TYPES[column], true);
        return switch (random.nextInt(5))
        {
            case 0 -> new Operator.Aggregate(AggregateFunction.COUNT, null, CqlType.BIGINT);
            case 1 -> new Operator.Aggregate(AggregateFunction.COUNT, argument, CqlType.BIGINT);
            case 2 -> new Operator.Aggregate(
                AggregateFunction.COUNT, new Expression.Column(0, CqlType.CHAR, true), CqlType.BIGINT);
            case 3 -> new Operator.Aggregate(AggregateFunction.SUM, argument, TYPES[column]);
            default -> new Operator.Aggregate(AggregateFunction.AVG, argument,
                column == 3 ? CqlType.DOUBLE : CqlType.FLOAT);
        };
    }

    /** Numbers are quarters, so that every order of adding gives the same sum. */
    private static List<PlanInterpreter.Row> rows(final Random random)
    {
        final List<PlanInterpreter.Row> rows = new ArrayList<>();
        final int nulls = random.nextInt(3);
        final boolean odd = random.nextInt(4) == 0;
        final boolean origins = random.nextBoolean();
        final int groups = 1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 6);
        final String text = random.nextBoolean() ? "g" : "group of more than 24 bytes ".substring(random.nextInt(28));
        final int gap = 1 + random.nextInt(12);
        long timeNs = random.nextInt(100);
        for (int i = random.nextInt(400); i >= 0; i--)
        {
            timeNs += 1 + random.nextInt(gap);
            final List<Object> values = new ArrayList<>();
            values.add(text + random.nextInt(groups));
            values.add(random.nextInt(groups) - 1);
            values.add((long)random.nextInt(groups));
            values.add(odd && random.nextInt(8) == 0 ? oddNumber(random) : (random.nextInt(41) - 20) / 4.0);
            values.add(odd && random.nextInt(8) == 0 ? (Float)(float)(double)oddNumber(random) :
                (Float)((random.nextInt(41) - 20) / 4.0F));
            for (int column = 0; column < values.size(); column++)
            {
                if (nulls > 0 && random.nextInt(4 * nulls) == 0)
                {
                    values.set(column, null);
                }
            }
            rows.add(new PlanInterpreter.Row(values, timeNs, origins ? timeNs * 10 : null));
        }
        return rows;
    }

    private static Double oddNumber(final Random random)
    {
        return switch (random.nextInt(3))
        {
            case 0 -> Double.NaN;
            case 1 -> Double.POSITIVE_INFINITY;
            default -> Double.NEGATIVE_INFINITY;
        };
    }

    private static List<Field> fields(final Case given)
    {
        final List<Field> fields = new ArrayList<>();
        if (given.key >= 0)
        {
            fields.add(new Field("k", new Expression.KeyValue(0, TYPES[given.key], true)));
        }
        for (int i = 0; i < given.aggregates.size(); i++)
        {
            fields.add(new Field("a" + i, new Expression.AggregateValue(i, given.aggregates.get(i).type(), true)));
        }
        return fields;
    }

    private static List<Change> run(final Case given, final List<PlanInterpreter.Row> rows, final Random random,
        final List<Long> beats, final Random restarts)
    {
        final List<Field> fields = fields(given);
        final EventType out = EventType.tuple("Out", fields.stream()
            .map(field -> new EventProperty(field.name(), field.expression().type())).toArray(EventProperty[]::new));
        final List<Operator.Aggregate> aggregates = new ArrayList<>(given.aggregates);
        aggregates.add(new Operator.Aggregate(AggregateFunction.COUNT, null, CqlType.BIGINT));
        final Expression having = given.leastRows == 0 ? null : SignalPlans.call(Operation.GREATER_OR_EQUAL,
            CqlType.BOOLEAN, new Expression.AggregateValue(aggregates.size() - 1, CqlType.BIGINT, true),
            new Expression.Literal(given.leastRows, CqlType.BIGINT));
        final Operator window = new Operator.WindowAggregate(given.window, given.key < 0 ? List.of() :
            List.of(new Expression.Column(given.key, TYPES[given.key], true)), aggregates, having, fields,
            List.of(new Operator.Output("q", out, given.relation ? Operator.OutputKind.RELATION :
                Operator.OutputKind.STREAM)));
        final Operator root = given.leastInput == Long.MIN_VALUE ? window : new Operator.Calc(
            SignalPlans.call(Operation.GREATER_OR_EQUAL, CqlType.BOOLEAN, new Expression.Column(1, CqlType.INT, true),
                new Expression.Literal((int)given.leastInput, CqlType.INT)),
            IntStream.range(0, TYPES.length).mapToObj(
                i -> new Field("c" + i, new Expression.Column(i, TYPES[i], true))).toList(), List.of(window));
        final PipelineHarness harness = new PipelineHarness(new PipelineCompiler().compile(
            new PipelinePlan("q", "S", TYPE, OrderingConstraint.ORDERED, -1, List.of(root))), Map.of(),
            random.nextInt(3) * random.nextInt(300));
        harness.restarts(restarts);
        feed(harness, rows, random, beats);
        assertThat(harness.rejected()).isZero();
        return harness.results.get("q").stream().map(row -> new Change(row.timeNs(),
            row.kind() == EventBatch.INSERT, row.values())).toList();
    }

    private static void feed(final PipelineHarness harness, final List<PlanInterpreter.Row> rows, final Random random,
        final List<Long> beats)
    {
        for (int from = 0; from < rows.size();)
        {
            final int to = Math.min(rows.size(), from + 1 + random.nextInt(random.nextBoolean() ? 5 : 200));
            harness.texts(PipelineHarness.TextForm.values()[random.nextInt(3)]);
            harness.onRows(rows.subList(from, to), false);
            from = to;
            if (random.nextInt(3) == 0)
            {
                final long next = from < rows.size() ? rows.get(from).timeNs() - 1 :
                    rows.get(from - 1).timeNs() + random.nextInt(100);
                beats.add(next);
                harness.onHeartbeat(next);
            }
        }
    }

    private static List<Change> expected(
        final Case given, final List<PlanInterpreter.Row> all, final List<Long> beats)
    {
        final long end = Math.max(all.get(all.size() - 1).timeNs(),
            beats.isEmpty() ? Long.MIN_VALUE : beats.get(beats.size() - 1));
        final List<PlanInterpreter.Row> rows = all.stream().filter(row -> given.leastInput == Long.MIN_VALUE ||
            row.values().get(1) != null && (Integer)row.values().get(1) >= given.leastInput).toList();
        final Set<Long> instants = new TreeSet<>();
        for (final PlanInterpreter.Row row : rows)
        {
            instants.add(row.timeNs());
            instants.add(row.timeNs() + given.window.rangeNs());
        }
        final List<Change> changes = new ArrayList<>();
        Map<Object, List<Object>> before = new LinkedHashMap<>();
        if (given.key < 0)
        {
            before = visible(given, List.of());
            before.values().forEach(row -> changes.add(new Change(Long.MIN_VALUE, true, row)));
        }
        for (final long instant : instants)
        {
            if (instant <= end)
            {
                final Map<Object, List<Object>> after = visible(given, inWindow(given, rows, instant));
                difference(given, instant, before, after, changes);
                before = after;
            }
        }
        return changes;
    }

    private static List<PlanInterpreter.Row> inWindow(
        final Case given, final List<PlanInterpreter.Row> rows, final long instant)
    {
        final List<PlanInterpreter.Row> come = rows.stream().filter(row -> row.timeNs() <= instant).toList();
        return given.window.rangeNs() > 0 ?
            come.stream().filter(row -> row.timeNs() + given.window.rangeNs() > instant).toList() :
            come.subList((int)Math.max(0, come.size() - given.window.rows()), come.size());
    }

    private static Map<Object, List<Object>> visible(final Case given, final List<PlanInterpreter.Row> rows)
    {
        final Map<Object, List<PlanInterpreter.Row>> groups = new HashMap<>();
        if (given.key < 0)
        {
            groups.put("all", new ArrayList<>());
        }
        rows.forEach(row -> groups.computeIfAbsent(
            given.key < 0 ? "all" : row.values().get(given.key), key -> new ArrayList<>()).add(row));
        final Map<Object, List<Object>> visible = new HashMap<>();
        groups.forEach((key, members) ->
        {
            if (members.size() >= given.leastRows)
            {
                final List<Object> row = new ArrayList<>();
                if (given.key >= 0)
                {
                    row.add(key);
                }
                given.aggregates.forEach(each -> row.add(value(each, members)));
                visible.put(key, row);
            }
        });
        return visible;
    }

    private static Object value(final Operator.Aggregate each, final List<PlanInterpreter.Row> members)
    {
        if (each.argument() == null)
        {
            return (long)members.size();
        }
        final int column = ((Expression.Column)each.argument()).column();
        final List<Object> values =
            members.stream().map(row -> row.values().get(column)).filter(Objects::nonNull).toList();
        if (each.function() == AggregateFunction.COUNT)
        {
            return (long)values.size();
        }
        final List<Number> numbers = values.stream().map(Number.class::cast).toList();
        if (numbers.isEmpty())
        {
            return null;
        }
        final double sum = numbers.stream().mapToDouble(Number::doubleValue).reduce(0, Double::sum);
        final double result = each.function() == AggregateFunction.AVG ? sum / numbers.size() : sum;
        return switch (each.type())
        {
            case INT -> (int)result;
            case BIGINT -> (long)result;
            case FLOAT -> (float)result;
            default -> result;
        };
    }

    private static void difference(final Case given, final long instant, final Map<Object, List<Object>> before,
        final Map<Object, List<Object>> after, final List<Change> changes)
    {
        final Set<Object> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (final Object key : keys)
        {
            final List<Object> was = before.get(key);
            final List<Object> is = after.get(key);
            if (!Objects.equals(was, is))
            {
                if (was != null && given.relation)
                {
                    changes.add(new Change(instant, false, was));
                }
                if (is != null)
                {
                    changes.add(new Change(instant, true, is));
                }
            }
        }
    }
}
