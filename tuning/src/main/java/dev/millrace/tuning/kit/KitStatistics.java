package dev.millrace.tuning.kit;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the kit counts: latency of the engine and from end to end, of this interval and of the whole run. The thread in
 * the engine counts, any thread asks for a report.
 */
final class KitStatistics
{
    private static final long MS = 1_000_000;

    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger connections = new AtomicInteger();
    private final Cells engine = engineCells();
    private final Cells endToEnd = endToEndCells();
    private final Cells wholeEngine = engineCells();
    private final Cells wholeEndToEnd = endToEndCells();
    private long intervalStartNs;
    private long firstNs;
    private long lastNs;
    private long early;
    private long uncounted;

    /**
     * Empty statistics.
     *
     * @param nowNs present time, {@link System#nanoTime()}
     */
    KitStatistics(final long nowNs)
    {
        intervalStartNs = nowNs;
        firstNs = Long.MIN_VALUE;
    }

    private static Cells engineCells()
    {
        return new Cells("engine", "ns", 1, Cells.ENGINE_NS);
    }

    private static Cells endToEndCells()
    {
        return new Cells("endToEnd", "ms", MS, Cells.END_TO_END_MS);
    }

    /**
     * Counts the events of a batch that has gone through the engine.
     *
     * @param beganNs when it was handed over
     * @param endedNs when all that follows from it was out
     * @param dueNs   when each event was due at its client
     * @param events  how many
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

    /** Threads in the engine or waiting for it. */
    AtomicInteger active()
    {
        return active;
    }

    /** Clients that are connected. */
    AtomicInteger connections()
    {
        return connections;
    }

    /** Events so far, those that warmed up too. */
    synchronized long events()
    {
        return uncounted + engine.total() + wholeEngine.total();
    }

    /**
     * Counting begins: what came so far was for warming up.
     *
     * @param nowNs present time
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
     * The blocks since the last report, which begins a new interval.
     *
     * @param nowNs   present time
     * @param pending events in the queue
     * @return lines, each ended
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
        return early == 0 ? "" : "warning: " + early + " events were through before they were due: the clocks of " +
            "client and server differ, figures from end to end are not to be trusted\n";
    }
}
