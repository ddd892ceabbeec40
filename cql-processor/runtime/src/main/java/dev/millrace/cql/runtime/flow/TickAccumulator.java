package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotLongs;

/**
 * The multiple of a period at which a window with SLIDE was looked at last, in nanoseconds; null over no rows.
 *
 * <p>Threads: the engine's.
 */
public final class TickAccumulator extends Accumulator
{
    private final long periodNs;
    private final SlotLongs counts = new SlotLongs(1);
    private long tickNs;

    /**
     * Makes an accumulator.
     *
     * @param periodNs step of the window
     */
    public TickAccumulator(final long periodNs)
    {
        this.periodNs = periodNs;
    }

    @Override
    long nextChangeNs(final long nowNs)
    {
        tickNs = nowNs - Math.floorMod(nowNs, periodNs);
        return Ticks.plus(tickNs, periodNs);
    }

    @Override
    protected void open(final int group)
    {
        counts.reach(group);
        counts.set(group, 0, 0);
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        counts.set(group, 0, counts.get(group, 0) + 1);
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        counts.set(group, 0, counts.get(group, 0) - 1);
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        if (counts.get(group, 0) == 0)
        {
            out.setNull(outRow, outColumn);
        }
        else
        {
            out.setLong(outRow, outColumn, tickNs);
        }
    }
}
