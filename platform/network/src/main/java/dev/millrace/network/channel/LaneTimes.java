package dev.millrace.network.channel;

import java.util.ArrayList;
import java.util.List;

/** How far the time has come on each of the lanes that meet in a queue. Used under the monitor of the queue. */
final class LaneTimes
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

    /**
     * Adds a lane. One that comes late promises what the others have promised.
     *
     * @return its time
     */
    Lane open()
    {
        final Lane lane = new Lane();
        lane.timeNs = lanes.isEmpty() ? Long.MIN_VALUE : leastNs();
        lanes.add(lane);
        return lane;
    }

    /**
     * Takes a lane away.
     *
     * @param lane of these
     */
    void close(final Lane lane)
    {
        lanes.remove(lane);
    }

    /**
     * The time that all lanes have reached.
     *
     * @return {@link Long#MIN_VALUE} while one has none
     */
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
