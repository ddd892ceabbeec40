package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.source.RejectedRows;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The figures of a source. Thread-safe. */
final class SourceCounters
{
    private final RejectedRows rejectedRows = new RejectedRows();
    private final LongAdder messages = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder subscriptions = new LongAdder();
    private volatile long rows;
    private volatile long rejected;
    private volatile boolean isConnected;
    private volatile String trouble = "";

    void message()
    {
        messages.increment();
    }

    /** Counts a message for which the queue had no space. */
    void lost()
    {
        lost.increment();
    }

    /** Counts a subscription; after the first one each means that messages may be missing. */
    void subscribed()
    {
        subscriptions.increment();
    }

    void sent(final int count, final long lastNumber)
    {
        rows += count;
    }

    void rejected(final String reason, final String detail, final String message)
    {
        rejected++;
        rejectedRows.add(Map.of("message", message), reason, detail);
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
        figures.put("messages", messages.sum());
        figures.put("rows", rows);
        figures.put("rejected", rejected);
        figures.put("lost", lost.sum());
        figures.put("subscriptions", subscriptions.sum());
        figures.put("connected", isConnected);
        figures.put("trouble", trouble);
        figures.put("lastRejected", rejectedRows.rows());
        return figures;
    }
}
