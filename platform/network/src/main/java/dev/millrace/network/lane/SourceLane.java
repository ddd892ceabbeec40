package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;

/**
 * The beginning of a lane: what a columnar source sends through. Used by the thread of the source; {@link
 * #reject(int, String, String)} by any.
 */
public final class SourceLane implements EventBatchSender
{
    private final SourceLanes owner;
    private final LaneClaim claim = new LaneClaim();
    private final Outlet outlet;

    SourceLane(final SourceLanes owner, final BatchSchema schema, final LaneCounters counters)
    {
        this.owner = owner;
        outlet = new Outlet(schema, null, this, counters);
    }

    /**
     * The claim that guards the lane.
     *
     * @return claim
     */
    public LaneClaim claim()
    {
        return claim;
    }

    /**
     * Where the lane leaves its source.
     *
     * @return outlet
     */
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
            throw new IllegalArgumentException("batch has another schema than its sender, sender=" + outlet.schema() +
                " batch=" + batch.schema() + "; make it with new EventBatch(sender.schema())");
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
