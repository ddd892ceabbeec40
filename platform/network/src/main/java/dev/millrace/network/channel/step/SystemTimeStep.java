package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Sets the time of rows to the time of their arrival, whatever time they had, and records it for the heartbeat thread.
 */
public final class SystemTimeStep implements BatchStep
{
    private static final VarHandle LAST_NS;

    static
    {
        try
        {
            LAST_NS = MethodHandles.lookup().findVarHandle(SystemTimeStep.class, "lastNs", long.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final SystemTime time;
    private long lastNs;

    public SystemTimeStep(final SystemTime time)
    {
        this.time = time;
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        final int rows = batch.size();
        final long stampNs = rows == 0 ? time.heartbeat() : time.stamp(rows);
        batch.baseTimestampNs(stampNs);
        LAST_NS.setOpaque(this, stampNs);
        return batch;
    }

    /** When a batch or heartbeat last passed. Thread-safe. */
    public long lastNs()
    {
        return (long)LAST_NS.getOpaque(this);
    }
}
