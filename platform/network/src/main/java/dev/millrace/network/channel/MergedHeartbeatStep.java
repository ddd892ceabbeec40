package dev.millrace.network.channel;

import dev.millrace.api.event.EventBatch;
import java.util.Arrays;

/**
 * Where several lanes whose rows have their times already meet in a queue: a heartbeat of one promises nothing for the
 * others, so that what goes on is the least time of all lanes. Used under the monitor of the queue.
 */
final class MergedHeartbeatStep implements BatchStep
{
    private final long[] timesNs;
    private final int lane;
    private final EventBatch heartbeat;

    /**
     * Makes the step of one lane.
     *
     * @param timesNs   latest time of each lane, shared by them
     * @param lane      index of this one
     * @param heartbeat goes on in the place of what comes
     */
    MergedHeartbeatStep(final long[] timesNs, final int lane, final EventBatch heartbeat)
    {
        this.timesNs = timesNs;
        this.lane = lane;
        this.heartbeat = heartbeat;
        Arrays.fill(timesNs, Long.MIN_VALUE);
    }

    @Override
    public EventBatch apply(final EventBatch batch)
    {
        final int rows = batch.size();
        final long timeNs = rows == 0 ? batch.baseTimestampNs() : batch.timestampNs(rows - 1);
        timesNs[lane] = Math.max(timesNs[lane], timeNs);
        if (rows > 0)
        {
            return batch;
        }
        long least = Long.MAX_VALUE;
        for (final long each : timesNs)
        {
            least = Math.min(least, each);
        }
        if (least == Long.MIN_VALUE)
        {
            return null;
        }
        heartbeat.baseTimestampNs(least);
        return heartbeat;
    }
}
