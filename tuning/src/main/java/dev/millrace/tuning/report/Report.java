package dev.millrace.tuning.report;

import dev.millrace.api.internal.StatusLine;
import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.ResultSink;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The table on the screen and the file of JSON lines. Each line is flushed at once, so that a run that is aborted keeps
 * its results. Not thread-safe.
 */
public final class Report implements ResultSink, AutoCloseable
{
    /** Figures with separate columns in the table, or not shown there. */
    private static final Set<String> IN_TABLE = Set.of("java", "rounds", "nsPerEventMin", "nsPerEventMax",
        "limitNsPerEventMin", "limitNsPerEventMax", "checksum", "rowsOut", "short", "check");

    private final PrintStream out;
    private final StatusLine progress;
    private final BufferedWriter json;

    /**
     * @param file of JSON lines, or null
     */
    public Report(final PrintStream out, final StatusLine progress, final Path file) throws IOException
    {
        this.out = out;
        this.progress = progress;
        json = file == null ? null : Files.newBufferedWriter(file, StandardCharsets.UTF_8);
    }

    /** Prints machine, data and the head of the table. */
    public void head()
    {
        out.printf(Locale.ROOT, "Java %s, %s, %d processors, seed of the data %d%n",
            System.getProperty("java.version"), System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(), BenchContext.SEED);
        out.printf(Locale.ROOT, "%-13s %-13s %9s %19s %13s %8s %9s %19s %6s%n", "workload", "variant", "ns/event",
            "min - max", "events/s", "B/event", "limit ns", "min - max", "ratio");
    }

    @Override
    public void line(final BenchResult result) throws IOException
    {
        progress.clear();
        out.printf(Locale.ROOT, "%-13s %-13s %9s %19s %13s %8s %9s %19s %6s%n", result.workload(), result.variant(),
            figure("%.2f", result.nsPerEvent()), range(result.figures(), "nsPerEvent"),
            figure("%.0f", 1e9 / result.nsPerEvent()), figure("%.3f", result.bytesPerEvent()),
            figure("%.2f", result.limitNsPerEvent()), range(result.figures(), "limitNsPerEvent"),
            figure("%.2f", result.ratioToLimit()));
        final String own = result.figures().entrySet().stream().filter(each -> !IN_TABLE.contains(each.getKey()))
            .map(each -> each.getKey() + ' ' + each.getValue()).collect(Collectors.joining(", "));
        if (!own.isEmpty())
        {
            out.println("    " + own);
        }
        out.flush();
        if (json != null)
        {
            json.write(result.json());
            json.write('\n');
            json.flush();
        }
    }

    private static String figure(final String form, final double value)
    {
        return Double.isFinite(value) ? String.format(Locale.ROOT, form, value) : "-";
    }

    private static String range(final Map<String, Object> figures, final String name)
    {
        return figures.get(name + "Min") instanceof Double least && figures.get(name + "Max") instanceof Double most ?
            String.format(Locale.ROOT, "%.2f - %.2f", least, most) : "-";
    }

    @Override
    public void close() throws IOException
    {
        if (json != null)
        {
            json.close();
        }
    }
}
