package dev.millrace.command.replay;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.api.event.EventBatch;
import dev.millrace.command.journal.JournalRow;
import dev.millrace.command.view.OutputFormat;
import dev.millrace.network.durable.ReplayEngine;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;

/** Prints the rows that the rules emit, one per line, in the order in which they are emitted. */
final class RowLines implements ReplayEngine.Output
{
    private final String format;
    private final TimeRange range;
    private final long limit;
    private final PrintWriter out;
    private final Map<String, Long> counts = new TreeMap<>();
    private final Map<String, Long> rejected = new TreeMap<>();
    private long printed;

    /**
     * @param format {@code table}, {@code csv} or {@code json}
     * @param limit  number of rows that are printed; the others are counted
     */
    RowLines(final String format, final TimeRange range, final long limit, final PrintWriter out)
    {
        this.format = format;
        this.range = range;
        this.limit = limit;
        this.out = out;
    }

    @Override
    public void rows(final String query, final EventBatch rows)
    {
        for (int row = 0; row < rows.size(); row++)
        {
            if (range.contains(rows.timestampNs(row)))
            {
                counts.merge(query, 1L, Long::sum);
                if (printed < limit)
                {
                    printed++;
                    print(query, OutputRow.of(rows, row));
                }
            }
        }
    }

    private void print(final String query, final OutputRow row)
    {
        switch (format)
        {
            case "json" ->
            {
                final JsonObject json = new JsonObject();
                json.addProperty("query", query);
                row.json().entrySet().forEach(each -> json.add(each.getKey(), each.getValue()));
                out.println(OutputFormat.line(json));
            }
            case "csv" ->
            {
                final StringBuilder line = new StringBuilder(JournalRow.quoted(query)).append(',').append(row.time())
                    .append(',').append(row.kind());
                for (final Map.Entry<String, JsonElement> value : row.values().entrySet())
                {
                    line.append(',').append(JournalRow.quoted(JournalRow.text(value.getValue())));
                }
                out.println(line);
            }
            default -> out.println((row.time().isEmpty() ? "-" : row.time()) + ' ' + query + ' ' + row.kind() + ' ' +
                row.text());
        }
    }

    @Override
    public void rejected(final int rows, final String reason, final String detail)
    {
        rejected.merge(reason, (long)rows, Long::sum);
    }

    /** Number of rows in the range, by query. */
    Map<String, Long> counts()
    {
        return counts;
    }

    /** Number of rejected rows by reason. */
    Map<String, Long> rejected()
    {
        return rejected;
    }
}
