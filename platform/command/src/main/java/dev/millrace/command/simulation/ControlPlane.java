package dev.millrace.command.simulation;

/**
 * What it takes to be a cluster of so many, by formulas; events apart.
 *
 * @param links           of a member to others
 * @param linksOfAll      of all members, each counted once
 * @param linkMiB         memory of a member for its links
 * @param lapMs           of a message around the ring
 * @param formationSec    until so many have joined, one after the other
 * @param exchangeMs      work of the coordinator for one who joins or goes: what each must be told
 * @param gapMs           from kill -9 of a member until the others know the new owners of its partitions
 * @param updateCores     processors that caches keep busy at the member where all their changes come from
 * @param updateCoresEach the same at each of the others
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

    /** Each member gets a message, and in it a word about each partition of each map at each member. */
    static double exchangeMs(final int members)
    {
        final double bytes = (double)members * members * Constant.SHARED_MAPS.value() *
            Constant.SHARED_MAP_PARTITIONS.value() * Constant.EXCHANGE_ENTRY_BYTES.value();
        return members * Constant.HOP_MESSAGE_NS.value() / NS_PER_MS +
            bytes / BYTES_PER_MIB / Constant.EXCHANGE_MIB_PER_SEC.value() * US_PER_MS;
    }

    /** The n-th that joins finds n - 1; laps and exchange are those of n. */
    static double formationSec(final int members)
    {
        double ms = 0;
        for (int i = 1; i <= members; i++)
        {
            ms += Constant.JOIN_MS.value() + Constant.LAPS_PER_JOIN.value() * lapMs(i) + exchangeMs(i);
        }
        return ms / US_PER_MS;
    }

    /** Changes of one flush time travel together. */
    private static double updateMessages(final SimulationSettings settings)
    {
        return Math.min(settings.updates(), 1 / settings.flushSec());
    }
}
