package dev.millrace.command.simulation;

/**
 * Processor time of members, computed from the measured costs. Immutable.
 *
 * <p>A member pays for its own source (packets, events), half of each hop of the events it sends, half of each hop of
 * those it receives, and the processing of its partitions' events. Events that arrive directly at their owner arrive in
 * packets.
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

    /** Returns the events per second of all sources. */
    double totalPerSec()
    {
        return (double)members * settings.rate();
    }

    /**
     * Returns the batches per second, each with at least one event, from a source to a target, when each of the n
     * events of a flush time goes to the target with a given probability: the probability that at least one of them
     * does.
     */
    double batchesPerSec(final double share)
    {
        final double events = settings.rate() * settings.flushSec();
        return -Math.expm1(events * Math.log1p(-Math.min(share, 1 - 1e-12))) / settings.flushSec();
    }

    /**
     * Returns the processors used by a source and its outgoing hops; none when events arrive directly at their owner.
     */
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

    /** Returns half of the cost of the hops of these events in these batches, nanoseconds. */
    private static double hops(final double events, final double batches)
    {
        return HALF * (events * Constant.HOP_EVENT_NS.value() + batches * Constant.HOP_MESSAGE_NS.value());
    }

    /** Returns the nanoseconds per event that arrives at the owner of a share, from all sources. */
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

    /** Returns the processors used by the owner of a share for its incoming events. */
    double ownerCores(final double share)
    {
        return totalPerSec() * share * nsPerArrival(share) / NS;
    }
}
