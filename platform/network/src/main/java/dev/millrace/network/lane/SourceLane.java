package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;

/**
 * The beginning of a lane, which a columnar source sends through. Confined to the thread of the source;
 * {@link #reject(int, String, String)} is thread-safe.
 */
public final class SourceLane implements EventBatchSender
{
    private final SourceLanes owner;
    private final LaneLock claim = new LaneLock();
    private final Outlet outlet;

    SourceLane(final SourceLanes owner, final BatchSchema schema, final LaneCounters counters)
    {
        this.owner = owner;
        outlet = new Outlet(schema, null, this, counters);
    }

    public LaneLock claim()
    {
        return claim;
    }

    /** The exit of the lane from its source. */
    public Outlet outlet()
    {
        return outlet;
    }

    @Override
    public BatchSchema schema()
    {
        return outlet.schema();
    }

    @Override
    public void send(final EventBatch batch)
    {
        if (batch.schema() != outlet.schema())
        {
            throw new IllegalArgumentException("batch has a different schema than its sender, sender="
                + outlet.schema() +
                " batch=" + batch.schema() + "; create it with new EventBatch(sender.schema())");
        }
        if (!claim.enter())
        {
            owner.rejectClosed(batch.size());
            return;
        }
        try
        {
            outlet.accept(batch);
        }
        finally
        {
            claim.leave();
        }
    }

    @Override
    public void reject(final int rows, final String reason, final String detail)
    {
        owner.reject(rows, reason, detail);
    }

    @Override
    public EventBatchSender another()
    {
        return owner.open();
    }
}
