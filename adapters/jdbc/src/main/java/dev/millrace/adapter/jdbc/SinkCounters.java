package dev.millrace.adapter.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Figures of a sink in rows, each written by one thread at a time and read by anybody. */
final class SinkCounters
{
    /** Taken from channels. */
    final AtomicLong received = new AtomicLong();
    /** In the table, committed. */
    final AtomicLong written = new AtomicLong();
    /** Updates and deletions that found no row of their key; counted as written as well. */
    final AtomicLong missed = new AtomicLong();
    /** Refused by the database, each logged. */
    final AtomicLong failed = new AtomicLong();
    /** Not taken because there was no room. */
    final AtomicLong rejected = new AtomicLong();
    /** Given to the database once more. */
    final AtomicLong retried = new AtomicLong();
    /** Put into files. */
    final AtomicLong spilled = new AtomicLong();
    /** Taken out of files that an earlier run has left. */
    final AtomicLong restored = new AtomicLong();
    /** Neither written nor kept when the sink ended, or in files that cannot be read. */
    final AtomicLong lost = new AtomicLong();
    /** Transactions. */
    final AtomicLong batches = new AtomicLong();
    /** Why the database does not take rows now; empty when it does. */
    private volatile String trouble = "";

    void trouble(final String text)
    {
        trouble = text;
    }

    String trouble()
    {
        return trouble;
    }

    Map<String, Object> snapshot()
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
