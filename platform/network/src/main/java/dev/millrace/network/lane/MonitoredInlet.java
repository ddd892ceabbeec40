package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.condition.CallMonitor;

/** Precedes a stage of outside code: records when each call begins and ends. Called by one thread at a time. */
public final class MonitoredInlet implements Inlet
{
    private final Inlet next;
    private final CallMonitor watch;

    public MonitoredInlet(final Inlet next, final CallMonitor watch)
    {
        this.next = next;
        this.watch = watch;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        watch.begin();
        try
        {
            next.accept(batch);
        }
        finally
        {
            watch.end();
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return next.receivedFrom(producer);
    }
}
