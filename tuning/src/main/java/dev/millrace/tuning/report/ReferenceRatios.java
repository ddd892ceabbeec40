package dev.millrace.tuning.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The best known ratios to the baseline on a machine, by workload. A new run may be worse, since machines are busy, but
 * not twice as bad. Immutable.
 *
 * @param machine where they were measured, as returned by {@link Machine#name}
 * @param java    version
 * @param ratios  by name, or name:variant
 */
public record ReferenceRatios(String machine, String java, String date, Map<String, Double> ratios)
{
    /** From this factor on, a ratio counts as a regression that noise does not explain. */
    static final double TWICE = 2;

    private static final double BETTER = 0.8;

    /**
     * The change of a workload.
     *
     * @param name   or name:variant
     * @param before ratio of the guard, NaN when it has none
     * @param now    ratio of the new run, NaN when it has none
     */
    public record Change(String name, double before, double now)
    {
        public boolean isTwiceAsBad()
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

        /** A row of the table with the heading {@link #HEAD}. */
        public String line()
        {
            return String.format(Locale.ROOT, "%-28s %8s %8s %8s  %s", name, figure(before), figure(now),
                figure(now / before), verdict());
        }

        private static String figure(final double value)
        {
            return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
        }
    }

    /** Heading of the lines of changes. */
    public static final String HEAD =
        String.format(Locale.ROOT, "%-28s %8s %8s %8s", "workload", "guard", "now", "change");

    /** A copy in which the given ratios replace those of the same names. */
    ReferenceRatios with(final Map<String, Double> others, final String version, final String when)
    {
        final Map<String, Double> all = new TreeMap<>(ratios);
        all.putAll(others);
        return new ReferenceRatios(machine, version, when, all);
    }

    /** Description for the head of a comparison. */
    public String origin()
    {
        return machine + ", Java " + java + ", " + date;
    }

    /**
     * Compares a run.
     *
     * @param now ratios of the run
     * @return a change for each workload of the guard and of the run, by name
     */
    public List<Change> changes(final Map<String, Double> now)
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
