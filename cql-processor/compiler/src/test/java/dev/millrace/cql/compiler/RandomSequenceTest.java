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
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts and ends compared with their definition: every start is tested with every later row of its partition. */
@Tag("slow")
@Timeout(120)
class RandomSequenceTest
{
    private static final EventType TYPE = EventType.tuple("Row", new EventProperty("c", CqlType.CHAR),
        new EventProperty("i", CqlType.INT), new EventProperty("l", CqlType.BIGINT),
        new EventProperty("d", CqlType.DOUBLE), new EventProperty("f", CqlType.FLOAT),
        new EventProperty("n", CqlType.BIGINT));
    private static final CqlType[] TYPES =
        {CqlType.CHAR, CqlType.INT, CqlType.BIGINT, CqlType.DOUBLE, CqlType.FLOAT, CqlType.BIGINT};
    private static final Operation[] COMPARISONS = {Operation.LESS, Operation.LESS_OR_EQUAL, Operation.GREATER,
        Operation.GREATER_OR_EQUAL};

    /** The case to run. */
    private record Case(List<Integer> partitionBy, int column, int distance, Operation comparison,
        Operator.Between between, Operator.Within within, long leastStart, long leastGap, List<Field> fields)
    {
    }

    /** An emitted match. */
    private record Match(long timeNs, Long origin, List<Object> values)
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
        for (long seed = block * 100_000; seed < block * 100_000 + 80; seed++)
        {
            final Random random = new Random(seed);
            final Case given = newCase(random);
            final List<PlanInterpreter.Row> rows = rows(random, given.between == Operator.Between.ANY ? 200 : 1500);
            final List<Match> actual = run(given, rows, random, restarts ? new Random(seed) : null);
            final List<Match> wanted = expected(given, rows);
            for (int i = 0; i < Math.min(actual.size(), wanted.size()); i++)
            {
                assertThat(actual.get(i)).as("seed %d match %d %s", seed, i, given).isEqualTo(wanted.get(i));
            }
            assertThat(actual).as("seed %d %s", seed, given).hasSameSizeAs(wanted);
        }
    }

    private static Case newCase(final Random random)
    {
        final List<Field> fields = new ArrayList<>();
        fields.add(new Field("first", new Expression.PriorColumn(1, 5, CqlType.BIGINT, true)));
        fields.add(new Field("last", new Expression.PriorColumn(0, 5, CqlType.BIGINT, true)));
        for (int i = random.nextInt(4); i > 0; i--)
        {
            final int column = random.nextInt(TYPES.length);
            fields.add(new Field("m" + i, new Expression.PriorColumn(random.nextInt(2), column, TYPES[column], true)));
        }
        final long within = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(400);
        return new Case(List.of(List.<Integer>of(), List.of(0), List.of(1), List.of(1, 0)).get(random.nextInt(4)),
            1 + random.nextInt(4), random.nextInt(4) * random.nextInt(8) - 3, COMPARISONS[random.nextInt(4)],
            Operator.Between.values()[random.nextInt(3)], new Operator.Within(within, random.nextBoolean()),
            random.nextInt(3) == 0 ? random.nextInt(4) - 1 : Long.MIN_VALUE,
            random.nextInt(3) == 0 ? random.nextInt(20) : Long.MIN_VALUE, fields);
    }

    private static List<PlanInterpreter.Row> rows(final Random random, final int max)
    {
        final List<PlanInterpreter.Row> rows = new ArrayList<>();
        final int nulls = random.nextInt(3);
        final boolean odd = random.nextInt(4) == 0;
        final boolean origins = random.nextBoolean();
        final int groups = 1 + random.nextInt(6);
        final int gap = 1 + random.nextInt(12);
        long timeNs = random.nextInt(100);
        final int count = 1 + random.nextInt(max);
        for (int i = 0; i < count; i++)
        {
            timeNs += 1 + random.nextInt(gap);
            final List<Object> values = new ArrayList<>();
            values.add("g" + random.nextInt(groups));
            values.add(random.nextInt(41) / (1 + random.nextInt(8)) - 2);
            values.add(odd && random.nextInt(8) == 0 ? (Long)(random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE) :
                (Long)(long)(random.nextInt(41) - 20));
            values.add(odd && random.nextInt(8) == 0 ? oddNumber(random) : (random.nextInt(41) - 20) / 4.0);
            values.add(odd && random.nextInt(8) == 0 ? (Float)(float)oddNumber(random) :
                (Float)((random.nextInt(41) - 20) / 4.0F));
            for (int column = 0; column < values.size(); column++)
            {
                if (nulls > 0 && random.nextInt(40 * nulls) == 0)
                {
                    values.set(column, null);
                }
            }
            values.add((long)i);
            rows.add(new PlanInterpreter.Row(values, timeNs, origins ? timeNs * 10 : null));
        }
        return rows;
    }

    private static double oddNumber(final Random random)
    {
        return switch (random.nextInt(4))
        {
            case 0 -> Double.NaN;
            case 1 -> -0.0;
            case 2 -> Double.POSITIVE_INFINITY;
            default -> Double.NEGATIVE_INFINITY;
        };
    }

    private static Number literal(final CqlType type, final int value)
    {
        return switch (type)
        {
            case INT -> (Number)value;
            case BIGINT -> (Number)(long)value;
            case FLOAT -> (Number)(value / 4.0F);
            default -> (Number)(value / 4.0);
        };
    }

    private static Expression atLeast(final Expression left, final Object right)
    {
        return SignalPlans.call(Operation.GREATER_OR_EQUAL, CqlType.BOOLEAN, left,
            new Expression.Literal(right, left.type()));
    }

    private static List<Match> run(final Case given, final List<PlanInterpreter.Row> rows, final Random random,
        final Random restarts)
    {
        final EventType out = EventType.tuple("Out", given.fields.stream()
            .map(field -> new EventProperty(field.name(), field.expression().type())).toArray(EventProperty[]::new));
        final CqlType type = TYPES[given.column];
        final Expression bound = SignalPlans.call(Operation.ADD, type, new Expression.Column(given.column, type, true),
            new Expression.Literal(literal(type, given.distance), type));
        final Operator pattern = new Operator.SequencePattern(given.partitionBy,
            given.leastStart == Long.MIN_VALUE ? null :
            atLeast(new Expression.Column(1, CqlType.INT, true), (int)given.leastStart),
            new Expression.Column(given.column, type, true), given.comparison, bound, given.between, given.within,
            given.leastGap == Long.MIN_VALUE ? null : atLeast(SignalPlans.call(Operation.SUBTRACT, CqlType.BIGINT,
            new Expression.PriorColumn(0, 5, CqlType.BIGINT, true),
            new Expression.PriorColumn(1, 5, CqlType.BIGINT, true)), given.leastGap),
            given.fields, List.of(new Operator.Output("q", out, Operator.OutputKind.STREAM)));
        final PipelineHarness harness = new PipelineHarness(new PipelineCompiler().compile(
            new PipelinePlan("q", "S", TYPE, OrderingConstraint.ORDERED, -1, List.of(pattern))), Map.of());
        harness.restarts(restarts);
        for (int from = 0; from < rows.size();)
        {
            final int to = Math.min(rows.size(), from + 1 + random.nextInt(random.nextBoolean() ? 5 : 200));
            harness.onRows(rows.subList(from, to), false);
            from = to;
            if (random.nextInt(3) == 0)
            {
                harness.onHeartbeat(rows.get(from - 1).timeNs());
            }
        }
        assertThat(harness.rejected()).isZero();
        return harness.results.get("q").stream()
            .map(row -> new Match(row.timeNs(), row.origin(), row.values())).toList();
    }

    private static List<Match> expected(final Case given, final List<PlanInterpreter.Row> rows)
    {
        final List<List<Match>> byEnd = new ArrayList<>();
        rows.forEach(row -> byEnd.add(new ArrayList<>()));
        for (int i = 0; i < rows.size(); i++)
        {
            final Object least = rows.get(i).values().get(1);
            final boolean begins = given.leastStart == Long.MIN_VALUE ||
                least != null && (Integer)least >= given.leastStart;
            if (begins && rows.get(i).values().get(given.column) != null)
            {
                follow(given, rows, i, byEnd);
            }
        }
        return byEnd.stream().flatMap(List::stream).toList();
    }

    private static void follow(final Case given, final List<PlanInterpreter.Row> rows, final int start,
        final List<List<Match>> byEnd)
    {
        final PlanInterpreter.Row first = rows.get(start);
        for (int i = start + 1; i < rows.size(); i++)
        {
            final PlanInterpreter.Row row = rows.get(i);
            if (!given.partitionBy.stream().allMatch(column ->
                Objects.equals(row.values().get(column), first.values().get(column))))
            {
                continue;
            }
            final long took = row.timeNs() - first.timeNs();
            final long within = given.within.ns();
            final Object value = row.values().get(given.column);
            final boolean isOnce = given.between != Operator.Between.ANY;
            if (within > 0 && (given.within.inclusive() ? took > within : took >= within) || value == null && isOnce)
            {
                return;
            }
            if (value != null && reaches(given, value, first.values().get(given.column)))
            {
                if (given.leastGap == Long.MIN_VALUE || i - start >= given.leastGap)
                {
                    byEnd.get(i).add(match(given, first, row));
                }
                if (isOnce)
                {
                    return;
                }
            }
            else if (given.between == Operator.Between.NOT_LAST_NOR_NAN && value instanceof Number number &&
                Double.isNaN(number.doubleValue()))
            {
                return;
            }
        }
    }

    private static Match match(final Case given, final PlanInterpreter.Row first, final PlanInterpreter.Row last)
    {
        final List<Object> values = new ArrayList<>();
        for (final Field field : given.fields)
        {
            final Expression.PriorColumn column = (Expression.PriorColumn)field.expression();
            values.add((column.offset() == 0 ? last : first).values().get(column.column()));
        }
        return new Match(last.timeNs(), last.origin(), values);
    }

    private static boolean reaches(final Case given, final Object value, final Object first)
    {
        if (value instanceof Long || value instanceof Integer)
        {
            final long left = ((Number)value).longValue();
            final long right = value instanceof Integer ? (Integer)first + given.distance :
                (Long)first + given.distance;
            return switch (given.comparison)
            {
                case LESS -> left < right;
                case LESS_OR_EQUAL -> left <= right;
                case GREATER -> left > right;
                default -> left >= right;
            };
        }
        final double left = ((Number)value).doubleValue();
        final double right = value instanceof Float ? (Float)first + given.distance / 4.0F :
            (Double)first + given.distance / 4.0;
        return switch (given.comparison)
        {
            case LESS -> left < right;
            case LESS_OR_EQUAL -> left <= right;
            case GREATER -> left > right;
            default -> left >= right;
        };
    }
}
