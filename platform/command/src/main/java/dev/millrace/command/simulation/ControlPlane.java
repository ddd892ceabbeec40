package dev.millrace.command.simulation;

/**
 * Cost of the cluster itself, without events, computed by formulas.
 *
 * @param links           links of a member to others
 * @param linksOfAll      links of all members, each counted once
 * @param linkMiB         memory of a member for its links
 * @param lapMs           duration of a message around the ring
 * @param formationSec    time until all members have joined, one after the other
 * @param exchangeMs      work of the coordinator when a member joins or leaves: the data to send to each member
 * @param gapMs           from kill -9 of a member until the others know the new owners of its partitions
 * @param updateCores     processors for cache updates at the member that is the source of all changes
 * @param updateCoresEach the same at each other member
 */
record ControlPlane(int links, long linksOfAll, double linkMiB, double lapMs, double formationSec, double exchangeMs,
    double gapMs, double updateCores, double updateCoresEach)
{
    private static final double US_PER_MS = 1e3;
    private static final double NS_PER_MS = 1e6;
    private static final double NS_PER_SEC = 1e9;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final double HALF = 0.5;

    static ControlPlane of(final SimulationSettings settings, final int members)
    {
        final int cluster = settings.clusterOf(members);
        final double lapMs = lapMs(cluster);
        final double exchangeMs = exchangeMs(cluster);
        final double hopNs = HALF * (updateMessages(settings) * Constant.HOP_MESSAGE_NS.value() +
            settings.updates() * Constant.HOP_EVENT_NS.value());
        return new ControlPlane(cluster - 1, (long)members * (cluster - 1) / 2,
            (cluster - 1) * Constant.LINK_KIB.value() / 1024, lapMs, formationSec(cluster), exchangeMs,
            Constant.DETECTION_MS.value() + Constant.REMAP_MS.value() + lapMs + exchangeMs,
            (cluster - 1) * hopNs / NS_PER_SEC, hopNs / NS_PER_SEC);
    }

    static double lapMs(final int members)
    {
        return members * Constant.RING_HOP_US.value() / US_PER_MS;
    }

    /** Each member gets a message with data for each member and partition of each map. */
    static double exchangeMs(final int members)
    {
        final double bytes = (double)members * members * Constant.SHARED_MAPS.value() *
            Constant.SHARED_MAP_PARTITIONS.value() * Constant.EXCHANGE_ENTRY_BYTES.value();
        return members * Constant.HOP_MESSAGE_NS.value() / NS_PER_MS +
            bytes / BYTES_PER_MIB / Constant.EXCHANGE_MIB_PER_SEC.value() * US_PER_MS;
    }

    /** The n-th member joins n - 1 others; laps and exchange are those of n members. */
    static double formationSec(final int members)
    {
        double ms = 0;
        for (int i = 1; i <= members; i++)
        {
            ms += Constant.JOIN_MS.value() + Constant.LAPS_PER_JOIN.value() * lapMs(i) + exchangeMs(i);
        }
        return ms / US_PER_MS;
    }

    /** Changes within one flush time are sent together. */
    private static double updateMessages(final SimulationSettings settings)
    {
        return Math.min(settings.updates(), 1 / settings.flushSec());
    }
}
