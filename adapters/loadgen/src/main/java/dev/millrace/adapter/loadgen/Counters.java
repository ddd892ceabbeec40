package dev.millrace.adapter.loadgen;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Statistics of an adapter. The I/O thread writes them once per round; any thread reads them. */
final class Counters
{
    final AtomicLong connectionsOpen = new AtomicLong();
    final AtomicLong connectionsTotal = new AtomicLong();
    final AtomicLong connectionsRefused = new AtomicLong();
    final AtomicLong frames = new AtomicLong();
    final AtomicLong lines = new AtomicLong();
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong reads = new AtomicLong();
    final AtomicLong rows = new AtomicLong();
    final AtomicLong rejected = new AtomicLong();

    Map<String, Object> snapshot()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("connectionsOpen", connectionsOpen.get());
        figures.put("connectionsTotal", connectionsTotal.get());
        figures.put("connectionsRefused", connectionsRefused.get());
        figures.put("frames", frames.get());
        figures.put("csvLines", lines.get());
        figures.put("bytes", bytes.get());
        figures.put("reads", reads.get());
        figures.put("rows", rows.get());
        figures.put("rejected", rejected.get());
        return figures;
    }
}
