package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.runtime.RowRejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What bounded steps keep right when there is no room, and what joins over the present instant forget. */
@Timeout(60)
class BoundedOutputTest
{
    private static final EventType PAIR = EventType.tuple("Pair", new EventProperty("k", CqlType.INT),
        new EventProperty("v", CqlType.INT), new EventProperty("d", CqlType.DOUBLE),
        new EventProperty("s", CqlType.CHAR), new EventProperty("k2", CqlType.INT),
        new EventProperty("v2", CqlType.INT), new EventProperty("d2", CqlType.DOUBLE),
        new EventProperty("s2", CqlType.CHAR));
    private static final int RUNS = 200;

    /** A step whose store has room for a few rows. */
    private record Step(String name, EventType output, BiFunction<FlowOperator, FlowOperator, FlowOperator> make)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }

    private static final Calc COPY = new Calc()
    {
        @Override
        public boolean test(final RowStore in, final int row)
        {
            return true;
        }

        @Override
        public void project(final RowStore in, final int row, final RowStore out, final int outRow)
        {
            out.copyAll(in, row, outRow, 0);
        }
    };

    private static RowStore few()
    {
        return new RowStore(FlowHarness.LAYOUT, 5);
    }

    private static RowStore pairs(final int maxRows)
    {
        return new RowStore(new RowLayout(CqlType.INT, CqlType.INT, CqlType.DOUBLE, CqlType.CHAR, CqlType.INT,
            CqlType.INT, CqlType.DOUBLE, CqlType.CHAR), maxRows);
    }

    static Stream<Step> steps()
    {
        return Stream.of(
            new Step("calc", FlowHarness.TYPE, (left, right) -> new CalcOperator(left, COPY, few())),
            new Step("union all", FlowHarness.TYPE, (left, right) -> new UnionAllOperator(left, right, few())),
            new Step("distinct", FlowHarness.TYPE,
                (left, right) -> new SetOperator(SetOperator.Kind.DISTINCT, left, null, few())),
            new Step("in", FlowHarness.TYPE,
                (left, right) -> new SetOperator(SetOperator.Kind.IN, left, right, few())),
            new Step("join", PAIR, (left, right) -> new JoinOperator(
                left, right, false, new int[]{0}, new int[]{0}, null, pairs(5))),
            new Step("left join", PAIR, (left, right) -> new JoinOperator(
                left, right, true, new int[]{0}, new int[]{0}, null, pairs(5))));
    }

    @ParameterizedTest
    @MethodSource("steps")
    void shouldNeverTakeAwayWhatItNeverGaveWhenThereIsNoRoom(final Step step)
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        int rejected = 0;
        for (int run = 0; run < RUNS; run++)
        {
            rejected += check(step, new Random(seed + run), "seed=" + (seed + run));
        }
        assertThat(rejected).isPositive();
    }

    private int check(final Step step, final Random random, final String where)
    {
        final FlowHarness flow = new FlowHarness(
            FlowSource.TimeKind.TOTAL_ORDER, true, 2, false, step.output(), in ->
            {
                final FlowOperator made = step.make().apply(in.get(0), in.get(1));
                // Whoever keeps the rows of the step makes its store full.
                return new TopOperator(made, new RowOrder(made.store(), new int[0], new boolean[0], new boolean[0]),
                    1000, new int[0]);
            });
        final List<List<Object[]>> present = List.of(new ArrayList<>(), new ArrayList<>());
        long timeNs = 0;
        for (int i = 0; i < 60; i++)
        {
            final int source = random.nextInt(2);
            final List<Object[]> rows = present.get(source);
            final boolean leaves = !rows.isEmpty() && random.nextBoolean();
            final Object[] row = leaves ? rows.remove(random.nextInt(rows.size())) :
                new Object[]{random.nextInt(3), random.nextInt(2), 0.0, "s"};
            if (!leaves)
            {
                rows.add(row);
            }
            flow.row(source, ++timeNs, leaves ? EventBatch.DELETE : EventBatch.INSERT, row);
            flow.heartbeat(1 - source, timeNs);
            assertThat(flow.bag.values()).as(where).allMatch(count -> count > 0);
        }
        for (int source = 0; source < 2; source++)
        {
            for (final Object[] row : present.get(source))
            {
                flow.row(source, ++timeNs, EventBatch.DELETE, row);
                flow.heartbeat(1 - source, timeNs);
            }
        }
        assertThat(flow.bag).as(where).isEmpty();
        assertThat(flow.rejected.keySet()).as(where).allMatch(RowRejection.STATE_FULL::equals);
        return flow.rejected.getOrDefault(RowRejection.STATE_FULL, 0);
    }

    @Test
    void shouldJoinRowsOfTheInstantAndForgetThemWhenOverNow()
    {
        for (final boolean outer : new boolean[]{false, true})
        {
            final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 2, true, PAIR,
                in -> new NowJoinOperator(in.get(0), new RangeWindow(in.get(1), 5), true, outer, new int[]{0},
                    new int[]{0}, null, pairs(100)));
            flow.row(0, 1, EventBatch.INSERT, 1, 1, 0.0, "a");
            flow.row(1, 1, EventBatch.INSERT, 1, 7, 0.0, "b");
            flow.row(0, 2, EventBatch.INSERT, 1, 1, 0.0, "a");
            flow.row(0, 2, EventBatch.INSERT, null, 2, 0.0, "a");
            flow.row(1, 3, EventBatch.INSERT, 1, 8, 0.0, "b");
            flow.row(0, 6, EventBatch.INSERT, 1, 3, 0.0, "a");
            flow.heartbeat(0, 9);
            flow.heartbeat(1, 9);
            final List<String> expected = new ArrayList<>(List.of("1 + [1, 1, 0.0, a, 1, 7, 0.0, b]",
                "2 + [1, 1, 0.0, a, 1, 7, 0.0, b]", "6 + [1, 3, 0.0, a, 1, 8, 0.0, b]"));
            if (outer)
            {
                expected.add(2, "2 + [null, 2, 0.0, a, null, null, null, null]");
            }
            assertThat(flow.lines).isEqualTo(expected);
        }
    }

    @Test
    void shouldPutTheRelationFirstWhenTheRowsOfTheInstantAreRight()
    {
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 2, true, PAIR,
            in -> new NowJoinOperator(in.get(0), new RangeWindow(in.get(1), FlowOperator.NEVER), false, false,
                new int[]{0}, new int[]{0}, null, pairs(100)));
        flow.row(1, 1, EventBatch.INSERT, 1, 7, 0.0, "b");
        flow.row(0, 1, EventBatch.INSERT, 1, 1, 0.0, "a");
        flow.heartbeat(0, 1);
        flow.heartbeat(1, 1);
        assertThat(flow.lines).containsExactly("1 + [1, 7, 0.0, b, 1, 1, 0.0, a]");
    }

    @Test
    void shouldRememberABoundedNumberOfRowsThatWereTurnedAway()
    {
        final RowStore rows = FlowHarness.store(CqlType.INT);
        final LostRows lost = new LostRows(rows, 2);
        final int[] row = new int[3];
        for (int i = 0; i < row.length; i++)
        {
            row[i] = rows.allocate();
            rows.setLong(row[i], 0, i);
        }
        assertThat(lost.add(rows, row[0])).isTrue();
        assertThat(lost.add(rows, row[1])).isTrue();
        assertThat(lost.add(rows, row[2])).isFalse();
        assertThat(lost.add(rows, row[1])).isTrue();
        assertThat(lost.remove(rows, row[2])).isFalse();
        assertThat(lost.remove(rows, row[0])).isTrue();
        assertThat(lost.add(rows, row[2])).isTrue();
        assertThat(lost.remove(rows, row[1]) && lost.remove(rows, row[1])).isTrue();
        assertThat(lost.remove(rows, row[1])).isFalse();
    }
}
