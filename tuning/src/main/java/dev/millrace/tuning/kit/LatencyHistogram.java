package dev.millrace.tuning.kit;

import java.util.Arrays;
import java.util.Locale;

/** A latency histogram with an exact sum. Not thread-safe. */
final class LatencyHistogram
{
    /** Upper bounds of the engine's latency ranges in nanoseconds. */
    static final long[] ENGINE_NS = {5_000, 10_000, 15_000, 20_000, 25_000, 50_000, 100_000, 500_000, 1_000_000,
        2_500_000, 5_000_000};
    /** Upper bounds of the end-to-end latency ranges in milliseconds. */
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
     * @param name   of the measured quantity
     * @param unit   of the bounds, as printed
     * @param unitNs nanoseconds per unit
     * @param bounds upper bounds of the ranges, ascending; one more range is unbounded
     */
    LatencyHistogram(final String name, final String unit, final long unitNs, final long... bounds)
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
     * @param ns     latency; a negative one counts as 0
     * @param events number of events
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

    /** Adds the counts of a histogram with the same bounds. */
    void addAll(final LatencyHistogram other)
    {
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] += other.counts[i];
        }
        total += other.total;
        sumNs += other.sumNs;
        greatestNs = Math.max(greatestNs, other.greatestNs);
    }

    /** Resets all counts. */
    void reset()
    {
        Arrays.fill(counts, 0);
        total = 0;
        sumNs = 0;
        greatestNs = 0;
    }

    /** Number of events counted. */
    long total()
    {
        return total;
    }

    /** Mean in the unit of the bounds; 0 without events. */
    double mean()
    {
        return total == 0 ? 0 : sumNs / total / unitNs;
    }

    /** Percentage of the events below a bound; 0 without events. */
    double percentBelow(final long bound)
    {
        long below = 0;
        for (int i = 0; i < bounds.length && bounds[i] <= bound; i++)
        {
            below += counts[i];
        }
        return total == 0 ? 0 : ALL * below / total;
    }

    /** The block as the kit prints it, with a line break after each line. */
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

    /** Integer nanoseconds, or milliseconds with three decimal digits. */
    private String figure(final double value)
    {
        return String.format(Locale.ROOT, unitNs == 1 ? "%.0f" : "%.3f", value);
    }
}
