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
    /** The last opened outputs, by the queries that run as one. */
    private final Map<List<String>, Map<String, EventBatchSink>> opened = new HashMap<>();

    /** Opens the outputs of queries; equal sinks stay equal. */
    public Map<String, EventBatchSink> outputs(final List<String> queries,
        final Function<List<String>, Map<String, EventBatchSink>> opener)
    {
        final Map<String, EventBatchSink> numbered = new HashMap<>();
        opener.apply(queries).forEach((query, sink) ->
            numbered.put(query, outputs.computeIfAbsent(sink, NumberedOutput::new)));
        opened.put(queries, numbered);
        return numbered;
    }

    /** Outputs that count rows and discard them, shared by queries as the opened ones are. */
    public Map<String, EventBatchSink> discarding(final List<String> queries)
    {
        final Map<EventBatchSink, EventBatchSink> copies = new IdentityHashMap<>();
        final Map<String, EventBatchSink> numbered = new HashMap<>();
        opened.get(queries).forEach((query, sink) -> numbered.put(query, copies.computeIfAbsent(sink,
            shared -> new NumberedOutput(batch ->
            {
                // The stages below receive the rows of the processor itself.
            }))));
        return numbered;
    }
}
