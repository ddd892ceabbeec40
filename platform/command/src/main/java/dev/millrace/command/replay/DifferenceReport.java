package dev.millrace.command.replay;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.journal.JournalRow;
import dev.millrace.command.view.OutputFormat;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * The difference between two sets of rules, as a table, as JSON and as a page. Immutable.
 *
 * @param application  name of the application
 * @param processor    id of its processor
 * @param rules        file of the changed rules
 * @param firstKeptNs  time of the first row that is kept
 * @param range        times that are compared
 * @param untilNs      time up to which records were replayed
 * @param records      number of records that were replayed
 * @param ending       why the replay ended early; empty if it did not
 * @param queries      differences by query
 * @param rejectedBefore number of rows that the current rules rejected, by reason
 * @param rejectedAfter  number of rows that the changed rules rejected, by reason
 */
record DifferenceReport(String application, String processor, String rules, long firstKeptNs, TimeRange range,
    long untilNs, long records, String ending, Map<String, RowDifference.Result> queries,
    Map<String, Long> rejectedBefore, Map<String, Long> rejectedAfter)
{
    private static final String TITLE = "QUERY";

    /** A note about the beginning of a replay. */
    static String emptyState(final long firstKeptNs)
    {
        return "state is empty before the first row that is kept, first=" +
            time(firstKeptNs, "-");
    }

    boolean isEmpty()
    {
        return queries.values().stream().allMatch(RowDifference.Result::isEmpty) &&
            rejectedBefore.equals(rejectedAfter);
    }

    /** A line for each fact about the replay. */
    List<String> notes()
    {
        final StringBuilder replayed = new StringBuilder("replayed ").append(application).append('/').append(processor)
            .append(", records=").append(records).append(" until=").append(time(untilNs, "-"));
        if (range.isLimited())
        {
            replayed.append(", compared from=").append(time(range.fromNs(), "-")).append(" to=")
                .append(range.toNs() == Long.MAX_VALUE ? "-" : time(range.toNs(), "-"));
        }
        return ending.isEmpty() ? List.of(replayed.toString(), emptyState(firstKeptNs)) :
            List.of(replayed.toString(), emptyState(firstKeptNs), ending);
    }

    /** A time as text. */
    static String time(final long timeNs, final String ofNone)
    {
        return timeNs == Long.MIN_VALUE ? ofNone : JournalRow.text(JournalRow.time(timeNs));
    }

    /** @param limit number of rows of each kind of difference of a query */
    void printTable(final int limit, final PrintWriter out)
    {
        notes().forEach(out::println);
        final int width = Math.max(TITLE.length(), queries.keySet().stream().mapToInt(String::length).max().orElse(0));
        out.println();
        out.printf("%-" + width + "s %10s %10s %10s %10s %11s %11s%n", TITLE, "BEFORE", "AFTER", "SAME", "CHANGED",
            "ONLY BEFORE", "ONLY AFTER");
        queries.forEach((query, of) -> out.printf("%-" + width + "s %10d %10d %10d %10d %11d %11d%n", query,
            of.before(), of.after(), of.same(), of.changed().size(), of.onlyBefore().size(), of.onlyAfter().size()));
        printRejected("before", rejectedBefore, out);
        printRejected("after", rejectedAfter, out);
        queries.forEach((query, of) ->
        {
            if (!of.isEmpty())
            {
                out.println();
                out.println(query);
                of.changed().stream().limit(limit).forEach(change ->
                {
                    out.println("  changed      " + line(change.before()));
                    out.println("            to " + line(change.after()));
                });
                printRest(of.changed().size(), limit, out);
                of.onlyBefore().stream().limit(limit).forEach(row -> out.println("  only before  " + line(row)));
                printRest(of.onlyBefore().size(), limit, out);
                of.onlyAfter().stream().limit(limit).forEach(row -> out.println("  only after   " + line(row)));
                printRest(of.onlyAfter().size(), limit, out);
            }
        });
    }

    static void printRejected(final String side, final Map<String, Long> rejected, final PrintWriter out)
    {
        rejected.forEach((reason, rows) ->
            out.println("rejected " + side + ": reason=" + reason + " rows=" + rows));
    }

    private static void printRest(final int all, final int limit, final PrintWriter out)
    {
        if (all > limit)
        {
            out.println("  ... " + (all - limit) + " more, see --limit");
        }
    }

    /** A row as text. */
    static String line(final OutputRow row)
    {
        return (row.time().isEmpty() ? "-" : row.time()) + ' ' + row.kind() + ' ' + row.text();
    }

    /** @param limit as for the table */
    void printJson(final int limit, final PrintWriter out)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("application", application);
        json.addProperty("processor", processor);
        json.addProperty("rules", rules);
        json.add("firstKept", JournalRow.time(firstKeptNs));
        json.add("from", JournalRow.time(range.fromNs()));
        json.add("to", JournalRow.time(range.toNs() == Long.MAX_VALUE ? Long.MIN_VALUE : range.toNs()));
        json.add("until", JournalRow.time(untilNs));
        json.addProperty("records", records);
        json.addProperty("complete", ending.isEmpty());
        json.addProperty("same", isEmpty());
        final JsonArray all = new JsonArray();
        queries.forEach((query, of) -> all.add(json(query, of, limit)));
        json.add("queries", all);
        json.add("rejectedBefore", json(rejectedBefore));
        json.add("rejectedAfter", json(rejectedAfter));
        OutputFormat.print(json, false, out);
    }

    private static JsonObject json(final String query, final RowDifference.Result of, final int limit)
    {
        final JsonObject json = new JsonObject();
        json.addProperty("query", query);
        json.addProperty("before", of.before());
        json.addProperty("after", of.after());
        json.addProperty("same", of.same());
        json.addProperty("changed", of.changed().size());
        json.addProperty("onlyBefore", of.onlyBefore().size());
        json.addProperty("onlyAfter", of.onlyAfter().size());
        final JsonArray changes = new JsonArray();
        of.changed().stream().limit(limit).forEach(change ->
        {
            final JsonObject pair = new JsonObject();
            pair.add("time", JournalRow.time(change.before().timeNs()));
            pair.addProperty("kind", change.before().kind());
            pair.add("before", change.before().values());
            pair.add("after", change.after().values());
            changes.add(pair);
        });
        json.add("changedRows", changes);
        json.add("rowsOnlyBefore", json(of.onlyBefore(), limit));
        json.add("rowsOnlyAfter", json(of.onlyAfter(), limit));
        return json;
    }

    private static JsonElement json(final List<OutputRow> rows, final int limit)
    {
        final JsonArray array = new JsonArray();
        rows.stream().limit(limit).forEach(row -> array.add(row.json()));
        return array;
    }

    private static JsonElement json(final Map<String, Long> counts)
    {
        final JsonObject json = new JsonObject();
        counts.forEach(json::addProperty);
        return json;
    }
}
