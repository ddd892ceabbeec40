package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;

/** Serializes several lanes into one stage: one monitor per batch. */
public final class SerialInlet implements Inlet
{
    private final Object monitor;
    private final Inlet next;

    /** @param monitor shared by all lanes into the stage */
    public SerialInlet(final Object monitor, final Inlet next)
    {
        this.monitor = monitor;
        this.next = next;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        synchronized (monitor)
        {
            next.accept(batch);
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return next.receivedFrom(producer);
    }
}
