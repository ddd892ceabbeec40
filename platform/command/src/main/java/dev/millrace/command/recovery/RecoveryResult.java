package dev.millrace.command.recovery;

import com.google.gson.GsonBuilder;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.scaling.fleet.Machine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was killed and what was stored. Immutable.
 *
 * @param kills            number by moment
 * @param sent             rows that the generator has sent, each counted once
 * @param rows             expected and stored rows, and their differences
 * @param recoveryMs       each time from the start of a process until the application ran
 * @param resumedMs        the same where applications were resumed, because they were killed while they started
 * @param replayedBatches  batches that all starts have replayed
 * @param snapshotPausesUs how long rows waited at most for a snapshot, for each start and processor
 * @param seconds          duration of the kills
 */
public record RecoveryResult(RecoverySettings settings, Map<KillMoment, Integer> kills, long sent, Rows rows,
    List<Double> recoveryMs, List<Double> resumedMs, long replayedBatches, List<Double> snapshotPausesUs,
    double seconds)
{
    /**
     * Rows of the sinks.
     *
     * @param examples the first differences in words
     */
    public record Rows(long expected, long delivered, long missing, long doubled, long wrong, List<String> examples)
    {
        /** Returns the sum of the comparisons of all connections. */
        static Rows of(final List<RowComparison> all)
        {
            return new Rows(all.stream().mapToLong(RowComparison::expected).sum(),
                all.stream().mapToLong(RowComparison::delivered).sum(),
                all.stream().mapToLong(RowComparison::missing).sum(),
                all.stream().mapToLong(RowComparison::doubled).sum(),
                all.stream().mapToLong(RowComparison::wrong).sum(),
                all.stream().flatMap(each -> each.examples().stream()).toList());
        }

        void putInto(final Map<String, Object> out)
        {
            out.put("expected", expected);
            out.put("delivered", delivered);
            out.put("missing", missing);
            out.put("doubled", doubled);
            out.put("wrong", wrong);
            out.put("examples", examples);
        }

        String table()
        {
            return row("expected", "%,14d", expected) + row("delivered", "%,14d", delivered) +
                row("missing", "%,14d", missing) + row("doubled", "%,14d", doubled) + row("wrong", "%,14d", wrong);
        }

        void check(final long seed)
        {
            if (missing + doubled + wrong > 0)
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0210", "rows are not stored exactly once, missing=" +
                    missing + " doubled=" + doubled + " wrong=" + wrong + " seed=" + seed,
                    "the first differences:\n" + String.join("\n", examples));
            }
        }
    }

    private int killCount()
    {
        return kills.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns the value that a share of the values does not exceed; NaN without values. */
    static double percentile(final List<Double> values, final double share)
    {
        final List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.isEmpty() ? Double.NaN : sorted.get((int)Math.max(0, Math.ceil(share * sorted.size()) - 1));
    }

    static Map<String, Double> percentiles(final List<Double> values)
    {
        final Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("p50", finite(percentile(values, 0.5)));
        figures.put("p99", finite(percentile(values, 0.99)));
        figures.put("max", finite(percentile(values, 1)));
        return figures;
    }

    private static Double finite(final double value)
    {
        return Double.isNaN(value) ? null : value;
    }

    /** Returns the figures as JSON. */
    public String json()
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("machine", Machine.describe());
        out.put("jdk", Runtime.version().toString());
        out.put("variant", settings.variant().label());
        out.put("seed", settings.seed());
        out.put("rate", settings.rate());
        out.put("kills", killCount());
        final Map<String, Integer> moments = new LinkedHashMap<>();
        kills.forEach((moment, count) -> moments.put(moment.label(), count));
        out.put("killsByMoment", moments);
        out.put("sent", sent);
        rows.putInto(out);
        out.put("recoveryMs", percentiles(recoveryMs));
        out.put("replayedBatches", replayedBatches);
                out.put("snapshotPauseUs", percentiles(snapshotPausesUs));
        out.put("resumed", resumedMs.size());
        out.put("resumedMs", percentiles(resumedMs));
        out.put("secondsPerKill", seconds / Math.max(1, killCount()));
        return new GsonBuilder().setPrettyPrinting().serializeNulls().create().toJson(out) + "\n";
    }

    /** Returns the figures as a table for users. */
    public String table()
    {
        final StringBuilder moments = new StringBuilder();
        kills.forEach((moment, count) -> moments.append(moments.isEmpty() ? "" : ", ").append(moment.label())
            .append(' ').append(count));
        return row("kills", "%,14d  %s, %.1f s each", killCount(), moments, seconds / Math.max(1, killCount())) +
            row("sent", "%,14d", sent) + rows.table() +
            row("recovery", "%,14.0f ms 50 %%  %,.0f ms 99 %%  %,.0f ms max", percentile(recoveryMs, 0.5),
                percentile(recoveryMs, 0.99), percentile(recoveryMs, 1)) +
            row("replayed", "%,14d batches", replayedBatches) +
            row("pauses", "%,14.0f us 50 %%  %,.0f us 99 %%  %,.0f us max, of snapshots",
                percentile(snapshotPausesUs, 0.5), percentile(snapshotPausesUs, 0.99),
                percentile(snapshotPausesUs, 1)) +
            row("resumed", "%,14d starts, after a kill during a start", resumedMs.size());
    }

    private static String row(final String name, final String format, final Object... values)
    {
        return String.format(Locale.ROOT, "  %-9s", name) + String.format(Locale.ROOT, format, values) +
            System.lineSeparator();
    }

    /**
     * Ends the command when a row is missing, doubled or wrong.
     *
     * @throws CommandException with the first differences
     */
    public void check()
    {
        rows.check(settings.seed());
    }
}
