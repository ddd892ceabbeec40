package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;

/**
 * The loop of one consumer thread of a channel: takes batches from the queue and passes them to the lane below. An
 * exception rejects the batch, and the thread continues: without it producers would wait forever.
 */
final class QueueConsumer implements Runnable
{
    private final ChannelQueue queue;
    private final Outlet outlet;
    private final Rejections rejections;
    private final boolean keepsOrder;

    /**
     * @param keepsOrder whether it is the only one that empties the queue
     */
    QueueConsumer(final ChannelQueue queue, final Outlet outlet, final Rejections rejections, final boolean keepsOrder)
    {
        this.keepsOrder = keepsOrder;
        this.queue = queue;
        this.outlet = outlet;
        this.rejections = rejections;
    }

    @Override
    public void run()
    {
        ChannelQueue.Slot slot = queue.take(queue.newSlot());
        while (slot != null)
        {
            try
            {
                pass(slot);
            }
            finally
            {
                queue.done();
            }
            slot = queue.take(slot);
        }
    }

    private void pass(final ChannelQueue.Slot slot)
    {
        if (slot.batch.size() > 0)
        {
            if (!keepsOrder)
            {
                slot.batch.clearSequences();
            }
            pass(slot.batch);
        }
        if (slot.heartbeatNs != ChannelQueue.NO_HEARTBEAT)
        {
            slot.batch.clear();
            slot.batch.baseTimestampNs(slot.heartbeatNs);
            pass(slot.batch);
        }
    }

    private void pass(final EventBatch batch)
    {
        final int rows = batch.size();
        try
        {
            outlet.accept(batch);
        }
        catch (final Throwable e)
        {
            rejections.count(Math.max(1, rows), RejectReason.STAGE_FAILED, e.toString(), e);
        }
    }
}
