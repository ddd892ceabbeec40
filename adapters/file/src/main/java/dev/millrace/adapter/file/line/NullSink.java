package dev.millrace.adapter.file.line;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.StatisticsSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Sink that counts events and discards them. Thread-safe: several channels may call it at the same time. */
public final class NullSink implements Adapter, EventBatchSink, ConcurrentSink, StatisticsSource
{
    private final LongAdder received = new LongAdder();
    private final LongAdder batches = new LongAdder();

    @Override
    public void onBatch(final EventBatch batch)
    {
        if (batch.size() > 0)
        {
            received.add(batch.size());
            batches.increment();
        }
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("received", received.sum());
        figures.put("batches", batches.sum());
        return figures;
    }
}
