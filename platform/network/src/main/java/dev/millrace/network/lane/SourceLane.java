package dev.millrace.network.lane;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * The beginning of a lane, which a columnar source sends through. Confined to the thread of the source;
 * {@link #reject(int, String, String)} is thread-safe.
 */
public final class SourceLane implements EventBatchSender
{
    private final Rejections rejections;
    private final IntConsumer rejectClosed;
    private final Supplier<SourceLane> another;
    private final LaneLock claim = new LaneLock();
    private final Outlet outlet;

    /**
     * @param rejectClosed counts rows that are sent while the lane is closed
     * @param another      opens a lane for another thread of the source
     */
    SourceLane(final BatchSchema schema, final StageMeter meter, final IntConsumer rejectClosed,
        final Supplier<SourceLane> another)
    {
        rejections = meter.rejections();
        this.rejectClosed = rejectClosed;
        this.another = another;
        outlet = new Outlet(schema, null, claim, meter.openOut());
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
            rejectClosed.accept(batch.size());
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
        rejections.count(rows, reason, detail, null);
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return outlet.receivedFrom(producer);
    }

    @Override
    public EventBatchSender another()
    {
        return another.get();
    }
}
