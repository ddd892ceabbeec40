package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Holds back the output of a processor that replays its input. Opened before the first row arrives. */
public final class OutputGate
{
    private final Map<EventBatchSink, Gated> gated = new IdentityHashMap<>();
    private boolean isOpen;

    /** The output of one thread. */
    private final class Gated implements EventBatchSink
    {
        private final EventBatchSink sink;

        Gated(final EventBatchSink sink)
        {
            this.sink = sink;
        }

        @Override
        public void onBatch(final EventBatch batch) throws EventRejectedException
        {
            if (isOpen)
            {
                sink.onBatch(batch);
            }
        }
    }

    /** Opens the outputs of queries so that rows pass only while the gate is open; equal sinks stay equal. */
    public Map<String, EventBatchSink> outputs(final List<String> queries,
        final Function<List<String>, Map<String, EventBatchSink>> opener)
    {
        final Map<String, EventBatchSink> outputs = new HashMap<>();
        opener.apply(queries).forEach((query, sink) -> outputs.put(query, gated.computeIfAbsent(sink, Gated::new)));
        return outputs;
    }

    /** From now on rows pass. */
    public void open()
    {
        isOpen = true;
    }
}
