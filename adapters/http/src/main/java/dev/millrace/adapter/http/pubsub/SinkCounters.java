package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a sink. The channel's thread writes, any thread reads. */
final class SinkCounters
{
    private final RejectedRows rejectedRows = new RejectedRows();
    private volatile long rows;
    private volatile long messages;
    private volatile long rejected;
    private volatile long retried;
    private volatile String trouble = "";

    void rows(final int count)
    {
        rows += count;
    }

    void messages(final int count)
    {
        messages += count;
    }

    void rejected(final String reason, final String detail)
    {
        rejected++;
        rejectedRows.add(Map.of(), reason, detail);
    }

    void retried()
    {
        retried++;
    }

    void trouble(final String text)
    {
        trouble = text;
    }

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("rows", rows);
        figures.put("messages", messages);
        figures.put("rejected", rejected);
        figures.put("retried", retried);
        figures.put("trouble", trouble);
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}
