package dev.millrace.command.simulation;

/**
 * Processor time of members by the measured costs. Immutable.
 *
 * <p>A member pays for its own source (packets, events), half of each hop of the events it sends on, half of each hop
 * of those it gets, and for processing what its partitions get. Events that come to their owner come in packets.
 */
final class Costs
{
    private static final double NS = 1e9;
    private static final double HALF = 0.5;

    private final SimulationSettings settings;
    private final int members;

    Costs(final SimulationSettings settings, final int members)
    {
        this.settings = settings;
        this.members = members;
    }

    /** Events that all sources together have a second. */
    double totalPerSec()
    {
        return (double)members * settings.rate();
    }

    /**
     * Batches with at least one event that a source has for a target a second, when n events of a flush time fall on it
     * with a probability each: the chance that not all of them miss it.
     */
    double batchesPerSec(final double share)
    {
        final double events = settings.rate() * settings.flushSec();
        return -Math.expm1(events * Math.log1p(-Math.min(share, 1 - 1e-12))) / settings.flushSec();
    }

    /** Processors that a source and what it sends on keep busy; none when events come to their owner. */
    double sourceCores(final double ownShare, final double batchesPerSec)
    {
        if (settings.isPartitionedInFront())
        {
            return 0;
        }
        final double packets = (double)settings.rate() / settings.ticksPerPacket();
        final double in = packets * Constant.PACKET_NS.value() + settings.rate() * Constant.EVENT_NS.value();
        return (in + hops(settings.rate() * (1 - ownShare), batchesPerSec)) / NS;
    }

    /** Half of the hops of so many events in so many batches, nanoseconds. */
    private static double hops(final double events, final double batches)
    {
        return HALF * (events * Constant.HOP_EVENT_NS.value() + batches * Constant.HOP_MESSAGE_NS.value());
    }

    /** Nanoseconds for each event that arrives at the owner of a share, from all sources. */
    double nsPerArrival(final double share)
    {
        if (settings.isPartitionedInFront())
        {
            return Constant.EVENT_NS.value() + Constant.PACKET_NS.value() / settings.ticksPerPacket();
        }
        final double fromEach = settings.rate() * share;
        final double remote = (members - 1.0) / members;
        return fromEach == 0 ? 0 : Constant.EVENT_NS.value() +
            remote * hops(fromEach, batchesPerSec(share)) / fromEach;
    }

    /** Processors that the owner of a share keeps busy with what arrives for it. */
    double ownerCores(final double share)
    {
        return totalPerSec() * share * nsPerArrival(share) / NS;
    }
}
