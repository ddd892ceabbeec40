package dev.millrace.command.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Something of which there is not enough for any number of members.
 *
 * @param name   of it
 * @param need   what is needed
 * @param have   what there is
 * @param unit   of both
 * @param wayOut what to do when it does not suffice
 */
record Limit(String name, double need, double have, String unit, String wayOut)
{
    private static final double FORMATION_SEC = 600;
    private static final double LINK_MIB = 64;

    /** More than 1 means that it breaks. */
    double use()
    {
        return need / have;
    }

    boolean isBroken()
    {
        return need > have;
    }

    /** All of them, the worst first. */
    static List<Limit> of(final SimulationSettings settings, final SimulationRow row)
    {
        final ControlPlane control = row.control();
        final List<Limit> limits = new ArrayList<>();
        limits.add(new Limit("hottest member", row.topCores(), settings.cores(), "processors",
            "one key cannot be split: sum up in front of the partitioned channel, or give that key more steps"));
        limits.add(new Limit("mean member", row.meanCores(), settings.cores(), "processors",
            "events must not hop: partition them in front (Kafka, sources that keep to their keys), or flush later"));
        limits.add(new Limit("partitions", row.members() * Math.log(row.members()), settings.partitions(), "partitions",
            "with fewer some members get none; ten a member are even, too"));
        limits.add(new Limit("memory of links", control.linkMiB(), LINK_MIB, "MiB",
            "groups of clusters: only members of a group know each other"));
        limits.add(new Limit("lap of the ring", control.lapMs(), Constant.FAILURE_DETECTION_MS.value(), "ms",
            "groups of clusters; a longer failure-detection-millis makes every loss longer"));
        limits.add(new Limit("exchange of the coordinator", control.exchangeMs(),
            Constant.FAILURE_DETECTION_MS.value(), "ms", "groups of clusters: a coordinator for each"));
        limits.add(new Limit("formation", control.formationSec(), FORMATION_SEC, "s",
            "groups of clusters, which form beside each other"));
        limits.add(new Limit("cache updates at their source", control.updateCores(), settings.cores(), "processors",
            "caches that change fast belong to a group, or behind a topic that each group reads"));
        limits.sort(Comparator.comparingDouble(Limit::use).reversed());
        return limits;
    }
}
