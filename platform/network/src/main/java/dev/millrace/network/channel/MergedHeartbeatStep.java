package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;

/**
 * Where several lanes whose rows have their times already meet in a queue: a heartbeat of one promises nothing for the
 * others, so that what goes on is the least time of all lanes. Used under the monitor of the queue.
 */
final class MergedHeartbeatStep implements BatchStep
{
    private final LaneTimes times;
    private final LaneTimes.Lane lane;
    private final EventBatch heartbeat;

    /**
     * Makes the step of one lane.
     *
     * @param times     latest time of each lane, shared by them
     * @param heartbeat goes on in the place of what comes
     */
    MergedHeartbeatStep(final LaneTimes times, final EventBatch heartbeat)
    {
        this.times = times;
        this.heartbeat = heartbeat;
        lane = times.open();
    }

    /** Ends the lane: it holds the others back no more. */
    void close()
    {
        times.close(lane);
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        final int rows = batch.size();
        final long timeNs = rows == 0 ? batch.baseTimestampNs() : batch.timestampNs(rows - 1);
        lane.seen(timeNs);
        if (rows > 0)
        {
            return batch;
        }
        final long least = times.leastNs();
        if (least == Long.MIN_VALUE)
        {
            return null;
        }
        heartbeat.baseTimestampNs(least);
        return heartbeat;
    }
}
