package dev.millrace.command.replay;

import com.google.gson.JsonObject;
import dev.millrace.command.journal.JournalRow;
import dev.millrace.command.view.OutputFormat;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Prints differences as soon as they are final, one per line, and counts them. Confined to one thread. */
final class LiveDifference
{
    private static final String TITLE = "QUERY";
    private static final String CHANGED = "changed";
    private static final String ONLY_BEFORE = "only before";
    private static final String ONLY_AFTER = "only after";
    private static final List<String> KINDS = List.of(CHANGED, ONLY_BEFORE, ONLY_AFTER);

    private final RowDifference difference;
    private final boolean isJson;
    private final long limit;
    private final PrintWriter out;
    /** Number of rows of each query, by the kind of their difference. */
    private final Map<String, Map<String, Long>> counts = new TreeMap<>();
    private Map<String, RowDifference.Result> last = Map.of();

    /** @param limit number of rows of each kind of difference of a query that are printed; all are counted */
    LiveDifference(final RowDifference difference, final boolean isJson, final long limit, final PrintWriter out)
    {
        this.difference = difference;
        this.isJson = isJson;
        this.limit = limit;
        this.out = out;
    }

    /**
     * Compares until the replay ends.
     *
     * @return whether no row differs
     */
    boolean run(final LiveReplay replay, final PrintWriter notes) throws InterruptedException
    {
        final boolean isComplete = replay.run(completeNs ->
        {
            print(completeNs);
            return !difference.isFull();
        });
        final boolean isFull = difference.isFull();
        print(Long.MAX_VALUE);
        if (!isComplete)
        {
            notes.println(isFull ? "ended early: more than " + RowDifference.MAX_ROWS +
                " rows differ at times that are not complete" :
                "interrupted before all recorded rows were compared");
        }
        notes.println("replayed records=" + replay.records() + " until=" +
            DifferenceReport.time(replay.untilNs(), "-"));
        printCounts(notes);
        return counts.isEmpty();
    }

    private void print(final long beforeNs)
    {
        last = difference.take(beforeNs);
        last.forEach((query, of) ->
        {
            of.changed().forEach(change -> print(query, CHANGED, change.before(), change.after()));
            of.onlyBefore().forEach(row -> print(query, ONLY_BEFORE, row, null));
            of.onlyAfter().forEach(row -> print(query, ONLY_AFTER, row, null));
        });
        out.flush();
    }

    private void print(final String query, final String kind, final OutputRow row, final OutputRow after)
    {
        if (counts.computeIfAbsent(query, id -> new TreeMap<>()).merge(kind, 1L, Long::sum) > limit)
        {
            return;
        }
        if (isJson)
        {
            final JsonObject json = new JsonObject();
            json.addProperty("query", query);
            json.addProperty("difference", kind.equals(ONLY_BEFORE) ? "onlyBefore" : kind.equals(ONLY_AFTER) ?
                "onlyAfter" : kind);
            json.add("time", JournalRow.time(row.timeNs()));
            json.addProperty("kind", row.kind());
            json.add(after == null ? "row" : "before", row.values());
            if (after != null)
            {
                json.add("after", after.values());
            }
            out.println(OutputFormat.line(json));
        }
        else
        {
            out.printf("%-12s %s %s%n", kind, query, DifferenceReport.line(row));
            if (after != null)
            {
                out.printf("%12s %s %s%n", "to", query, DifferenceReport.line(after));
            }
        }
    }

    private long count(final String query, final String kind)
    {
        return counts.getOrDefault(query, Map.of()).getOrDefault(kind, 0L);
    }

    private void printCounts(final PrintWriter to)
    {
        final int width = Math.max(TITLE.length(), last.keySet().stream().mapToInt(String::length).max().orElse(0));
        to.printf("%-" + width + "s %10s %10s %10s %10s %11s %11s%n", TITLE, "BEFORE", "AFTER", "SAME", "CHANGED",
            "ONLY BEFORE", "ONLY AFTER");
        last.forEach((query, of) ->
        {
            final long[] rows = KINDS.stream().mapToLong(kind -> count(query, kind)).toArray();
            to.printf("%-" + width + "s %10d %10d %10d %10d %11d %11d%n", query, of.before(), of.after(),
                of.before() - rows[0] - rows[1], rows[0], rows[1], rows[2]);
        });
    }
}
