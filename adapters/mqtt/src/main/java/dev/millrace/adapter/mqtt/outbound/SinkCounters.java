package dev.millrace.adapter.mqtt.outbound;

import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a sink. The channel's thread writes, any thread reads. */
final class SinkCounters
{
    private volatile long rows;
    private volatile long rejected;
    private volatile long repeated;
    private volatile boolean isConnected;
    private volatile String trouble = "";

    void sent(final long count)
    {
        rows += count;
    }

    void rejected(final long count)
    {
        rejected += count;
    }

    void repeated(final long count)
    {
        repeated += count;
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
        figures.put("rejected", rejected);
        figures.put("repeated", repeated);
        figures.put("connected", isConnected);
        figures.put("trouble", trouble);
        return figures;
    }
}
