package dev.millrace.adapter.kafka.outbound;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The figures of a sink. Thread-safe, because the client reports some of them on its own thread. */
final class SinkCounters
{
    final AtomicLong written = new AtomicLong();
    final AtomicLong repeated = new AtomicLong();
    final AtomicLong rejected = new AtomicLong();
    final AtomicLong commits = new AtomicLong();
    final AtomicLong retries = new AtomicLong();
    volatile String trouble = "";

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("written", written.get());
        figures.put("repeated", repeated.get());
        figures.put("rejected", rejected.get());
        figures.put("commits", commits.get());
        figures.put("retries", retries.get());
        figures.put("trouble", trouble);
        return figures;
    }
}
