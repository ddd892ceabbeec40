package dev.millrace.tuning.kit;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Statistics of the kit: latency of the engine and end to end, of the current interval and of the whole run. The thread
 * in the engine counts; any thread may request a report.
 */
final class KitStatistics
{
    private static final long MS = 1_000_000;

    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final LatencyHistogram engine = engineCells();
    private final LatencyHistogram endToEnd = endToEndCells();
    private final LatencyHistogram wholeEngine = engineCells();
    private final LatencyHistogram wholeEndToEnd = endToEndCells();
    private long intervalStartNs;
    private long firstNs;
    private long lastNs;
    private long early;
    private long uncounted;

    /**
     * @param nowNs current time, {@link System#nanoTime()}
     */
    KitStatistics(final long nowNs)
    {
        intervalStartNs = nowNs;
        firstNs = Long.MIN_VALUE;
    }

    private static LatencyHistogram engineCells()
    {
        return new LatencyHistogram("engine", "ns", 1, LatencyHistogram.ENGINE_NS);
    }

    private static LatencyHistogram endToEndCells()
    {
        return new LatencyHistogram("endToEnd", "ms", MS, LatencyHistogram.END_TO_END_MS);
    }

    /**
     * Counts the events of a batch that the engine has processed.
     *
     * @param beganNs when it was sent to the engine
     * @param endedNs when all resulting rows were emitted
     * @param dueNs   when each event was due at its client
     * @param events  number of events
     */
    synchronized void add(final long beganNs, final long endedNs, final long[] dueNs, final int events)
    {
        engine.add(endedNs - beganNs, events);
        for (int i = 0; i < events; i++)
        {
            early += endedNs < dueNs[i] ? 1 : 0;
            endToEnd.add(endedNs - dueNs[i], 1);
        }
        firstNs = firstNs == Long.MIN_VALUE ? beganNs : firstNs;
        lastNs = endedNs;
    }

    /** Number of threads in the engine or waiting for it. */
    AtomicInteger active()
    {
        return active;
    }

    /** Number of connected clients. */
    AtomicInteger connections()
    {
        return connections;
    }

    /** Events so far, including the warm-up. */
    synchronized long events()
    {
        return uncounted + engine.total() + wholeEngine.total();
    }

    /**
     * Starts counting: previous events were the warm-up.
     *
     * @param nowNs current time
     */
    synchronized void begin(final long nowNs)
    {
        uncounted = events();
        engine.reset();
        endToEnd.reset();
        wholeEngine.reset();
        wholeEndToEnd.reset();
        intervalStartNs = nowNs;
        firstNs = Long.MIN_VALUE;
        early = 0;
    }

    /**
     * The blocks since the last report; starts a new interval.
     *
     * @param nowNs   current time
     * @param pending events in the queue
     * @return lines, each with a line break
     */
    synchronized String report(final long nowNs, final long pending)
    {
        final double seconds = (nowNs - intervalStartNs) / 1e9;
        final String text = engine.block() + endToEnd.block() + String.format(Locale.ROOT,
            "Throughput %.0f (active %d pending %d cnx %d)%n", seconds <= 0 ? 0 : engine.total() / seconds,
            active.get(), pending, connections.get()) + warning();
        intervalStartNs = nowNs;
        fold();
        return text;
    }

    /** The blocks of the whole run; throughput from the first event to the last. */
    synchronized String whole()
    {
        fold();
        final double seconds = (lastNs - firstNs) / 1e9;
        return String.format(Locale.ROOT, "%nThe whole run, %d events%n", wholeEngine.total()) + wholeEngine.block() +
            wholeEndToEnd.block() + String.format(Locale.ROOT, "Throughput %.0f%n",
            wholeEngine.total() == 0 || seconds <= 0 ? 0 : wholeEngine.total() / seconds) + warning();
    }

    private void fold()
    {
        wholeEngine.addAll(engine);
        wholeEndToEnd.addAll(endToEnd);
        engine.reset();
        endToEnd.reset();
    }

    private String warning()
    {
        return early == 0 ? "" : "warning: " + early + " events were processed before they were due: the clocks of " +
            "client and server differ, end-to-end figures are not reliable\n";
    }
}
