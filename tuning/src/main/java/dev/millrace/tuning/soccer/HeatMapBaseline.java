package dev.millrace.tuning.soccer;

import dev.millrace.api.event.EventBatch;
import dev.millrace.tuning.harness.RowSum;
import dev.millrace.tuning.harness.RowWriter;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A hand-written heat map: counts per second in the cells that all grids share, then their contribution to each grid
 * and window. All windows share one ring of seconds.
 */
final class HeatMapBaseline extends SoccerBaseline
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final int WIDE = 64;
    /** Upper bound of the sum of the rows in the finest and the coarsest grid; as both grow with y, it encodes both. */
    private static final int HIGH = 112;
    private static final int CELLS = (Pitch.PLAYERS + 1) * WIDE * HIGH;
    private static final int KEPT_SECONDS = 1024;

    private final int[] counts = new int[CELLS];
    private final byte[] coarse = new byte[CELLS];
    private int[] touched = new int[1024];
    private int touchedCount;
    private long tickNs = Long.MIN_VALUE;

    /** Of each second: its time, and where its entries end in the ring. */
    private final long[] seconds = new long[KEPT_SECONDS];
    private final int[] ends = new int[KEPT_SECONDS];
    private int secondCount;
    private final int[] cells = new int[1 << 18];
    private final int[] samples = new int[1 << 18];
    private int tail;
    private final Grid[] grids = {
        new Grid("8x13", 8, 13), new Grid("16x25", 16, 25), new Grid("32x50", 32, 50), new Grid("64x100", 64, 100)};

    /** A grid with its windows. */
    private final class Grid
    {
        private final int columns;
        private final int rows;
        private final Span[] spans;

        Grid(final String name, final int columns, final int rows)
        {
            this.columns = columns;
            this.rows = rows;
            spans = new Span[] {new Span(this, name, 1), new Span(this, name, 5), new Span(this, name, 10),
                new Span(this, name, 0)};
        }

        /** The cell of this grid for a shared cell. */
        int cell(final int common)
        {
            final int wide = coarse[common];
            final int high = common % HIGH - wide;
            final int across = common / HIGH;
            final int row = rows == 13 ? wide : high / (100 / rows);
            return (across / WIDE * columns + across % WIDE / (WIDE / columns)) * rows + row;
        }
    }

    /** The samples of a number of minutes, or all, in the cells of a grid. */
    private final class Span
    {
        private final Grid grid;
        private final RowWriter writer;
        private final int minutes;
        private final int[] sums;
        private final int[] before;
        private final int[] changedAt;
        private int[] changed = new int[1024];
        private int changedCount;
        private int headSecond;
        private int head;

        Span(final Grid grid, final String name, final int minutes)
        {
            this.grid = grid;
            this.minutes = minutes;
            writer = writer("heat_" + name + (minutes == 0 ? "_match" : "_" + minutes));
            sums = new int[(Pitch.PLAYERS + 1) * grid.columns * grid.rows];
            before = new int[sums.length];
            changedAt = new int[sums.length];
        }

        private void add(final int entry, final int sign)
        {
            final int cell = grid.cell(cells[entry]);
            if (changedAt[cell] != secondCount)
            {
                changedAt[cell] = secondCount;
                before[cell] = sums[cell];
                changed = changedCount < changed.length ? changed : Arrays.copyOf(changed, changedCount * 2);
                changed[changedCount++] = cell;
            }
            sums[cell] += sign * samples[entry];
        }

        /** Adds the last second, and removes those that have expired. */
        void tick(final int first)
        {
            changedCount = 0;
            while (minutes > 0 && headSecond < secondCount - 1 &&
                seconds[headSecond & KEPT_SECONDS - 1] + minutes * 60 * SECOND_NS <= tickNs)
            {
                final int end = ends[headSecond & KEPT_SECONDS - 1];
                for (; head != end; head = head + 1 & cells.length - 1)
                {
                    add(head, -1);
                }
                headSecond++;
            }
            for (int i = first; i != tail; i = i + 1 & cells.length - 1)
            {
                add(i, 1);
            }
            for (int i = 0; i < changedCount; i++)
            {
                final int cell = changed[i];
                if (sums[cell] > 0 && sums[cell] != before[cell])
                {
                    put(cell);
                }
            }
        }

        private void put(final int cell)
        {
            final int row = writer.add(tickNs);
            final int across = cell / grid.rows;
            writer.batch.ints(0)[row] = across / grid.columns;
            writer.batch.longs(1)[row] = across % grid.columns;
            writer.batch.longs(2)[row] = cell % grid.rows;
            if (minutes == 0)
            {
                writer.batch.longs(3)[row] = sums[cell];
            }
            else
            {
                writer.batch.doubles(3)[row] = sums[cell] / (240.0 * minutes);
            }
        }
    }

    HeatMapBaseline(final Function<String, RowSum> sinks)
    {
        super(sinks);
    }

    @Override
    void rows(final EventBatch batch)
    {
        final int[] sids = batch.ints(SID);
        final long[] xs = batch.longs(X);
        final long[] ys = batch.longs(Y);
        final long[] nanos = batch.longs(AT);
        for (int i = 0; i < batch.size(); i++)
        {
            final int sid = sids[i];
            if (kinds[sid] == Pitch.FOOT)
            {
                if (nanos[i] > tickNs)
                {
                    tick();
                    tickNs = (nanos[i] + SECOND_NS - 1) / SECOND_NS * SECOND_NS;
                }
                final int x = (int)xs[i];
                final int y = (int)ys[i] + 33960;
                if (x >= 0 && x <= 52483 && y >= 0 && y <= 67925)
                {
                    sample(players[sid], x * 64 / 52484, y * 100 / 67926, y * 13 / 67926);
                }
            }
        }
    }

    private void sample(final int player, final int across, final int high, final int wide)
    {
        final int cell = (player * WIDE + across) * HIGH + high + wide;
        if (counts[cell]++ == 0)
        {
            coarse[cell] = (byte)wide;
            touched = touchedCount < touched.length ? touched : Arrays.copyOf(touched, touchedCount * 2);
            touched[touchedCount++] = cell;
        }
    }

    @Override
    void timeIs(final long nowNs)
    {
        if (nowNs >= tickNs)
        {
            tick();
        }
    }

    private void tick()
    {
        if (touchedCount == 0)
        {
            return;
        }
        final int first = tail;
        for (int i = 0; i < touchedCount; i++)
        {
            cells[tail] = touched[i];
            samples[tail] = counts[touched[i]];
            counts[touched[i]] = 0;
            tail = tail + 1 & cells.length - 1;
        }
        touchedCount = 0;
        seconds[secondCount & KEPT_SECONDS - 1] = tickNs;
        ends[secondCount & KEPT_SECONDS - 1] = tail;
        secondCount++;
        for (final Grid grid : grids)
        {
            for (final Span span : grid.spans)
            {
                span.tick(first);
            }
        }
    }
}
