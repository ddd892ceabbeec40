package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.common.property.ErrorCode;
import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** The figures of a source. Thread-safe. */
final class SourceCounters
{
    private final RejectedRows rejectedRows = new RejectedRows();
    private final LongAdder requests = new LongAdder();
    private final Map<String, Long> refused = new TreeMap<>();
    private volatile long rows;
    private volatile long rejected;
    private volatile long duplicates;

    void request()
    {
        requests.increment();
    }

    /** Counts a request that was refused. */
    void refused(final ErrorCode code)
    {
        synchronized (refused)
        {
            refused.merge(code.text(), 1L, Long::sum);
        }
    }

    /** Counts rows that were sent; called by the thread of the source, like the following methods. */
    void sent(final int count)
    {
        rows += count;
    }

    void rejected(final Map<String, Object> position, final RowProblem problem)
    {
        rejected++;
        rejectedRows.add(position, problem.reason(), problem.detail());
    }

    void duplicate()
    {
        duplicates++;
    }

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("requests", requests.sum());
        figures.put("rows", rows);
        figures.put("rejected", rejected);
        figures.put("duplicateRequests", duplicates);
        synchronized (refused)
        {
            figures.put("refusedRequests", new TreeMap<>(refused));
        }
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}
