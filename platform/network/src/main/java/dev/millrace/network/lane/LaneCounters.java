package dev.millrace.network.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Padding that keeps the counters below on a separate cache line. */
class LaneCountersLeftPad
{
    long left1;
    long left2;
    long left3;
    long left4;
    long left5;
    long left6;
    long left7;
}

/** The counters themselves, between two pads. */
class LaneCountersValues extends LaneCountersLeftPad
{
    long rows;
    long batches;
}

/**
 * Counts rows and batches that passed one point of one lane. One thread adds, any thread reads, without locks; the
 * counters share their cache line with no other lane.
 */
public final class LaneCounters extends LaneCountersValues
{
    private static final VarHandle ROWS;
    private static final VarHandle BATCHES;

    static
    {
        try
        {
            final MethodHandles.Lookup lookup = MethodHandles.lookup();
            ROWS = lookup.findVarHandle(LaneCountersValues.class, "rows", long.class);
            BATCHES = lookup.findVarHandle(LaneCountersValues.class, "batches", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    long right1;
    long right2;
    long right3;
    long right4;
    long right5;
    long right6;
    long right7;

    /**
     * Counts a batch; called only by the thread that owns the lane.
     *
     * @param rowCount its rows; a heartbeat, which has none, is not counted
     */
    public void add(final int rowCount)
    {
        if (rowCount > 0)
        {
            ROWS.setOpaque(this, rows + rowCount);
            BATCHES.setOpaque(this, batches + 1);
        }
    }

    /** Rows so far; a recent value. */
    public long rowCount()
    {
        return (long)ROWS.getOpaque(this);
    }

    /** Batches with rows so far; a recent value. */
    public long batchCount()
    {
        return (long)BATCHES.getOpaque(this);
    }
}
