package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneCounters;

/** The inlet of a lane into a pass-through channel: calls its steps, then the stages below, on the caller's thread. */
final class ChannelInlet implements Inlet
{
    private final BatchStep[] steps;
    private final LaneCounters counters;
    private final Inlet next;

    ChannelInlet(final BatchStep[] steps, final LaneCounters counters, final Inlet next)
    {
        this.steps = steps;
        this.counters = counters;
        this.next = next;
    }

    @Override
    public void accept(final EventBatch batch)
    {
        counters.add(batch.size());
        final EventBatch result = applyAll(steps, batch);
        if (result != null)
        {
            next.accept(result);
        }
    }

    static EventBatch applyAll(final BatchStep[] steps, final EventBatch batch)
    {
        EventBatch current = batch;
        for (int i = 0; i < steps.length && current != null; i++)
        {
            current = steps[i].apply(current);
        }
        return current;
    }

    @Override
    public long receivedFrom(final String producer)
    {
        return next.receivedFrom(producer);
    }
}
