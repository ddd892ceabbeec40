package dev.millrace.network.channel.step;

import java.util.ArrayList;
import java.util.List;

/** The time that each of the lanes into a queue has reached. Guarded by the monitor of the queue. */
public final class LaneWatermarks
{
    private final List<Lane> lanes = new ArrayList<>();

    /** The time of one lane. */
    static final class Lane
    {
        private long timeNs;

        void seen(final long newTimeNs)
        {
            timeNs = Math.max(timeNs, newTimeNs);
        }
    }

    /** Adds a lane. A lane that is added later starts at the minimum of the others. */
    Lane open()
    {
        final Lane lane = new Lane();
        lane.timeNs = lanes.isEmpty() ? Long.MIN_VALUE : leastNs();
        lanes.add(lane);
        return lane;
    }

    void close(final Lane lane)
    {
        lanes.remove(lane);
    }

    /** The minimum time of all lanes; {@link Long#MIN_VALUE} while a lane has none. */
    long leastNs()
    {
        long least = Long.MAX_VALUE;
        for (final Lane lane : lanes)
        {
            least = Math.min(least, lane.timeNs);
        }
        return least;
    }
}
