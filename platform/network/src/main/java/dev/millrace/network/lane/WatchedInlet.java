package dev.millrace.network.lane;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.condition.CallWatch;

/** In front of a stage that is called from outside code: notes when each call begins and ends. One thread at a time. */
public final class WatchedInlet implements Inlet
{
    private final Inlet next;
    private final CallWatch watch;

    /**
     * Makes an inlet.
     *
     * @param next  the stage
     * @param watch of this lane alone
     */
    public WatchedInlet(final Inlet next, final CallWatch watch)
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
}
