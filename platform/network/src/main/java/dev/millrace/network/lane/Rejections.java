package dev.millrace.network.lane;

import dev.millrace.api.time.Clock;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.condition.RaisedConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that a stage rejected, by reason: always counted, logged at most once in ten seconds per reason, with the number
 * of rows that were not logged before. Thread-safe. At most {@value #MAX_REASONS} reasons; more are counted as
 * {@link RejectReason#OTHER}.
 */
public final class Rejections
{
    /** Time between two log lines of one reason. */
    public static final long LOG_PERIOD_NS = TimeUnit.SECONDS.toNanos(10);

    /** How long after the last rejected row a failure is still considered current. */
    public static final long EPISODE_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long NEVER_NS = Long.MIN_VALUE;
    private static final int MAX_REASONS = 64;
    private static final Logger LOG = LoggerFactory.getLogger(Rejections.class);

    private final String stage;
    private final Clock clock;
    private final Map<String, Tally> tallies = new ConcurrentHashMap<>();

    /** Counters and log limit of one reason. */
    private static final class Tally
    {
        final LongAdder rows = new LongAdder();
        final AtomicLong suppressedRows = new AtomicLong();
        final AtomicLong nextLogNs = new AtomicLong(Long.MIN_VALUE);
        /** The current episode of rejections without a pause of {@link #EPISODE_NS}: begin, end, rows before it. */
        volatile long firstNs = NEVER_NS;
        volatile long lastNs = NEVER_NS;
        volatile long rowsBefore;
        volatile String detail = "";

        void note(final long nowNs, final String what)
        {
            if (!isRecent(nowNs))
            {
                rowsBefore = rows.sum();
                firstNs = nowNs;
            }
            lastNs = nowNs;
            detail = what;
        }

        boolean isRecent(final long nowNs)
        {
            return lastNs != NEVER_NS && nowNs - lastNs <= EPISODE_NS;
        }
    }

    /**
     * @param stage {@code application/stage}, for log lines
     * @param clock limits the rate of log lines
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
     * @param reason short, from a small set of values
     * @param detail information for the log that helps a user to find the cause
     * @param cause  underlying exception, or {@code null}
     */
    public void count(final int rows, final String reason, final String detail, final Throwable cause)
    {
        if (rows <= 0)
        {
            return;
        }
        final Tally tally = tally(reason);
        final long nowNs = clock.epochNs();
        tally.note(nowNs, detail);
        tally.rows.add(rows);
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
     * Whether the next rejection for a reason will be logged, so that callers can skip creating the detail.
     *
     * @return false while its log period lasts
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

    /** Number of rows by reason; a snapshot in order of reasons. */
    public Map<String, Long> byReason()
    {
        final Map<String, Long> result = new TreeMap<>();
        tallies.forEach((reason, tally) -> result.put(reason, tally.rows.sum()));
        return result;
    }

    /**
     * The failures and limits for which rows were rejected recently. A condition is cleared when no row was rejected
     * for it for {@link #EPISODE_NS}.
     *
     * @param nowNs time of the network's clock
     * @return conditions in order of reasons
     */
    public List<Condition> conditions(final String stageId, final long nowNs)
    {
        final List<Condition> result = new ArrayList<>();
        new TreeMap<>(tallies).forEach((reason, tally) ->
        {
            if (RejectReason.isFault(reason) && tally.isRecent(nowNs))
            {
                result.add(new Condition(stageId, RejectReason.code(reason, tally.detail), RaisedConditions.shortened(
                    "rows are rejected, reason=" + reason + " detail=" + tally.detail), tally.firstNs,
                    tally.rows.sum() - tally.rowsBefore));
            }
        });
        return result;
    }

    /** Number of rows of all reasons. */
    public long total()
    {
        return tallies.values().stream().mapToLong(tally -> tally.rows.sum()).sum();
    }
}
