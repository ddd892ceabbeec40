package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A row that one aggregate of a group rejects does not change the others, neither then nor when it leaves. */
@Timeout(60)
class UnitFaultTest
{
    private static final int UNLUCKY = 13;
    private static final String SUMS = "select s.k, count(*) as n, variance(s.v) as own from K as s group by s.k";

    /** A sum that refuses one number. */
    private static final class Sum implements GroupAggregate
    {
        private final boolean isIncremental;
        private double sum;

        Sum(final boolean isIncremental)
        {
            this.isIncremental = isIncremental;
        }

        @Override
        public void reset()
        {
            sum = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            if (((Number)arguments[0]).intValue() == UNLUCKY)
            {
                throw new IllegalArgumentException("unlucky");
            }
            sum += ((Number)arguments[0]).doubleValue();
        }

        @Override
        public void minus(final Object[] arguments)
        {
            sum -= ((Number)arguments[0]).doubleValue();
        }

        @Override
        public boolean isIncremental()
        {
            return isIncremental;
        }

        @Override
        public Object value()
        {
            return sum;
        }
    }

    private static UnitHarness sums(final boolean totalOrder, final int maxRows, final GroupAggregateFactory factory)
        throws Exception
    {
        return new UnitHarness(SUMS, totalOrder, maxRows, factory);
    }

    private static void change(final UnitHarness unit, final long timeNs, final byte kind, final int k, final int v)
    {
        unit.change("K", timeNs, kind, k, v);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountARowInNoAggregateWhenOneCannotTakeIt(final boolean isIncremental) throws Exception
    {
        final UnitHarness unit = sums(true, 10, () -> new Sum(isIncremental));
        change(unit, 1, EventBatch.INSERT, 1, 5);
        change(unit, 2, EventBatch.INSERT, 1, UNLUCKY);
        assertThat(unit.bag).containsOnlyKeys(List.of(1, 1L, 5.0));
        change(unit, 3, EventBatch.INSERT, 2, UNLUCKY);
        assertThat(unit.bag).containsOnlyKeys(List.of(1, 1L, 5.0));
        assertThat(unit.rejected).isEqualTo(Map.of(RejectionHandler.AGGREGATE_FAILED, 2));
        change(unit, 4, EventBatch.DELETE, 1, 5);
        assertThat(unit.bag.getOrDefault(List.of(1, 1L, 5.0), 0)).isZero();
    }

    @Test
    void shouldSumTheOtherRowsWhenAFunctionThatIsComputedAnewCannotTakeOne() throws Exception
    {
        final UnitHarness unit = sums(false, 10, () -> new Sum(false));
        change(unit, 1, EventBatch.INSERT, 1, 1);
        change(unit, 1, EventBatch.INSERT, 1, 2);
        unit.heartbeat("K", 1);
        change(unit, 2, EventBatch.DELETE, 1, 1);
        change(unit, 2, EventBatch.INSERT, 1, UNLUCKY);
        change(unit, 2, EventBatch.INSERT, 1, 4);
        unit.heartbeat("K", 2);
        change(unit, 3, EventBatch.INSERT, 1, 8);
        unit.heartbeat("K", 3);
        assertThat(unit.bag.keySet()).singleElement().extracting(row -> row.get(2)).isEqualTo(2.0 + 4 + 8);
        assertThat(unit.rejected).isEqualTo(Map.of(RejectionHandler.AGGREGATE_FAILED, 1));
    }

    @Test
    void shouldTurnRowsAwayWhenTheFunctionOfTheirGroupCannotBeMade() throws Exception
    {
        final List<Supplier<GroupAggregate>> answers = new ArrayList<>();
        answers.add(() ->
        {
            throw new IllegalStateException("no function today");
        });
        answers.add(() -> new Sum(true));
        final UnitHarness unit = sums(true, 10, () -> answers.remove(0).get());
        change(unit, 1, EventBatch.INSERT, 1, 5);
        change(unit, 2, EventBatch.INSERT, 1, 7);
        assertThat(unit.bag).containsOnlyKeys(List.of(1, 1L, 7.0));
        assertThat(unit.rejected).isEqualTo(Map.of(RejectionHandler.AGGREGATE_FAILED, 1));
    }

    @Test
    void shouldNotMissARowOfAGroupWhenItsPredecessorWasTurnedAwayForWantOfRoom() throws Exception
    {
        final UnitHarness unit =
            new UnitHarness("select s.k, count(*) as n, variance(s.v) as own from S [range 3 nanoseconds] as s " +
            "group by s.k", true, 2, () -> new Sum(true));
        unit.row("S", 1, 1, 1);
        unit.row("S", 2, 2, 5);
        // The window is full.
        unit.row("S", 3, 2, 6);
        unit.row("S", 5, 2, 7);
        assertThat(unit.bag).containsOnlyKeys(List.of(2, 1L, 7.0));
        unit.heartbeat("S", 8);
        assertThat(unit.bag).isEmpty();
        assertThat(unit.rejected).isEqualTo(Map.of(RejectionHandler.STATE_FULL, 1));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountWhatItTookWhenThereIsNoRoomForDifferentValues(final boolean isGrowing) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        int rejected = 0;
        for (int run = 0; run < 100; run++)
        {
            rejected += countDifferent(isGrowing, new Random(seed + run), "seed=" + (seed + run));
        }
        assertThat(rejected).isPositive();
    }

    /** At most six values: rows of two groups with four values each. */
    private static int countDifferent(final boolean isGrowing, final Random random, final String where)
        throws Exception
    {
        final int windowNs = isGrowing ? Integer.MAX_VALUE : 6;
        final UnitHarness unit = new UnitHarness("select s.k, count(*) as n, count(distinct s.v) as d from S " +
            (isGrowing ? "" : "[range 6 nanoseconds] ") + "as s group by s.k", true, 6, null);
        final Map<Long, List<Integer>> taken = new HashMap<>();
        for (long timeNs = 1; timeNs < 40; timeNs++)
        {
            final int k = random.nextInt(2);
            final int v = random.nextInt(4);
            final int before = unit.rejected.getOrDefault(RejectionHandler.STATE_FULL, 0);
            unit.row("S", timeNs, k, v);
            if (unit.rejected.getOrDefault(RejectionHandler.STATE_FULL, 0) == before)
            {
                taken.put(timeNs, List.of(k, v));
            }
            final long oldestNs = timeNs - windowNs;
            taken.keySet().removeIf(each -> each <= oldestNs);
            assertThat(unit.bag.keySet()).as(where).isEqualTo(counted(taken));
        }
        assertThat(unit.rejected.keySet()).as(where).allMatch(RejectionHandler.STATE_FULL::equals);
        return unit.rejected.getOrDefault(RejectionHandler.STATE_FULL, 0);
    }

    private static Set<List<Object>> counted(final Map<Long, List<Integer>> taken)
    {
        final Set<List<Object>> rows = new HashSet<>();
        for (int k = 0; k < 2; k++)
        {
            final int group = k;
            final List<Integer> values =
                taken.values().stream().filter(row -> row.get(0) == group).map(row -> row.get(1)).toList();
            if (!values.isEmpty())
            {
                rows.add(List.of(k, (long)values.size(), values.stream().distinct().count()));
            }
        }
        return rows;
    }
}
