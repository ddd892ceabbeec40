package dev.millrace.network.channel.step;

import dev.millrace.api.event.EventBatch;

/**
 * Merges heartbeats where several lanes whose rows already have times meet in a queue. A heartbeat of one lane promises
 * nothing for the others, so the minimum time of all lanes is passed on. Guarded by the monitor of the queue.
 */
public final class WatermarkMergeStep implements BatchStep
{
    private final LaneWatermarks times;
    private final LaneWatermarks.Lane lane;
    private final EventBatch heartbeat;

    /**
     * @param times     latest time of each lane, shared by the lanes
     * @param heartbeat reused batch that is passed on instead of the incoming heartbeat
     */
    public WatermarkMergeStep(final LaneWatermarks times, final EventBatch heartbeat)
    {
        this.times = times;
        this.heartbeat = heartbeat;
        lane = times.open();
    }

    /** Ends the lane: it no longer holds back the minimum. */
    public void close()
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
