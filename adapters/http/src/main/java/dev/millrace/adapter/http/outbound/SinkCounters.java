package dev.millrace.adapter.http.outbound;

import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a sink. The channel's thread writes, any thread reads. */
final class SinkCounters
{
    private final RejectedRows rejectedRows = new RejectedRows();
    private volatile long rows;
    private volatile long requests;
    private volatile long retried;
    private volatile long rejected;
    private volatile long dropped;
    private volatile String trouble = "";

    void sent(final int count)
    {
        rows += count;
        requests++;
    }

    void retried()
    {
        retried++;
    }

    void rejected(final int status, final String answer, final String row)
    {
        rejected++;
        rejectedRows.add(Map.of("status", status), answer, row);
    }

    /** Counts rows that were received before. */
    void dropped(final int count)
    {
        dropped += count;
    }

    void trouble(final String text)
    {
        trouble = text;
    }

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rows", rows);
        figures.put("requests", requests);
        figures.put("retried", retried);
        figures.put("rejected", rejected);
        figures.put("dropped", dropped);
        figures.put("trouble", trouble);
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}
