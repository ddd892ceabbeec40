package dev.millrace.tuning;

import dev.millrace.tuning.harness.BenchContext;
import dev.millrace.tuning.harness.BenchResult;
import dev.millrace.tuning.harness.Experiment;
import dev.millrace.tuning.harness.ResultSink;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A stream whose ids never repeat, through a query in a separate process with a heap of 256 MiB: whether it finishes,
 * whether the rows are exact, the size of the heap, and nanoseconds per event. Rejected rows, insufficient memory and
 * timeouts are results, not failures of the command.
 */
final class UniqueKeysExperiment implements Experiment
{
    private static final String HEAP = "-Xmx256m";
    private static final int OUT_OF_MEMORY = 3;
    private static final int LIMIT_SECONDS = 90;
    private static final int SHORT_LIMIT_SECONDS = 30;

    /** The last output of the process, or how it ended. */
    private record Outcome(String figures, long events, String end)
    {
    }

    @Override
    public void run(final String variant, final BenchContext setting, final ResultSink results)
        throws InterruptedException, IOException
    {
        final int limitSeconds = setting.seconds(LIMIT_SECONDS, SHORT_LIMIT_SECONDS);
        final Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), HEAP, "-XX:+UseParallelGC",
            "-XX:+ExitOnOutOfMemoryError", "-cp", System.getProperty("java.class.path"),
            UniqueKeysProcess.class.getName(), variant, Long.toString(setting.events()))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try
        {
            results.line(result(variant, setting, outcome(variant, setting, process, limitSeconds), limitSeconds));
        }
        finally
        {
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }

    private static Outcome outcome(
        final String variant, final BenchContext setting, final Process process, final int limitSeconds)
        throws InterruptedException, IOException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        long events = 0;
        String figures = null;
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8))
        {
            while (System.nanoTime() < endNs)
            {
                if (!reader.ready())
                {
                    if (!process.isAlive() && !reader.ready())
                    {
                        break;
                    }
                    process.waitFor(50, TimeUnit.MILLISECONDS);
                    continue;
                }
                final String line = reader.readLine();
                if (line.startsWith(UniqueKeysProcess.PROGRESS))
                {
                    events = Long.parseLong(line.substring(UniqueKeysProcess.PROGRESS.length()));
                    setting.progress().showWithSeconds("unique-keys " + variant + ": " + events + " events");
                }
                else if (line.startsWith(UniqueKeysProcess.FIGURES))
                {
                    figures = line.substring(UniqueKeysProcess.FIGURES.length());
                }
            }
        }
        final String end = process.isAlive() ? "not finished in time" :
            process.exitValue() == OUT_OF_MEMORY ? "out of memory" : "exit code " + process.exitValue();
        return new Outcome(figures, events, end);
    }

    private static BenchResult result(
        final String variant, final BenchContext setting, final Outcome outcome, final int limitSeconds)
    {
        final BenchResult result = new BenchResult("unique-keys", variant).events(setting.events());
        if (outcome.figures() == null)
        {
            return result.with("finished", "no").with("end", outcome.end()).with("eventsThrough", outcome.events())
                .with("limitSeconds", (long)limitSeconds).with("heap", HEAP);
        }
        final List<String> values = List.of(outcome.figures().split(" "));
        final long rejected = Long.parseLong(values.get(3));
        final boolean isExact = values.get(1).equals(values.get(2)) && rejected == 0;
        return result.nsPerEvent(Double.parseDouble(values.get(0))).with("finished", "yes")
            .with("exact", isExact ? "yes" : "no").with("rowsOut", Long.parseLong(values.get(1)))
            .with("rowsExpected", Long.parseLong(values.get(2))).with("rowsRejected", rejected)
            .with("heapAfterThirdMib", Double.parseDouble(values.get(4)))
            .with("heapAtEndMib", Double.parseDouble(values.get(5))).with("heap", HEAP);
    }
}
