package dev.millrace.command.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A limited resource, for a given number of members.
 *
 * @param need   required amount
 * @param have   available amount
 * @param unit   unit of both
 * @param wayOut remedy when the resource is exhausted
 */
record CapacityLimit(String name, double need, double have, String unit, String wayOut)
{
    private static final double FORMATION_SEC = 600;
    private static final double LINK_MIB = 64;

    /** A value over 1 means that the limit is exceeded. */
    double use()
    {
        return need / have;
    }

    boolean isBroken()
    {
        return need > have;
    }

    /** Returns all limits, the most critical first. */
    static List<CapacityLimit> of(final SimulationSettings settings, final SimulationRow row)
    {
        final ControlPlane control = row.control();
        final List<CapacityLimit> limits = new ArrayList<>();
        limits.add(new CapacityLimit("hottest member", row.topCores(), settings.cores(), "processors",
            "one key cannot be split: aggregate upstream of the partitioned channel, or process that key in several"
                + " stages"));
        limits.add(new CapacityLimit("mean member", row.meanCores(), settings.cores(), "processors",
            "events must not hop: partition them upstream (Kafka, sources with fixed keys), or increase the flush"
                + " time"));
        limits.add(new CapacityLimit("partitions", row.members() * Math.log(row.members()), settings.partitions(),
            "partitions",
            "with fewer, some members get none; ten per member also balance the load"));
        limits.add(new CapacityLimit("memory of links", control.linkMiB(), LINK_MIB, "MiB",
            "groups of clusters: only members of a group are connected"));
        limits.add(new CapacityLimit("lap of the ring", control.lapMs(), Constant.FAILURE_DETECTION_MS.value(), "ms",
            "groups of clusters; a longer failure-detection-millis delays the recovery from every loss"));
        limits.add(new CapacityLimit("exchange of the coordinator", control.exchangeMs(),
            Constant.FAILURE_DETECTION_MS.value(), "ms", "groups of clusters: one coordinator per group"));
        limits.add(new CapacityLimit("formation", control.formationSec(), FORMATION_SEC, "s",
            "groups of clusters, which form in parallel"));
        limits.add(new CapacityLimit("cache updates at their source", control.updateCores(), settings.cores(),
            "processors",
            "keep frequently changed caches within a group, or feed them from a topic that each group reads"));
        limits.sort(Comparator.comparingDouble(CapacityLimit::use).reversed());
        return limits;
    }
}
