package dev.millrace.adapter.mqtt.inbound;

import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;

/** The figures of a source. The source's thread writes, any thread reads. */
final class SourceCounters
{
    final RejectedRows rejectedRows = new RejectedRows();
    private volatile long messages;
    private volatile long rows;
    private volatile long sentNumber;
    private volatile long acknowledged;
    private volatile long rejected;
    private volatile long deadLetters;
    private volatile long connections;
    private volatile boolean isConnected;
    private volatile String trouble = "";

    void received()
    {
        messages++;
    }

    void sent(final int count, final long lastNumber)
    {
        rows += count;
        sentNumber = lastNumber;
    }

    /** The number of the last row that was sent. */
    long sentNumber()
    {
        return sentNumber;
    }

    void acknowledged()
    {
        acknowledged++;
    }

    void rejected()
    {
        rejected++;
    }

    void deadLetter()
    {
        deadLetters++;
    }

    void connected(final boolean connected)
    {
        connections += connected ? 1 : 0;
        isConnected = connected;
    }

    void trouble(final String text)
    {
        trouble = text;
    }

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("messages", messages);
        figures.put("rows", rows);
        figures.put("acknowledged", acknowledged);
        figures.put("rejected", rejected);
        figures.put("deadLetters", deadLetters);
        figures.put("connections", connections);
        figures.put("connected", isConnected);
        figures.put("trouble", trouble);
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}
