package dev.millrace.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ratios to the limit that were reached once on a machine, by workload: a new run may be worse, since machines are
 * busy, but not twice as bad. Immutable.
 *
 * @param machine where they were measured, as {@link Machine#name} says it
 * @param java    by which version
 * @param date    when
 * @param ratios  by name, or name:variant
 */
record Guard(String machine, String java, String date, Map<String, Double> ratios)
{
    /** Where a ratio counts as a step back that noise does not explain. */
    static final double TWICE = 2;

    private static final double BETTER = 0.8;

    /**
     * What became of a workload.
     *
     * @param name   or name:variant
     * @param before ratio of the guard, NaN when it has none
     * @param now    ratio of the new run, NaN when it has none
     */
    record Change(String name, double before, double now)
    {
        boolean isTwiceAsBad()
        {
            return now / before >= TWICE;
        }

        String verdict()
        {
            if (Double.isNaN(now))
            {
                return "not measured";
            }
            if (Double.isNaN(before))
            {
                return "not in the guard";
            }
            return isTwiceAsBad() ? "TWICE AS BAD" : now / before <= BETTER ? "better" : "ok";
        }

        /** For the table, under {@link #HEAD}. */
        String line()
        {
            return String.format(Locale.ROOT, "%-28s %8s %8s %8s  %s", name, figure(before), figure(now),
                figure(now / before), verdict());
        }

        private static String figure(final double value)
        {
            return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
        }
    }

    /** Above the lines of changes. */
    static final String HEAD =
        String.format(Locale.ROOT, "%-28s %8s %8s %8s", "workload", "guard", "now", "change");

    /** The same with other ratios in place of those of the same names. */
    Guard with(final Map<String, Double> others, final String version, final String when)
    {
        final Map<String, Double> all = new TreeMap<>(ratios);
        all.putAll(others);
        return new Guard(machine, version, when, all);
    }

    /** For the head of a comparison. */
    String origin()
    {
        return machine + ", Java " + java + ", " + date;
    }

    /**
     * Compares a run.
     *
     * @param now ratios of the run
     * @return a change for each workload of the guard and of the run, by name
     */
    List<Change> changes(final Map<String, Double> now)
    {
        final TreeSet<String> names = new TreeSet<>(ratios.keySet());
        names.addAll(now.keySet());
        final List<Change> changes = new ArrayList<>();
        for (final String name : names)
        {
            changes.add(new Change(
                name, ratios.getOrDefault(name, Double.NaN), now.getOrDefault(name, Double.NaN)));
        }
        return changes;
    }
}
