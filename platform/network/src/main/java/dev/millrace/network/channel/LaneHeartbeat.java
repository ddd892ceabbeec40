package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.channel.step.SystemTimeStep;
import dev.millrace.network.lane.Inlet;
import dev.millrace.network.lane.LaneLock;

/**
 * Heartbeats of a lane into a system-timestamped pass-through channel. When the lane is idle, it acquires the claim of
 * the lane and calls the lane instead of the source.
 */
final class LaneHeartbeat implements IdleTarget
{
    private final long heartbeatNs;
    private final LaneLock claim;
    private final SystemTimeStep time;
    private final EventBatch heartbeat;
    private final Inlet channel;

    LaneHeartbeat(
        final long heartbeatNs,
        final LaneLock claim,
        final SystemTimeStep time,
        final EventBatch heartbeat,
        final Inlet channel)
    {
        this.heartbeatNs = heartbeatNs;
        this.claim = claim;
        this.time = time;
        this.heartbeat = heartbeat;
        this.channel = channel;
    }

    @Override
    public long heartbeatNs()
    {
        return heartbeatNs;
    }

    @Override
    public void beatIfSilent(final long nowNs)
    {
        if (nowNs - time.lastNs() < heartbeatNs || !claim.tryEnter())
        {
            return;
        }
        try
        {
            if (nowNs - time.lastNs() >= heartbeatNs)
            {
                heartbeat.clear();
                channel.accept(heartbeat);
            }
        }
        finally
        {
            claim.leave();
        }
    }
}
