package dev.millrace.command.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats a simulation for users: one line per number of members, then exceeded limits and remedies. */
public final class SimulationTable
{
    private SimulationTable()
    {
    }

    public static List<String> lines(final SimulationResult result)
    {
        final SimulationSettings settings = result.settings();
        final List<String> lines = new ArrayList<>();
        lines.add(format("%,d events/s per member, %,d keys, skew %.2f (most frequent key %.2f %%), %,d partitions, "
            + "flush %,d us, %.1f processors per member, seed %d", settings.rate(), settings.keys(), settings.skew(),
            100 * ZipfShares.ofTopKey(settings.keys(), settings.skew()), settings.partitions(), settings.flushUs(),
            settings.cores(), settings.seed()));
        if (settings.isPartitionedInFront())
        {
            lines.add(
                format("partitioned upstream: events arrive at their owner; clusters of %,d", settings.groupSize()));
        }
        lines.add(format("%7s %14s | %6s %7s %9s | %8s %8s %6s %6s | %6s %7s %9s %9s %9s | %9s %10s %11s %8s",
            "members", "events/s", "hops", "ev/btch", "batches/s", "mean CPU", "top CPU", "top/x", "idle", "moved",
            "traffic", "held", "gap ms", "back ms", "lap ms", "form s", "exchange ms", "links"));
        result.rows().forEach(row -> lines.add(line(settings, row)));
        result.rows().forEach(row -> addLimits(lines, settings, row));
        return lines;
    }

    private static String line(final SimulationSettings settings, final SimulationRow row)
    {
        final boolean isDirect = settings.isPartitionedInFront();
        return format("%,7d %,14d | %6s %7s %9s | %8.3f %8.3f %6.1f %,6d | %,6d %6.2f%% %,9.0f %,9.0f %9s | "
            + "%,9.1f %,10.1f %,11.1f %,8d", row.members(), row.members() * settings.rate(),
            isDirect ? "-" : format("%.1f%%", 100 * row.batches().remoteShare()),
            isDirect ? "-" : format("%.2f", row.batches().eventsPerBatch()),
            isDirect ? "-" : format("%,.0f", row.batches().batchesPerSourceSec()),
            row.meanCores(), row.topCores(), row.imbalance(), row.placement().idle(),
            row.loss().movedPartitions(), 100 * row.loss().reroutedShare(), row.loss().heldEvents(),
            row.loss().gapMs(), Double.isNaN(row.loss().caughtUpMs()) ? "not" :
                format("%,.0f", row.loss().caughtUpMs()),
            row.control().lapMs(), row.control().formationSec(), row.control().exchangeMs(), row.control().links());
    }

    private static void addLimits(final List<String> lines, final SimulationSettings settings,
        final SimulationRow row)
    {
        final List<CapacityLimit> limits = CapacityLimit.of(settings, row);
        lines.add("");
        if (!limits.get(0).isBroken())
        {
            lines.add(format("%,d members: no limit is exceeded; nearest: %s", row.members(), text(limits.get(0))));
        }
        for (final CapacityLimit limit : limits)
        {
            if (limit.isBroken())
            {
                lines.add(format("%,d members: %s", row.members(), text(limit)));
                lines.add("    remedy: " + limit.wayOut());
            }
        }
    }

    private static String text(final CapacityLimit limit)
    {
        return format("%s, needs %,.2f %s of %,.2f (%,.1f times)", limit.name(), limit.need(), limit.unit(),
            limit.have(), limit.use());
    }

    /** Returns one line per constant of the model. */
    public static List<String> constants()
    {
        final List<String> lines = new ArrayList<>();
        for (final Constant constant : Constant.values())
        {
            lines.add(format("%-22s %,8.0f %-10s %-8s  %s", constant.name(), constant.value(), constant.unit(),
                constant.origin().name().toLowerCase(Locale.ROOT), constant.source()));
        }
        return lines;
    }

    private static String format(final String pattern, final Object... values)
    {
        return String.format(Locale.ROOT, pattern, values);
    }
}
