package dev.millrace.adapter.jms.inbound;

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
    private volatile long repeated;
    private volatile long rejected;
    private volatile long deadLetters;
    private volatile long commits;
    private volatile long rollbacks;
    private volatile long open;
    private volatile boolean isConnected;
    private volatile String trouble = "";

    void received()
    {
        messages++;
        open++;
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

    void repeated()
    {
        repeated++;
    }

    void rejected()
    {
        rejected++;
    }

    void deadLetter()
    {
        deadLetters++;
    }

    void committed()
    {
        commits++;
        open = 0;
    }

    void rolledBack()
    {
        rollbacks += open > 0 ? 1 : 0;
        open = 0;
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
        figures.put("messages", messages);
        figures.put("rows", rows);
        figures.put("repeated", repeated);
        figures.put("rejected", rejected);
        figures.put("deadLetters", deadLetters);
        figures.put("commits", commits);
        figures.put("rollbacks", rollbacks);
        figures.put("uncommitted", open);
        figures.put("connected", isConnected);
        figures.put("trouble", trouble);
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}
