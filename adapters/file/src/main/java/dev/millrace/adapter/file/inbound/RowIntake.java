package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.decode.RejectReason;
import dev.millrace.adapter.common.source.RowBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds decoded rows to the batch when they are due, and counts rejected ones. Confined to the source's thread. */
final class RowIntake
{
    private final RowBatch rows;
    private final ReplayPace pace;
    private final EventBatchSender sender;
    private final SourceCounters counters;
    private final Clock clock;
    private final String stageName;
    private long nowNs;
    private long dueNs;
    private long originNs;

    /** @param pace {@code null} if rows are due at once */
    RowIntake(final SourceSettings settings, final RowBatch rows, final ReplayPace pace, final EventBatchSender sender,
        final SourceCounters counters, final Clock clock)
    {
        this.rows = rows;
        this.pace = pace;
        this.sender = sender;
        this.counters = counters;
        this.clock = clock;
        stageName = settings.stageName();
    }

    /** Reads the clock before some rows. */
    void begin()
    {
        nowNs = clock.epochNs();
    }

    /** Index of the next row of the batch. */
    int row()
    {
        return rows.rows();
    }

    /** The time at which the row is due for which {@link #isDue} has returned false. */
    long dueNs()
    {
        return dueNs;
    }

    /** Whether the row that was written at {@link #row} is due. */
    boolean isDue()
    {
        originNs = nowNs;
        if (pace != null)
        {
            dueNs = pace.dueNs(rows.rows());
            nowNs = dueNs > nowNs ? clock.epochNs() : nowNs;
            if (dueNs > nowNs)
            {
                return false;
            }
            originNs = Math.max(dueNs, 0);
        }
        return true;
    }

    /** Adds the row that is due. */
    void add(final long number)
    {
        rows.add(number, originNs);
    }

    /** @param unit what {@link OpenFile#line} counts */
    void reject(final OpenFile file, final String unit, final RejectReason reason, final String detail)
    {
        final Map<String, Object> origin = new LinkedHashMap<>();
        origin.put("file", file.part().path().toString());
        origin.put(unit, file.line());
        counters.rejected();
        counters.rejectedRows.add(origin, reason.reason(), detail);
        sender.reject(1, reason.reason(), reason.code() + " a row of a file was rejected, stage=" + stageName +
            " file=" + file.part().path() + ' ' + unit + '=' + file.line() + ' ' + detail);
    }
}
