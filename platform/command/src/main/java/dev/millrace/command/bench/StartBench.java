package dev.millrace.command.bench;

import dev.millrace.command.bench.StartMeasurement.When;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.instance.CleanupStack;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the time until a new instance is ready and until its first application runs: after the warm-up, immediately,
 * and without warm-up, alternately. Not thread-safe.
 */
public final class StartBench
{
    private static final List<String> SHOWN = List.of("readyMs", "readyCpuMs", "warmUpMs", "deployMs", "filesMs",
        "beansMs", "planMs", "compileMs", "deployCpuMs", "residentBeforeMiB", "residentAfterMiB");

    private StartBench()
    {
    }

    /**
     * @param boots number of each kind, after one that creates the class archive and is not counted
     * @param out   receives one line per boot
     * @param err   receives clean-up failures
     * @return by kind: all figures of each boot and their medians
     * @throws IOException when files cannot be read or written
     */
    public static Map<String, Object> run(
        final StartSettings settings, final int boots, final PrintWriter out, final PrintWriter err)
        throws IOException, InterruptedException
    {
        boot(settings, When.WARM, err);
        final Map<When, List<Map<String, Double>>> all = new LinkedHashMap<>();
        for (final When when : When.values())
        {
            all.put(when, new ArrayList<>());
        }
        for (int i = 1; i <= boots; i++)
        {
            for (final When when : When.values())
            {
                final Map<String, Double> figures = boot(settings, when, err);
                all.get(when).add(figures);
                out.printf("  %d/%d %-8s ready %,6.0f ms, application runs %,6.0f ms after the request%n", i, boots,
                    name(when), figures.get("readyMs"), figures.get("deployMs"));
            }
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        all.forEach((when, figures) -> result.put(name(when), Map.of("boots", figures, "median", medians(figures))));
        return result;
    }

    private static String name(final When when)
    {
        return when.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Map<String, Double> boot(final StartSettings settings, final When when, final PrintWriter err)
        throws IOException, InterruptedException
    {
        final CleanupStack cleanup = new CleanupStack(err);
        try (cleanup)
        {
            return StartMeasurement.run(settings, when, cleanup);
        }
        catch (final CommandException e)
        {
            cleanup.awaitEndIfInterrupted();
            throw e;
        }
    }

    private static Map<String, Double> medians(final List<Map<String, Double>> boots)
    {
        final Map<String, Double> medians = new LinkedHashMap<>();
        boots.get(0).keySet().forEach(figure ->
            medians.put(figure, SampleStatistics.median(boots.stream().map(each -> each.get(figure)).toList())));
        return medians;
    }

    /**
     * Formats the medians as a table.
     *
     * @param result result of {@link #run}
     */
    public static String table(final Map<String, Object> result)
    {
        final StringBuilder table = new StringBuilder(String.format("  %-18s", "median"));
        result.keySet().forEach(kind -> table.append(String.format("%10s", kind)));
        table.append(System.lineSeparator());
        for (final String figure : SHOWN)
        {
            table.append(String.format("  %-18s", figure));
            for (final Object kind : result.values())
            {
                final Object value = ((Map<?, ?>)((Map<?, ?>)kind).get("median")).get(figure);
                table.append(value == null ? String.format("%10s", "-") : String.format("%,10.0f", value));
            }
            table.append(System.lineSeparator());
        }
        return table.toString();
    }
}
