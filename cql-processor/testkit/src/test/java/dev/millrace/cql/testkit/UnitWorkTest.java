package dev.millrace.cql.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.runtime.function.GroupAggregate;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work per row in windows of units, counted: it must not grow with the length of a window. */
@Tag("slow")
@Timeout(180)
class UnitWorkTest
{
    private static final int ROWS = 20_000;
    private static final long WINDOWS = 20_261_128;

    /** Counts the calls of an aggregate, and returns its number of rows. */
    private static final class Counting implements GroupAggregate
    {
        private final long[] changes;
        private double rows;

        Counting(final long[] changes)
        {
            this.changes = changes;
        }

        @Override
        public void reset()
        {
            rows = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            changes[0]++;
            rows++;
        }

        @Override
        public void minus(final Object[] arguments)
        {
            changes[0]++;
            rows--;
        }

        @Override
        public boolean isIncremental()
        {
            return true;
        }

        @Override
        public Object value()
        {
            return rows;
        }
    }

    /** Rows in and out of a window, one row per nanosecond; {@code inside} of them are in it at the end. */
    private static long changes(final String window, final long inside) throws Exception
    {
        final long[] changes = new long[1];
        final UnitHarness unit = new UnitHarness("select variance(s.v) as n from S " + window + " as s", true, 1 << 20,
            () -> new Counting(changes));
        for (int i = 0; i < ROWS; i++)
        {
            unit.row("S", i, 1, i);
        }
        assertThat(unit.bag).as(window).containsOnlyKeys(List.of((double)Math.min(inside, ROWS)));
        assertThat(unit.rejected).as(window).isEmpty();
        return changes[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1_000, 15_000})
    void shouldTakeEachRowInAndOutOnceWhateverTheLengthOfTheWindow(final int length) throws Exception
    {
        for (final String window : List.of("[range N nanoseconds]", "[rows N]", "[partition by k rows N]",
            "[range N on v]", "[partition by k rows 20000 range N nanoseconds]"))
        {
            assertThat(changes(window.replace("N", String.valueOf(length)), length)).as("%s, %d", window, length)
                .isBetween((long)ROWS, 2L * ROWS);
        }
    }

    @Test
    void shouldTakeEachRowInOnceWhereNoneLeaves() throws Exception
    {
        assertThat(changes("[range unbounded]", ROWS)).isEqualTo(ROWS);
        // Not even the row before a session of one row is visited.
        assertThat(changes("[session gap 1 microsecond]", ROWS)).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1_000, 15_000})
    void shouldTakeEachRowInAndOutOnceHoweverManySlidesAWindowHas(final int length) throws Exception
    {
        for (final int slide : new int[] {2, 5, 10})
        {
            final String window = "[range " + length + " nanoseconds slide " + slide + " nanoseconds]";
            // The last instant is that of the last row; both ends are on slides.
            final long inside = Math.min(length, (ROWS - 1) / slide * slide + 1);
            assertThat(changes(window, inside)).as(window).isBetween((long)ROWS - slide, 2L * ROWS);
        }
    }

    @Test
    void shouldKeepRowsOnlyThatMayReachTheGreatestValueOfTheirWindow() throws Exception
    {
        final String window = "S [range 1 microsecond slide 1 microsecond]";
        final UnitHarness unit = new UnitHarness("IStream(select s.k as k, s.v as v from " + window +
            " as s, (select max(t.v) as m from " + window + " as t) as b where s.v = b.m)", true, 1 << 20, null);
        final Random random = new Random(WINDOWS);
        final Map<Integer, Integer> greatest = new TreeMap<>();
        long most = 0;
        for (int i = 1; i <= ROWS; i++)
        {
            final int v = random.nextInt(100_000);
            unit.row("S", i, i, v);
            greatest.merge((i + 999) / 1_000, v, Math::max);
            most = Math.max(most, unit.kept());
        }
        assertThat(unit.lines).hasSizeBetween(ROWS / 1_000 - 1, ROWS / 1_000 + 1).allMatch(line -> greatest.values()
            .contains(Integer.valueOf(line.replaceAll(".*, (\\d+)]", "$1"))));
        // The maximum of 1,000 rows changes 7.5 times on average.
        assertThat(most).isLessThan(60);
    }
}
