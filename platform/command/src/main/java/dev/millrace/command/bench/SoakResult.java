package dev.millrace.command.bench;

import com.google.gson.GsonBuilder;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Result of a soak: samples in chronological order, and whether the instance grew. The medians of the first and the
 * last third of the samples are compared, so that a single outlier has no effect. Immutable.
 *
 * @param ratePerSec input rate in events per second
 * @param samples    at least three
 */
public record SoakResult(long ratePerSec, List<SoakSample> samples)
{
    /** Tolerated growth of the live heap. */
    static final double HEAP_LIMIT = 0.01;
    private static final double MIB = 1024 * 1024;

    /** Returns the growth of the live heap as a share; 0.01 is one percent. */
    public double heapGrowth()
    {
        return last(SoakSample::liveHeapBytes) / first(SoakSample::liveHeapBytes) - 1;
    }

    double handleGrowth()
    {
        return last(SoakSample::handles) - first(SoakSample::handles);
    }

    double threadGrowth()
    {
        return last(SoakSample::threads) - first(SoakSample::threads);
    }

    private boolean isHeapFlat()
    {
        return last(SoakSample::liveHeapBytes) <= first(SoakSample::liveHeapBytes) * (1 + HEAP_LIMIT);
    }

    boolean isFlat()
    {
        return isHeapFlat() && handleGrowth() <= 0 && threadGrowth() <= 0;
    }

    private double first(final ToDoubleFunction<SoakSample> figure)
    {
        return median(samples.subList(0, third()), figure);
    }

    private double last(final ToDoubleFunction<SoakSample> figure)
    {
        return median(samples.subList(samples.size() - third(), samples.size()), figure);
    }

    private int third()
    {
        return samples.size() / 3;
    }

    private static double median(final List<SoakSample> part, final ToDoubleFunction<SoakSample> figure)
    {
        return SampleStatistics.median(part.stream().map(figure::applyAsDouble).toList());
    }

    /** Returns the figures for users. */
    public String table()
    {
        return row("live heap", "%.2f", "%+.2f %%", " MiB", first(SoakSample::liveHeapBytes) / MIB,
            last(SoakSample::liveHeapBytes) / MIB, 100 * heapGrowth(), isHeapFlat()) +
            row("handles", "%.0f", "%+.0f", "", first(SoakSample::handles), last(SoakSample::handles),
                handleGrowth(), handleGrowth() <= 0) +
            row("threads", "%.0f", "%+.0f", "", first(SoakSample::threads), last(SoakSample::threads),
                threadGrowth(), threadGrowth() <= 0);
    }

    private static String row(final String name, final String figure, final String growth, final String unit,
        final double first, final double last, final double change, final boolean isFlat)
    {
        return String.format(Locale.ROOT, "  %-10s  " + figure + unit + " in the first third, " + figure + unit +
            " in the last, " + growth + "  %s%n", name, first, last, change, isFlat ? "flat" : "GROWS");
    }

    /** Returns the figures as JSON. */
    public String json()
    {
        final Map<String, Object> out = new LinkedHashMap<>();
        out.put("ratePerSec", ratePerSec);
        out.put("heapGrowth", heapGrowth());
        out.put("handleGrowth", handleGrowth());
        out.put("threadGrowth", threadGrowth());
        out.put("flat", isFlat());
        out.put("samples", samples);
        return new GsonBuilder().setPrettyPrinting().create().toJson(out) + "\n";
    }

    /**
     * Ends the command when the instance grew.
     *
     * @throws CommandException when it grew
     */
    public void check()
    {
        if (!isFlat())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0196", "the instance grew under constant load",
                "compare the samples of --json; a longer run distinguishes a leak from a warm-up");
        }
    }
}
