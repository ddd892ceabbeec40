package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operators over relations: after every instant their output must be the function of their inputs that defines it. */
@Timeout(60)
class RelationOperatorTest
{
    private static final int RUNS = 80;
    private static final int CHANGES = 40;
    private static final EventType PAIR = EventType.tuple("Pair",
        Stream.concat(columns("l"), columns("r")).toArray(EventProperty[]::new));
    private static final EventType GROUP = EventType.tuple("Group", new EventProperty("k", CqlType.INT),
        new EventProperty("n", CqlType.BIGINT), new EventProperty("nv", CqlType.BIGINT),
        new EventProperty("sum", CqlType.INT), new EventProperty("avg", CqlType.FLOAT),
        new EventProperty("min", CqlType.INT), new EventProperty("max", CqlType.INT),
        new EventProperty("different", CqlType.BIGINT), new EventProperty("own", CqlType.INT));
    private static final EventType TOTAL = EventType.tuple("Total", new EventProperty("sum", CqlType.DOUBLE));

    /** An operator and its definition. */
    private record Case(String name, EventType type, Function<List<SourceOperator>, FlowOperator> flow,
        BiFunction<List<List<Object>>, List<List<Object>>, List<List<Object>>> definition)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    private static Stream<EventProperty> columns(final String prefix)
    {
        return FlowHarness.TYPE.properties().stream()
            .map(property -> new EventProperty(prefix + property.name(), property.type()));
    }

    private static Case set(final SetOperator.Kind kind, final boolean isBag,
        final BiFunction<Long, Long, Long> copies)
    {
        return new Case(kind.name(), FlowHarness.TYPE, in -> new SetOperator(kind, in.get(0),
            kind == SetOperator.Kind.DISTINCT ? null : in.get(1), FlowHarness.store()), (left, right) ->
        {
            final Set<List<Object>> all = new HashSet<>(left);
            all.addAll(right);
            final List<List<Object>> result = new ArrayList<>();
            for (final List<Object> row : all)
            {
                final long l = left.stream().filter(row::equals).count();
                final long r = right.stream().filter(row::equals).count();
                for (long i = 0; i < copies.apply(l, r); i++)
                {
                    result.add(row);
                }
            }
            assertThat(isBag || result.size() == new HashSet<>(result).size()).isTrue();
            return result;
        });
    }

    private static List<List<Object>> join(
        final List<List<Object>> left, final List<List<Object>> right, final boolean outer)
    {
        final List<List<Object>> result = new ArrayList<>();
        for (final List<Object> l : left)
        {
            boolean isAlone = true;
            for (final List<Object> r : right)
            {
                final boolean isPair = l.get(0) != null && l.get(0).equals(r.get(0)) && l.get(1) != null &&
                    r.get(1) != null && (Integer)l.get(1) <= (Integer)r.get(1);
                if (isPair)
                {
                    result.add(concat(l, r));
                    isAlone = false;
                }
            }
            if (outer && isAlone)
            {
                result.add(concat(l, Arrays.asList(null, null, null, null)));
            }
        }
        return result;
    }

    private static List<Object> concat(final List<Object> a, final List<Object> b)
    {
        final List<Object> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    /** {@code l.v <= r.v}. */
    private static Calc condition()
    {
        return new Calc()
        {
            @Override
            public boolean test(final RowStore in, final int row)
            {
                return !in.isNull(row, 1) && !in.isNull(row, 5) && in.getLong(row, 1) <= in.getLong(row, 5);
            }

            @Override
            public void project(final RowStore in, final int row, final RowStore out, final int outRow)
            {
                throw new IllegalStateException("a condition has no columns");
            }
        };
    }

    private static Case join(final boolean outer)
    {
        return new Case(outer ? "left join" : "join", PAIR, in -> new JoinOperator(in.get(0), in.get(1), outer,
            new int[]{0}, new int[]{0}, condition(), new RowStore(new RowLayout(PAIR.properties().stream()
            .map(EventProperty::type).toArray(CqlType[]::new)), 1 << 16)),
            (left, right) -> join(left, right, outer));
    }

    /** Largest minus smallest: cannot take rows out. */
    private static final class Spread implements AggregateFunction
    {
        private Integer least;
        private Integer most;

        @Override
        public void reset()
        {
            least = null;
            most = null;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            if (arguments[0] instanceof Integer value)
            {
                least = least == null ? value : Math.min(least, value);
                most = most == null ? value : Math.max(most, value);
            }
        }

        @Override
        public Object value()
        {
            return least == null ? null : most - least;
        }
    }

    private static Case group()
    {
        return new Case("group", GROUP, in -> new GroupOperator(in.get(0), new int[]{0}, new Accumulator[]{
            new CountAccumulator(-1), new CountAccumulator(1), new SumAccumulator(1, CqlType.INT, false),
            new SumAccumulator(1, CqlType.INT, true), new ExtremeAccumulator(1, false),
            new ExtremeAccumulator(1, true),
            new DistinctAccumulator(new CountAccumulator(0), new int[]{1}, FlowHarness.store(CqlType.INT)),
            new FunctionAccumulator("spread", new int[]{1}, Spread::new)},
            FlowHarness.store(GROUP.properties().stream().map(EventProperty::type).toArray(CqlType[]::new)), 100),
            (rows, none) ->
            {
                final Map<Object, List<Integer>> groups = new LinkedHashMap<>();
                rows.forEach(row -> groups.computeIfAbsent(row.get(0), key -> new ArrayList<>())
                    .add((Integer)row.get(1)));
                final List<List<Object>> result = new ArrayList<>();
                groups.forEach((key, values) ->
                {
                    final List<Integer> known = values.stream().filter(Objects::nonNull).toList();
                    final int sum = known.stream().mapToInt(value -> value).sum();
                    final boolean none2 = known.isEmpty();
                    final Integer min = known.stream().min(Comparator.naturalOrder()).orElse(null);
                    final Integer max = known.stream().max(Comparator.naturalOrder()).orElse(null);
                    result.add(Arrays.asList(key, (long)values.size(), (long)known.size(), none2 ? null : sum,
                        none2 ? null : (float)sum / known.size(), min, max, known.stream().distinct().count(),
                        none2 ? null : max - min));
                });
                return result;
            });
    }

    static Stream<Case> cases()
    {
        return Stream.of(
            set(SetOperator.Kind.DISTINCT, false, (l, r) -> Math.min(1, l)),
            set(SetOperator.Kind.UNION, false, (l, r) -> Math.min(1, l + r)),
            set(SetOperator.Kind.EXCEPT, true, (l, r) -> Math.max(0, l - r)),
            set(SetOperator.Kind.MINUS, false, (l, r) -> r > 0 ? 0 : Math.min(1, l)),
            set(SetOperator.Kind.INTERSECT, false, (l, r) -> Math.min(1, Math.min(l, r))),
            set(SetOperator.Kind.IN, true, (l, r) -> r > 0 ? l : 0),
            set(SetOperator.Kind.NOT_IN, true, (l, r) -> r > 0 ? 0 : l),
            new Case("union all", FlowHarness.TYPE, in -> new UnionAllOperator(in.get(0), in.get(1),
                FlowHarness.store()), (left, right) -> Stream.concat(left.stream(), right.stream()).toList()),
            join(false), join(true), group(),
            new Case("total", TOTAL, in -> new GroupOperator(in.get(0), new int[0], new Accumulator[]{
                new SumAccumulator(2, CqlType.DOUBLE, false)}, FlowHarness.store(CqlType.DOUBLE), 1), (rows, none) ->
                List.of(Arrays.asList((Object)(rows.isEmpty() ? null :
                    rows.stream().mapToDouble(row -> (Double)row.get(2)).sum())))),
            new Case("top 2 by v descending, by k", FlowHarness.TYPE, in -> new TopOperator(in.get(0),
                new RowOrder(in.get(0).store(), new int[]{1, 2, 3}, new boolean[]{true, false, false},
                new boolean[]{true, false, false}), 2, new int[]{0}), (rows, none) -> top(rows)));
    }

    private static List<List<Object>> top(final List<List<Object>> rows)
    {
        final Map<Object, List<List<Object>>> parts = new HashMap<>();
        rows.forEach(row -> parts.computeIfAbsent(row.get(0), key -> new ArrayList<>()).add(row));
        final List<List<Object>> result = new ArrayList<>();
        final Comparator<List<Object>> order = Comparator.comparing((List<Object> row) -> (Integer)row.get(1),
            Comparator.nullsFirst(Comparator.reverseOrder())).thenComparing(row -> (Double)row.get(2))
            .thenComparing(row -> (String)row.get(3));
        parts.values().forEach(part -> result.addAll(part.stream().sorted(order).limit(2).toList()));
        return result;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldBeTheFunctionOfItsInputsAfterEveryInstant(final Case operator)
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        for (int run = 0; run < RUNS; run++)
        {
            check(operator, new Random(seed + run), "seed=" + (seed + run));
        }
    }

    private static void check(final Case operator, final Random random, final String what)
    {
        final FlowHarness flow = new FlowHarness(
            FlowSource.TimeKind.TOTAL_ORDER, true, 2, false, operator.type(), operator.flow());
        final List<List<List<Object>>> inputs = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 1; i <= CHANGES; i++)
        {
            final int source = random.nextInt(2);
            final List<List<Object>> rows = inputs.get(source);
            if (!rows.isEmpty() && random.nextInt(5) < 2)
            {
                final List<Object> row = rows.remove(random.nextInt(rows.size()));
                flow.row(source, i, EventBatch.DELETE, row.toArray());
            }
            else
            {
                final List<Object> row = Arrays.asList(random.nextInt(4) == 0 ? null : random.nextInt(2),
                    random.nextInt(4) == 0 ? null : random.nextInt(3), (double)random.nextInt(2), "x");
                rows.add(row);
                flow.row(source, i, EventBatch.INSERT, row.toArray());
            }
            flow.heartbeat(1 - source, i);
            final Map<List<Object>, Integer> expected = new HashMap<>();
            operator.definition().apply(inputs.get(0), inputs.get(1))
                .forEach(row -> expected.merge(row, 1, Integer::sum));
            assertThat(flow.bag).as("%s %s at %d: %s", operator, what, i, inputs).isEqualTo(expected);
        }
        assertThat(flow.rejected).isEmpty();
    }
}
