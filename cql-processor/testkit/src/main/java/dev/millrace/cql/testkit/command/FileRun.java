package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.runtime.flow.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs statements over files: rows of all files in order of time; prints what comes out. */
final class FileRun
{
    private static final int NANO_DIGITS = 6;

    private final PrintWriter out;
    private final PrintWriter err;
    private final String timeColumn;
    private final Map<String, Integer> rejected = new TreeMap<>();

    FileRun(final PrintWriter out, final PrintWriter err, final String timeColumn)
    {
        this.out = out;
        this.err = err;
        this.timeColumn = timeColumn;
    }

    /** Exit code: 1 when rows were rejected. */
    int run(final QuerySession session, final List<StreamSpec> specs) throws IOException
    {
        CqlTool.checkReadable(specs);
        final List<CsvInput> inputs = new ArrayList<>();
        try
        {
            for (final StreamSpec spec : specs)
            {
                inputs.add(new CsvInput(spec, timeColumn));
            }
            session.start(this::print, this::reject);
            for (CsvInput next = earliest(inputs); next != null; next = earliest(inputs))
            {
                session.row(next);
                final long timeNs = next.timeNs();
                next.advance();
                // Files are read in order of time: none has rows of before.
                for (final CsvInput input : inputs)
                {
                    session.time(input.spec(), (input.hasRow() ? Math.min(timeNs, input.timeNs()) : timeNs) - 1);
                }
            }
            session.finish();
        }
        finally
        {
            for (final CsvInput input : inputs)
            {
                input.close();
            }
        }
        out.flush();
        rejected.forEach((reason, rows) -> err.println("rejected: " + rows + " rows, reason=" + reason));
        return rejected.isEmpty() ? 0 : 1;
    }

    private static CsvInput earliest(final List<CsvInput> inputs)
    {
        CsvInput found = null;
        for (final CsvInput input : inputs)
        {
            if (input.hasRow() && (found == null || input.timeNs() < found.timeNs()))
            {
                found = input;
            }
        }
        return found;
    }

    private void reject(final int rows, final String reason, final String detail)
    {
        if (rejected.merge(reason, rows, Integer::sum) == rows)
        {
            err.println("rejected: reason=" + reason + " " + detail);
        }
    }

    private void print(final String query, final EventBatch rows)
    {
        for (int row = 0; row < rows.size(); row++)
        {
            final StringBuilder line = new StringBuilder(query).append(' ')
                .append(milliseconds(rows.timestampNs(row)))
                .append(rows.kind(row) == EventBatch.DELETE ? " - " : " + ");
            for (int column = 0; column < rows.schema().columnCount(); column++)
            {
                line.append(column == 0 ? "" : ",").append(text(rows, column, row));
            }
            out.println(line);
        }
        out.flush();
    }

    private static String milliseconds(final long timeNs)
    {
        return timeNs == Long.MIN_VALUE ? Long.toString(timeNs) :
            BigDecimal.valueOf(timeNs, NANO_DIGITS).stripTrailingZeros().toPlainString();
    }

    private static String text(final EventBatch rows, final int column, final int row)
    {
        final Object value = rows.value(column, row);
        final CqlType type = rows.schema().type().properties().get(column).type();
        if (value == null)
        {
            return "null";
        }
        return switch (type)
        {
            case TIMESTAMP -> Values.timestampText((Long)value);
            case INTERVAL -> Values.intervalText((Long)value);
            case BYTE -> Values.text((byte[])value);
            default -> value.toString();
        };
    }
}
