package dev.millrace.tuning.kit;

import java.util.Arrays;
import java.util.Locale;

/**
 * Latencies counted in cells, with their exact sum. For one thread at a time.
 */
final class Cells
{
    /** Bounds of the engine's cells in nanoseconds. */
    static final long[] ENGINE_NS = {5_000, 10_000, 15_000, 20_000, 25_000, 50_000, 100_000, 500_000, 1_000_000,
        2_500_000, 5_000_000};
    /** Bounds of the cells from end to end in milliseconds. */
    static final long[] END_TO_END_MS = {1, 5, 10, 50, 100, 250, 500, 1_000};

    private static final double ALL = 100.0;

    private final String name;
    private final String unit;
    private final long unitNs;
    private final long[] bounds;
    private final long[] counts;
    private long total;
    private double sumNs;
    private long greatestNs;

    /**
     * Empty cells.
     *
     * @param name   of what is measured
     * @param unit   of the bounds, as printed
     * @param unitNs nanoseconds of it
     * @param bounds ends of the cells, rising; one more cell takes all beyond
     */
    Cells(final String name, final String unit, final long unitNs, final long... bounds)
    {
        this.name = name;
        this.unit = unit;
        this.unitNs = unitNs;
        this.bounds = bounds.clone();
        counts = new long[bounds.length + 1];
    }

    /**
     * Counts events of one latency.
     *
     * @param ns     latency; what is below 0 counts as 0
     * @param events how many
     */
    void add(final long ns, final long events)
    {
        final long latencyNs = Math.max(0, ns);
        int cell = 0;
        while (cell < bounds.length && latencyNs >= bounds[cell] * unitNs)
        {
            cell++;
        }
        counts[cell] += events;
        total += events;
        sumNs += (double)latencyNs * events;
        greatestNs = Math.max(greatestNs, latencyNs);
    }

    /** Adds what other cells of the same bounds have counted. */
    void addAll(final Cells other)
    {
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] += other.counts[i];
        }
        total += other.total;
        sumNs += other.sumNs;
        greatestNs = Math.max(greatestNs, other.greatestNs);
    }

    /** Forgets all. */
    void reset()
    {
        Arrays.fill(counts, 0);
        total = 0;
        sumNs = 0;
        greatestNs = 0;
    }

    /** Events counted. */
    long total()
    {
        return total;
    }

    /** Mean in the unit of the cells; 0 without events. */
    double mean()
    {
        return total == 0 ? 0 : sumNs / total / unitNs;
    }

    /** Share of the events below a bound, in percent; 0 without events. */
    double percentBelow(final long bound)
    {
        long below = 0;
        for (int i = 0; i < bounds.length && bounds[i] <= bound; i++)
        {
            below += counts[i];
        }
        return total == 0 ? 0 : ALL * below / total;
    }

    /** The block as the kit prints it, each line ended. */
    String block()
    {
        final StringBuilder text = new StringBuilder();
        text.append("---Stats - ").append(name).append(" (unit: ").append(unit).append(")\n");
        text.append(String.format(Locale.ROOT, "  Avg: %s #%d  max: %s%n", figure(mean()), total,
            figure((double)greatestNs / unitNs)));
        long sum = 0;
        for (int i = 0; i < counts.length; i++)
        {
            sum += counts[i];
            text.append(String.format(Locale.ROOT, "%9d < %9s: %6.2f%% %6.2f%% #%d%n", i == 0 ? 0 : bounds[i - 1],
                i == bounds.length ? "more" : Long.toString(bounds[i]), percent(counts[i]), percent(sum), counts[i]));
        }
        return text.toString();
    }

    private double percent(final long events)
    {
        return total == 0 ? 0 : ALL * events / total;
    }

    /** Nanoseconds whole, milliseconds with three digits behind the point. */
    private String figure(final double value)
    {
        return String.format(Locale.ROOT, unitNs == 1 ? "%.0f" : "%.3f", value);
    }
}
