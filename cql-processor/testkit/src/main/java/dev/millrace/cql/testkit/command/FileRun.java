package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.EventBatch;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs statements over files: rows of all files in order of time; prints rows as they are emitted. Errors of lines and
 * rows are reported, and the others are processed.
 */
final class FileRun
{
    private final PrintWriter out;
    private final PrintWriter err;
    private final InputStream in;
    private final RowPrinter format;
    private final Progress progress;
    private final InvalidLineReport badLines;
    private final Map<String, Integer> rejected = new TreeMap<>();
    private long read;
    private long readBytes;
    private long lastNs = Long.MIN_VALUE;
    private boolean isClosed;

    FileRun(final PrintWriter out, final PrintWriter err, final InputStream in, final RowPrinter format,
        final Progress progress)
    {
        this.out = out;
        this.err = err;
        this.in = in;
        this.format = format;
        this.progress = progress;
        badLines = new InvalidLineReport(err, progress);
    }

    /**
     * Runs the statements.
     *
     * @param session statements
     * @param specs   sources
     * @param times   which columns contain times
     * @param untilNs final time, {@code null} for the time of the last row
     * @return exit code: 1 when lines or rows were rejected
     * @throws IOException when a file cannot be read completely
     */
    int run(final QuerySession session, final List<StreamSpec> specs, final RowTimes times, final Long untilNs)
        throws IOException
    {
        final List<CsvInput> inputs = new ArrayList<>();
        progress.whole(wholeBytes(specs), () -> readBytes);
        try
        {
            for (final StreamSpec spec : specs)
            {
                inputs.add(new CsvInput(spec, times, reader(spec), badLines::add));
            }
            session.start(this::print, this::reject);
            for (final CsvInput input : inputs)
            {
                input.advance();
            }
            feed(session, inputs);
            // All files have ended: each advances to the time of the last row of all.
            specs.forEach(spec -> session.time(spec, untilNs == null ? lastNs : Math.max(untilNs, lastNs)));
            session.finish();
        }
        finally
        {
            for (final CsvInput input : inputs)
            {
                input.close();
            }
        }
        progress.clear();
        out.flush();
        if (untilNs == null && read > 0 && session.isTimed())
        {
            err.println("note: time ended with the last row, at " + RowPrinter.milliseconds(lastNs) +
                " ms; windows and patterns may be undecided: --until MS advances time");
        }
        badLines.end();
        rejected.forEach((place, rows) -> err.println("rejected: " + rows + " rows, " + place));
        return rejected.isEmpty() && badLines.isEmpty() ? 0 : 1;
    }

    private BufferedReader reader(final StreamSpec spec) throws IOException
    {
        return reader(spec.isStandardInput() ? in : counted(Files.newInputStream(Path.of(spec.file()))));
    }

    /** Reads lines; bytes that are not UTF-8 are an error. */
    static BufferedReader reader(final InputStream file)
    {
        return new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8.newDecoder()));
    }

    /** Counts bytes read. */
    private InputStream counted(final InputStream file)
    {
        return new FilterInputStream(file)
        {
            @Override
            public int read() throws IOException
            {
                final int value = super.read();
                readBytes += value < 0 ? 0 : 1;
                return value;
            }

            @Override
            public int read(final byte[] target, final int from, final int length) throws IOException
            {
                final int count = super.read(target, from, length);
                readBytes += Math.max(0, count);
                return count;
            }
        };
    }

    /** Size of all files; 0 when a size is unknown, as for the standard input or a pipe. */
    private static long wholeBytes(final List<StreamSpec> specs) throws IOException
    {
        long bytes = 0;
        for (final StreamSpec spec : specs)
        {
            if (spec.isStandardInput() || !Files.isRegularFile(Path.of(spec.file())))
            {
                return 0;
            }
            bytes += Files.size(Path.of(spec.file()));
        }
        return bytes;
    }

    private void feed(final QuerySession session, final List<CsvInput> inputs) throws IOException
    {
        for (CsvInput next = earliest(inputs); next != null && !isClosed; next = earliest(inputs))
        {
            lastNs = next.timeNs();
            session.row(next);
            progress.done(++read, "rows read");
            next.advance();
            if (inputs.size() > 1)
            {
                // Files are read in order of time: no file has earlier rows.
                for (final CsvInput input : inputs)
                {
                    session.time(input.spec(), (input.hasRow() ? Math.min(lastNs, input.timeNs()) : lastNs) - 1);
                }
            }
        }
    }

    /** The input with the earliest current row; {@code null} at the end of all. */
    static CsvInput earliest(final List<CsvInput> inputs)
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

    private void reject(final String query, final int rows, final String reason, final String detail)
    {
        if (rejected.merge("query=" + query + " reason=" + reason, rows, Integer::sum) == rows)
        {
            progress.clear();
            err.println("CMD-0314: rows are rejected, query=" + query + " time=" + RowPrinter.milliseconds(lastNs) +
                " reason=" + reason + " detail=" + detail);
            err.flush();
        }
    }

    private void print(final String query, final EventBatch rows)
    {
        if (isClosed || rows.size() == 0)
        {
            return;
        }
        progress.rows();
        for (int row = 0; row < rows.size(); row++)
        {
            out.println(format.line(query, rows, row));
        }
        // Also flushes. True when the reader has ended, such as another command of a pipe.
        isClosed = out.checkError();
    }
}
