package dev.millrace.adapter.file.inbound;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.Clock;

/**
 * Times rows by a column: the first row is due at once, and each other one as long after it as its time is later,
 * divided by the speed. Confined to the source's thread.
 */
final class ReplayPace
{
    private final EventBatch batch;
    private final int column;
    private final boolean isInt;
    private final long unitNs;
    private final double speed;
    private final Clock clock;
    private boolean hasBegun;
    private long firstTime;
    private long beginNs;

    /** @param column of type int, bigint or timestamp; timestamps are in nanoseconds whatever the unit */
    ReplayPace(final EventBatch batch, final int column, final long unitNs, final double speed, final Clock clock)
    {
        this.batch = batch;
        this.column = column;
        final CqlType type = batch.schema().type().properties().get(column).type();
        isInt = type == CqlType.INT;
        this.unitNs = type == CqlType.TIMESTAMP ? 1 : unitNs;
        this.speed = speed;
        this.clock = clock;
    }

    /** The next row is the first one. */
    void restart()
    {
        hasBegun = false;
    }

    /** The time at which a row of the batch is due; a row without time is due at once. */
    long dueNs(final int row)
    {
        if (batch.isNull(column, row))
        {
            return Long.MIN_VALUE;
        }
        final long time = isInt ? batch.ints(column)[row] : batch.longs(column)[row];
        if (!hasBegun)
        {
            hasBegun = true;
            firstTime = time;
            beginNs = clock.epochNs();
        }
        return beginNs + (long)(((double)time - firstTime) * unitNs / speed);
    }
}
