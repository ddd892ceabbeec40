package dev.millrace.adapter.jms.outbound;

import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a sink. The channel's thread writes, any thread reads. */
final class SinkCounters
{
    private volatile long rows;
    private volatile long messages;
    private volatile long rejected;
    private volatile long commits;
    private volatile long retried;
    private volatile boolean isConnected;
    private volatile String trouble = "";

    void sent(final long count, final long messageCount)
    {
        rows += count;
        messages += messageCount;
        commits++;
    }

    void rejected(final long count)
    {
        rejected += count;
    }

    void retried()
    {
        retried++;
    }

    void connected(final boolean connected)
    {
        isConnected = connected;
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
        figures.put("commits", commits);
        figures.put("retried", retried);
        figures.put("connected", isConnected);
        figures.put("trouble", trouble);
        return figures;
    }
}
