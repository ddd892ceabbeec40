package dev.millrace.network.lane;

import dev.millrace.api.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a stage turned away, by reason: counted always, logged at most once in ten seconds a reason, with the number
 * of rows that went unlogged before. Safe for all threads. At most {@value #MAX_REASONS} reasons; more are counted as
 * {@link RejectReason#OTHER}.
 */
public final class Rejections
{
    /** Time between two log lines of one reason. */
    public static final long LOG_PERIOD_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MAX_REASONS = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Rejections.class);

    private final String stage;
    private final Clock clock;
    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

    /** Count and log limit of one reason. */
    private static final class Tally
    {
        final LongAdder rows = new LongAdder();
        final AtomicLong suppressedRows = new AtomicLong();
        final AtomicLong nextLogNs = new AtomicLong(Long.MIN_VALUE);
    }

    /**
     * Makes an empty count.
     *
     * @param stage {@code application/stage}, for log lines
     * @param clock paces the log
     */
    public Rejections(final String stage, final Clock clock)
    {
        this.stage = stage;
        this.clock = clock;
    }

    /**
     * Counts rows.
     *
     * @param rows   how many; nothing happens for 0
     * @param reason short, of few different values
     * @param detail what a user needs to find the cause, for the log
     * @param cause  exception behind it, or {@code null}
     */
    public void count(final int rows, final String reason, final String detail, final Throwable cause)
    {
        if (rows <= 0)
        {
            return;
        }
        final Tally tally = tally(reason);
        tally.rows.add(rows);
        final long nowNs = clock.epochNs();
        final long nextLogNs = tally.nextLogNs.get();
        if (nowNs < nextLogNs || !tally.nextLogNs.compareAndSet(nextLogNs, nowNs + LOG_PERIOD_NS))
        {
            tally.suppressedRows.addAndGet(rows);
            return;
        }
        final long suppressedRows = tally.suppressedRows.getAndSet(0);
        LOG.warn(RejectReason.line(reason, "rows rejected, stage=" + stage + " rows=" + rows + " reason=" + reason +
            " unloggedBefore=" + suppressedRows + " detail=" + detail), cause);
    }

    /**
     * Whether the next rejection for a reason will be logged: only then is it worth to write a detail.
     *
     * @param reason of a rejection
     * @return false while its period lasts
     */
    public boolean logs(final String reason)
    {
        final Tally known = tallies.get(reason);
        return known == null || clock.epochNs() >= known.nextLogNs.get();
    }

    private Tally tally(final String reason)
    {
        final Tally known = tallies.get(reason);
        if (known != null)
        {
            return known;
        }
        final String key = tallies.size() < MAX_REASONS ? reason : RejectReason.OTHER;
        return tallies.computeIfAbsent(key, any -> new Tally());
    }

    /**
     * Rows by reason.
     *
     * @return a snapshot in order of reasons
     */
    public Map<String, Long> byReason()
    {
        final Map<String, Long> result = new TreeMap<>();
        tallies.forEach((reason, tally) -> result.put(reason, tally.rows.sum()));
        return result;
    }

    /**
     * Rows of all reasons.
     *
     * @return sum
     */
    public long total()
    {
        return tallies.values().stream().mapToLong(tally -> tally.rows.sum()).sum();
    }
}
