package dev.millrace.adapter.jdbc.buffer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Statistics of a sink in rows. Each is written by one thread at a time and read by any thread. */
public final class SinkCounters
{
    /** Accepted from channels. */
    final AtomicLong received = new AtomicLong();
    /** Committed to the table. */
    public final AtomicLong written = new AtomicLong();
    /** Updates and deletes that found no row with their key; also counted as written. */
    public final AtomicLong missed = new AtomicLong();
    /** Rejected by the database, each logged. */
    public final AtomicLong failed = new AtomicLong();
    /** Rejected because the buffer was full. */
    final AtomicLong rejected = new AtomicLong();
    /** Sent to the database again. */
    public final AtomicLong retried = new AtomicLong();
    /** Written to files. */
    final AtomicLong spilled = new AtomicLong();
    /** Read from files of an earlier run. */
    public final AtomicLong restored = new AtomicLong();
    /** Neither written nor stored when the sink ended, or in files that cannot be read. */
    public final AtomicLong lost = new AtomicLong();
    /** Number of transactions. */
    public final AtomicLong batches = new AtomicLong();
    /** Why the database does not accept rows; empty when it does. */
    private volatile String trouble = "";

    public void trouble(final String text)
    {
        trouble = text;
    }

    public String trouble()
    {
        return trouble;
    }

    public Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("received", received.get());
        figures.put("written", written.get());
        figures.put("missed", missed.get());
        figures.put("failed", failed.get());
        figures.put("rejected", rejected.get());
        figures.put("retried", retried.get());
        figures.put("spilled", spilled.get());
        figures.put("restored", restored.get());
        figures.put("lost", lost.get());
        figures.put("batches", batches.get());
        figures.put("trouble", trouble);
        return figures;
    }
}
