package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;

/** The inlet of a lane at the queue of a channel: waits while the queue is full. */
final class QueueInlet implements Inlet
{
    private final ChannelQueue queue;
    private final BatchStep[] steps;
    private final LaneCounters counters;
    private final Rejections rejections;
    private final Inlet next;

    /**
     * @param next downstream of the queue; {@code null} if several threads empty it
     */
    QueueInlet(final ChannelQueue queue, final BatchStep[] steps, final LaneCounters counters,
        final Rejections rejections, final Inlet next)
    {
        this.next = next;
        this.queue = queue;
        this.steps = steps;
        this.counters = counters;
        this.rejections = rejections;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        counters.add(batch.size());
        final int refused = queue.put(steps, batch);
        if (refused < 0)
        {
            rejections.count(-refused, MemoryAccount.MEMORY_FULL, queue.shortage(), null);
        }
        else if (refused > 0)
        {
            final boolean isFull = !queue.isClosed();
            rejections.count(refused, isFull ? RejectReason.QUEUE_FULL : RejectReason.STOPPED,
                isFull ? "the stages below are slower than the source" : "the queue was closed while rows arrived",
                    null);
        }
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return next == null ? SequencedSink.NOT_STORED : next.receivedFrom(producer);
    }
}
