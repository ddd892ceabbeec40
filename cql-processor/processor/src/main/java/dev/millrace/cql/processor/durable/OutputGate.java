package dev.millrace.cql.processor.durable;

import dev.millrace.api.stage.EventBatchSink;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The outputs of a processor, which are numbered and held back while it replays its input. */
public final class OutputGate
{
    private final Map<EventBatchSink, NumberedOutput> outputs = new IdentityHashMap<>();

    /** Opens the outputs of queries; equal sinks stay equal. */
    public Map<String, EventBatchSink> outputs(final List<String> queries,
        final Function<List<String>, Map<String, EventBatchSink>> opener)
    {
        final Map<String, EventBatchSink> opened = new HashMap<>();
        opener.apply(queries).forEach((query, sink) ->
            opened.put(query, outputs.computeIfAbsent(sink, NumberedOutput::new)));
        return opened;
    }
}
