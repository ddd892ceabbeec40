package dev.millrace.network.channel;

import dev.millrace.network.lane.Outlet;

/** The work of one thread of a channel: takes batches out of the queue and walks the lane below with them. */
final class QueueConsumer implements Runnable
{
    private final ChannelQueue queue;
    private final Outlet outlet;

    QueueConsumer(final ChannelQueue queue, final Outlet outlet)
    {
        this.queue = queue;
        this.outlet = outlet;
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
            outlet.accept(slot.batch);
        }
        if (slot.heartbeatNs != ChannelQueue.NO_HEARTBEAT)
        {
            slot.batch.clear();
            slot.batch.baseTimestampNs(slot.heartbeatNs);
            outlet.accept(slot.batch);
        }
    }
}
