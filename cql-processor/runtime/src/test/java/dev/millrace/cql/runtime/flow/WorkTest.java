package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How much work windows and aggregates do an event, counted: it must not grow with the length of a window. */
@Timeout(60)
class WorkTest
{
    private static final EventType SUM = EventType.tuple("Sum", new EventProperty("s", CqlType.INT));
    private static final int EVENTS = 40_000;

    /** Counts what reaches an aggregate. */
    private static final class Counting extends Accumulator
    {
        private long changes;
        private int total;

        @Override
        protected void open(final int group)
        {
            total = 0;
        }

        @Override
        protected void plus(final int group, final RowStore rows, final int row)
        {
            changes++;
            total++;
        }

        @Override
        protected void minus(final int group, final RowStore rows, final int row)
        {
            changes++;
            total--;
        }

        @Override
        protected void write(final int group, final RowStore out, final int outRow, final int column)
        {
            out.setLong(outRow, column, total);
        }
    }

    /** Rows in and out of a window, one row a nanosecond, of which so many are in it at the end. */
    private static long changes(final UnaryOperator<FlowOperator> window, final long inside)
    {
        final Counting counting = new Counting();
        final FlowHarness flow = new FlowHarness(FlowSource.TimeKind.APPLICATION, false, 1, false, SUM,
            sources -> new GroupOperator(window.apply(sources.get(0)), new int[0],
                new Accumulator[] {counting}, FlowHarness.store(CqlType.INT), 16));
        for (int i = 0; i < EVENTS; i++)
        {
            flow.row(0, i, EventBatch.INSERT, 1, i, 0.0, "a");
        }
        assertThat(flow.bag).containsOnlyKeys(List.of((int)Math.min(inside, EVENTS - 1)));
        return counting.changes;
    }

    @Test
    void shouldTakeEachRowInAndOutOnceWhateverTheLengthOfTheWindow()
    {
        for (final long rangeNs : new long[] {1, 10, 1_000, 30_000, FlowOperator.NEVER})
        {
            assertThat(changes(input -> new RangeWindow(input, rangeNs), rangeNs)).as("range %d ns", rangeNs)
                .isBetween(EVENTS - 1L, 2L * EVENTS);
        }
        for (final long length : new long[] {1, 10, 1_000, 30_000})
        {
            assertThat(changes(input -> new RowsWindow(input, length, 1), length)).as("rows %d", length)
                .isBetween(EVENTS - 1L, 2L * EVENTS);
            assertThat(changes(input -> new PartitionWindow(input, new int[] {0}, length, 0, 0), length))
                .as("partition by, rows %d", length).isBetween(EVENTS - 1L, 2L * EVENTS);
            assertThat(changes(input -> new ValueWindow(input, 1, length), length)).as("range %d on a column", length)
                .isBetween(EVENTS - 1L, 2L * EVENTS);
        }
    }

    @Test
    void shouldTakeEachRowInAndOutOnceHoweverManySlidesAWindowHas()
    {
        for (final long rangeNs : new long[] {10, 1_000, 30_000})
        {
            for (final long slideNs : new long[] {1, 2, 5, 10})
            {
                // The last instant that is complete is the one before the last row; both ends lie on slides.
                final long inside = Math.min(rangeNs, (EVENTS - 2) / slideNs * slideNs + 1);
                assertThat(changes(input -> new SlideWindow(input, rangeNs, slideNs), inside))
                    .as("range %d ns slide %d ns", rangeNs, slideNs).isBetween(EVENTS - slideNs - 1, 2L * EVENTS);
            }
        }
    }

    /** A sliding window of so many values: comparisons an event once it is full. */
    private static double comparisons(final int length)
    {
        final long[] count = new long[1];
        final long[] keys = new long[length + 1];
        final SortedEntries sorted = new SortedEntries(new SortedEntries.Order()
        {
            private int sought;

            @Override
            public void seek(final int entry)
            {
                sought = entry;
            }

            @Override
            public int compareTo(final int other)
            {
                count[0]++;
                return Long.compare(keys[sought], keys[other]);
            }
        });
        final Random random = new Random(length);
        int root = SortedEntries.NONE;
        for (int i = 0; i < length; i++)
        {
            keys[i] = random.nextInt() * (long)length + i;
            root = sorted.add(root, i);
        }
        count[0] = 0;
        for (int i = 0; i < EVENTS; i++)
        {
            final int oldest = i % length;
            root = sorted.remove(root, oldest);
            keys[oldest] = (i & 1) == 0 ? random.nextInt() * (long)length + oldest : (long)i * length + oldest;
            root = sorted.add(root, oldest);
            assertThat(sorted.first(root)).isNotEqualTo(SortedEntries.NONE);
        }
        return count[0] / (double)EVENTS;
    }

    @Test
    void shouldKeepExtremesWithLogarithmicWork()
    {
        for (final int length : new int[] {16, 256, 4_096, 65_536})
        {
            final double log = Math.log(length) / Math.log(2);
            assertThat(comparisons(length)).as("comparisons an event, length %d", length).isLessThan(6 * log);
        }
    }

    @Test
    void shouldGiveTheExtremesOfASlidingWindow()
    {
        final Random random = new Random(7);
        final int length = 500;
        final RowStore rows = FlowHarness.store(CqlType.DOUBLE, CqlType.CHAR, CqlType.DOUBLE, CqlType.CHAR);
        final Accumulator[] extremes = {new ExtremeAccumulator(0, false), new ExtremeAccumulator(0, true),
            new ExtremeAccumulator(1, false), new ExtremeAccumulator(1, true)};
        for (final Accumulator extreme : extremes)
        {
            extreme.open(3);
        }
        final int[] window = new int[length];
        for (int i = 0; i < 5_000; i++)
        {
            final int row = rows.allocate();
            if (random.nextInt(10) > 0)
            {
                rows.setDouble(row, 0, random.nextInt(50) == 0 ? Double.NaN : random.nextGaussian());
                rows.setReference(row, 1, "t" + random.nextInt(300));
            }
            for (final Accumulator extreme : extremes)
            {
                if (i >= length)
                {
                    extreme.minus(3, rows, window[i % length]);
                }
                extreme.plus(3, rows, row);
            }
            window[i % length] = row;
            if (i % 97 == 0)
            {
                check(rows, window, Math.min(i + 1, length), extremes);
            }
        }
    }

    private static void check(
        final RowStore rows, final int[] window, final int count, final Accumulator[] extremes)
    {
        final int out = rows.allocate();
        for (int column = 0; column < 2; column++)
        {
            Comparable<Object> least = null;
            Comparable<Object> greatest = null;
            for (int i = 0; i < count; i++)
            {
                @SuppressWarnings("unchecked") // Double or String
                final Comparable<Object> value = (Comparable<Object>)rows.value(window[i], column);
                least = value != null && (least == null || value.compareTo(least) < 0) ? value : least;
                greatest = value != null && (greatest == null || value.compareTo(greatest) > 0) ? value : greatest;
            }
            extremes[2 * column].write(3, rows, out, 2 + column);
            assertThat(rows.value(out, 2 + column)).isEqualTo(least);
            extremes[2 * column + 1].write(3, rows, out, 2 + column);
            assertThat(rows.value(out, 2 + column)).isEqualTo(greatest);
        }
        rows.release(out);
    }
}
