package dev.millrace.command.recovery;

import com.google.gson.GsonBuilder;
import dev.millrace.command.scaling.fleet.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Times of starts after a kill. Immutable.
 *
 * @param groups           number of groups in the state
 * @param plainMs          until an application that is not durable runs
 * @param emptyMs          until a durable application without state runs
 * @param fullMs           until a durable application with the groups runs
 * @param firstRowMs       until its first row is stored
 * @param snapshotBytes    size of its newest snapshot
 * @param replayedBatches  batches that all of its starts have replayed
 * @param snapshotPausesUs how long rows waited at most for a snapshot, for each start
 * @param rows             comparison of all stored rows
 */
public record StateResult(RecoverySettings settings, int groups, List<Double> plainMs, List<Double> emptyMs,
    List<Double> fullMs, List<Double> firstRowMs, long snapshotBytes, long replayedBatches,
    List<Double> snapshotPausesUs, RecoveryResult.Rows rows)
{
    private static final double MIB = 1 << 20;

    /** Returns the figures as JSON. */
    public String json()
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("machine", Machine.describe());
        out.put("jdk", Runtime.version().toString());
        out.put("seed", settings.seed());
        out.put("kills", fullMs.size());
        out.put("stateRows", groups);
        out.put("plainStartMs", RecoveryResult.percentiles(plainMs));
        out.put("emptyStartMs", RecoveryResult.percentiles(emptyMs));
        out.put("recoveryMs", RecoveryResult.percentiles(fullMs));
        out.put("firstRowMs", RecoveryResult.percentiles(firstRowMs));
        out.put("snapshotBytes", snapshotBytes);
        out.put("snapshotPauseUs", RecoveryResult.percentiles(snapshotPausesUs));
        out.put("replayedBatches", replayedBatches);
        rows.putInto(out);
        return new GsonBuilder().setPrettyPrinting().serializeNulls().create().toJson(out) + "\n";
    }

    /** Returns the figures as a table for users. */
    public String table()
    {
        return line("plain", "runs", plainMs) + line("empty", "runs", emptyMs) + line("full", "runs", fullMs) +
            line("full", "first row", firstRowMs) + String.format(Locale.ROOT,
            "  state     %,14d groups, snapshot of %.1f MiB, pause %,.0f ms 50 %%  %,.0f ms max%n", groups,
            snapshotBytes / MIB, RecoveryResult.percentile(snapshotPausesUs, 0.5) / 1e3,
            RecoveryResult.percentile(snapshotPausesUs, 1) / 1e3) + rows.table();
    }

    private static String line(final String name, final String until, final List<Double> ms)
    {
        return String.format(Locale.ROOT, "  %-9s %,14.0f ms 50 %%  %,.0f ms max  %s%n", name,
            RecoveryResult.percentile(ms, 0.5), RecoveryResult.percentile(ms, 1), until);
    }

    /**
     * Ends the command when a row is missing, doubled or wrong.
     *
     * @throws dev.millrace.command.cli.CommandException with the first differences
     */
    public void check()
    {
        rows.check(settings.seed());
    }
}
