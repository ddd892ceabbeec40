package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A row that one aggregate of a group cannot take leaves no trace in the others, nor when it leaves. */
@Timeout(60)
class GroupFaultTest
{
    private static final EventType COUNTED = EventType.tuple("Counted", new EventProperty("k", CqlType.INT),
        new EventProperty("n", CqlType.BIGINT), new EventProperty("own", CqlType.INT));
    private static final EventType DIFFERENT = EventType.tuple("Different", new EventProperty("k", CqlType.INT),
        new EventProperty("n", CqlType.BIGINT), new EventProperty("different", CqlType.BIGINT));
    private static final int UNLUCKY = 13;

    /** A sum that refuses one number. */
    private static final class Sum implements AggregateFunction
    {
        private final boolean incremental;
        private int sum;

        Sum(final boolean incremental)
        {
            this.incremental = incremental;
        }

        @Override
        public void reset()
        {
            sum = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            if ((Integer)arguments[0] == UNLUCKY)
            {
                throw new IllegalArgumentException("unlucky");
            }
            sum += (Integer)arguments[0];
        }

        @Override
        public void minus(final Object[] arguments)
        {
            sum -= (Integer)arguments[0];
        }

        @Override
        public boolean isIncremental()
        {
            return incremental;
        }

        @Override
        public Object value()
        {
            return sum;
        }
    }

    private static FlowHarness sums(final FlowSource.TimeKind time, final int maxGroups, final AggregateFactory factory)
    {
        return new FlowHarness(time, true, 1, false, COUNTED, in -> new GroupOperator(in.get(0), new int[]{0},
            new Accumulator[]{new CountAccumulator(-1), new FunctionAccumulator("own", new int[]{1}, factory)},
            FlowHarness.store(CqlType.INT, CqlType.BIGINT, CqlType.INT), maxGroups));
    }

    private static void change(final FlowHarness flow, final long timeNs, final byte kind, final int k, final int v)
    {
        flow.row(0, timeNs, kind, k, v, 0.0, "s");
    }

    @Test
    void shouldCountARowInNoAggregateWhenOneCannotTakeIt()
    {
        for (final boolean incremental : new boolean[]{true, false})
        {
            final FlowHarness flow = sums(FlowSource.TimeKind.TOTAL_ORDER, 10, () -> new Sum(incremental));
            change(flow, 1, EventBatch.INSERT, 1, 5);
            change(flow, 2, EventBatch.INSERT, 1, UNLUCKY);
            assertThat(flow.bag).containsOnlyKeys(List.of(1, 1L, 5));
            change(flow, 3, EventBatch.INSERT, 2, UNLUCKY);
            assertThat(flow.bag).containsOnlyKeys(List.of(1, 1L, 5));
            change(flow, 4, EventBatch.DELETE, 1, UNLUCKY);
            change(flow, 5, EventBatch.DELETE, 2, UNLUCKY);
            assertThat(flow.bag).containsOnlyKeys(List.of(1, 1L, 5));
            change(flow, 6, EventBatch.DELETE, 1, 5);
            assertThat(flow.bag).isEmpty();
            assertThat(flow.rejected).isEqualTo(Map.of(FunctionAccumulator.FAILED, 2));
        }
    }

    @Test
    void shouldSumTheOtherRowsWhenAFunctionThatIsComputedAnewCannotTakeOne()
    {
        final FlowHarness flow = sums(FlowSource.TimeKind.APPLICATION, 10, () -> new Sum(false));
        change(flow, 1, EventBatch.INSERT, 1, 1);
        change(flow, 1, EventBatch.INSERT, 1, 2);
        flow.heartbeat(0, 1);
        change(flow, 2, EventBatch.DELETE, 1, 1);
        change(flow, 2, EventBatch.INSERT, 1, UNLUCKY);
        change(flow, 2, EventBatch.INSERT, 1, 4);
        flow.heartbeat(0, 2);
        change(flow, 3, EventBatch.INSERT, 1, 8);
        flow.heartbeat(0, 3);
        assertThat(flow.bag.keySet()).singleElement().extracting(row -> row.get(2)).isEqualTo(2 + 4 + 8);
        assertThat(flow.rejected).isEqualTo(Map.of(FunctionAccumulator.FAILED, 1));
        change(flow, 4, EventBatch.DELETE, 1, UNLUCKY);
        change(flow, 4, EventBatch.DELETE, 1, 4);
        flow.heartbeat(0, 4);
        assertThat(flow.bag).containsOnlyKeys(List.of(1, 2L, 2 + 8));
    }

    @Test
    void shouldTurnRowsAwayWhenTheFunctionOfTheirGroupCannotBeMade()
    {
        final List<Supplier<AggregateFunction>> answers = new ArrayList<>();
        answers.add(() ->
        {
            throw new IllegalStateException("no function today");
        });
        answers.add(() -> new Sum(true));
        final FlowHarness flow =
            sums(FlowSource.TimeKind.TOTAL_ORDER, 10, () -> answers.remove(0).get());
        change(flow, 1, EventBatch.INSERT, 1, 5);
        change(flow, 2, EventBatch.INSERT, 1, 7);
        assertThat(flow.bag).containsOnlyKeys(List.of(1, 1L, 7));
        change(flow, 3, EventBatch.DELETE, 1, 5);
        assertThat(flow.bag).containsOnlyKeys(List.of(1, 1L, 7));
        change(flow, 4, EventBatch.DELETE, 1, 7);
        assertThat(flow.bag).isEmpty();
        assertThat(flow.rejected).isEqualTo(Map.of(FunctionAccumulator.FAILED, 1));
    }

    @Test
    void shouldNotMissARowOfAGroupWhenItsPredecessorWasTurnedAwayForWantOfRoom()
    {
        final FlowHarness flow = sums(FlowSource.TimeKind.TOTAL_ORDER, 1, () -> new Sum(true));
        change(flow, 1, EventBatch.INSERT, 1, 1);
        change(flow, 2, EventBatch.INSERT, 2, 5);
        change(flow, 3, EventBatch.DELETE, 1, 1);
        change(flow, 4, EventBatch.INSERT, 2, 7);
        change(flow, 5, EventBatch.DELETE, 2, 5);
        assertThat(flow.bag).containsOnlyKeys(List.of(2, 1L, 7));
        change(flow, 6, EventBatch.DELETE, 2, 7);
        assertThat(flow.bag).isEmpty();
    }

    @Test
    void shouldCountWhatItTookWhenThereIsNoRoomForDifferentValues()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        for (int run = 0; run < 200; run++)
        {
            countDifferent(new Random(seed + run), "seed=" + (seed + run));
        }
    }

    private static void countDifferent(final Random random, final String where)
    {
        final RowStore few = new RowStore(new RowLayout(CqlType.INT), 3);
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.TOTAL_ORDER, true, 1, false, DIFFERENT,
            in -> new GroupOperator(in.get(0), new int[]{0}, new Accumulator[]{new CountAccumulator(-1),
                new DistinctAccumulator(new CountAccumulator(0), new int[]{1}, few)},
                FlowHarness.store(CqlType.INT, CqlType.BIGINT, CqlType.BIGINT), 10));
        final Map<List<Integer>, Integer> given = new HashMap<>();
        final Map<List<Integer>, Integer> taken = new HashMap<>();
        for (int i = 1; i <= 60; i++)
        {
            final List<Integer> row = List.of(random.nextInt(2), random.nextInt(4));
            final int before = flow.rejected.values().stream().mapToInt(count -> count).sum();
            if (random.nextBoolean() && given.getOrDefault(row, 0) > 0)
            {
                change(flow, i, EventBatch.DELETE, row.get(0), row.get(1));
                given.merge(row, -1, Integer::sum);
                // Equal rows: those that were turned away leave first.
                taken.put(row, Math.min(taken.getOrDefault(row, 0), given.get(row)));
            }
            else
            {
                change(flow, i, EventBatch.INSERT, row.get(0), row.get(1));
                given.merge(row, 1, Integer::sum);
                final int after = flow.rejected.values().stream().mapToInt(count -> count).sum();
                taken.merge(row, after == before ? 1 : 0, Integer::sum);
            }
            assertThat(flow.bag.keySet()).as(where).hasSameElementsAs(expected(taken));
        }
    }

    private static List<List<Object>> expected(final Map<List<Integer>, Integer> taken)
    {
        final List<List<Object>> rows = new ArrayList<>();
        for (int k = 0; k < 2; k++)
        {
            long count = 0;
            long different = 0;
            for (final Map.Entry<List<Integer>, Integer> each : taken.entrySet())
            {
                final boolean isMine = each.getKey().get(0) == k;
                count += isMine ? each.getValue() : 0;
                different += isMine && each.getValue() > 0 ? 1 : 0;
            }
            if (count > 0)
            {
                rows.add(List.of(k, count, different));
            }
        }
        return rows;
    }

    @Test
    void shouldGoOnWhenARowLeavesThatNeverCame()
    {
        final ExtremeAccumulator most = new ExtremeAccumulator(0, true);
        final RowStore rows = FlowHarness.store(CqlType.INT);
        final int one = rows.allocate();
        rows.setLong(one, 0, 1);
        final int two = rows.allocate();
        rows.setLong(two, 0, 2);
        most.open(0);
        most.plus(0, rows, one);
        most.minus(0, rows, two);
        final int result = rows.allocate();
        most.write(0, rows, result, 0);
        assertThat(rows.value(result, 0)).isEqualTo(1);
    }
}
