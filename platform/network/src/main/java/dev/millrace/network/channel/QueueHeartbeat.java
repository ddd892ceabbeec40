package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.channel.step.BatchStep;
import dev.millrace.network.channel.step.SystemTimeStep;

/** Heartbeats of a system-timestamped channel with a queue: put in like a row, when no producer is putting. */
final class QueueHeartbeat implements IdleTarget
{
    private final long heartbeatNs;
    private final ChannelQueue queue;
    private final SystemTimeStep time;
    private final EventBatch heartbeat;
    private final BatchStep[] steps;

    QueueHeartbeat(
        final long heartbeatNs, final ChannelQueue queue, final SystemTimeStep time, final EventBatch heartbeat)
    {
        this.heartbeatNs = heartbeatNs;
        this.queue = queue;
        this.time = time;
        this.heartbeat = heartbeat;
        steps = new BatchStep[]{time};
    }

    @Override
    public long heartbeatNs()
    {
        return heartbeatNs;
    }

    @Override
    public void beatIfSilent(final long nowNs)
    {
        if (nowNs - time.lastNs() >= heartbeatNs && queue.isIdle())
        {
            heartbeat.clear();
            queue.put(steps, heartbeat);
        }
    }
}
