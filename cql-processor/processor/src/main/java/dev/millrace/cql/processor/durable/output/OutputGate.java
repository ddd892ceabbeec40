package dev.millrace.cql.processor.durable.output;

import dev.millrace.api.stage.EventBatchSink;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The outputs of a processor, which are numbered and held back while it replays its input. Confined to the thread that
 * starts the processor or changes its rules; while neither happens, the thread that writes snapshots may use it.
 */
public final class OutputGate
{
    private final Map<EventBatchSink, NumberedOutput> outputs = new IdentityHashMap<>();
    /** The outputs of each query in the order in which they were opened, one for each of its threads. */
    private final Map<String, List<EventBatchSink>> opened = new HashMap<>();

    /** Opens the outputs of queries; equal sinks stay equal. */
    public Map<String, EventBatchSink> outputs(final List<String> queries,
        final Function<List<String>, Map<String, EventBatchSink>> opener)
    {
        final Map<String, EventBatchSink> numbered = new HashMap<>();
        opener.apply(queries).forEach((query, sink) ->
            numbered.put(query, outputs.computeIfAbsent(sink, NumberedOutput::new)));
        numbered.forEach((query, output) -> opened.computeIfAbsent(query, id -> new ArrayList<>()).add(output));
        return numbered;
    }

    /**
     * Forgets an output that was opened, because its queries have ended.
     *
     * @return the stages below, to be closed
     */
    public EventBatchSink release(final EventBatchSink output)
    {
        final EventBatchSink sink = ((NumberedOutput)output).sink();
        outputs.remove(sink);
        opened.values().forEach(all -> all.removeIf(each -> each == output));
        opened.values().removeIf(List::isEmpty);
        return sink;
    }

    /** Outputs that count rows and discard them, shared by queries as the opened ones are. */
    public Map<String, EventBatchSink> discarding(final List<String> queries)
    {
        final Map<EventBatchSink, EventBatchSink> copies = new IdentityHashMap<>();
        final Map<String, EventBatchSink> numbered = new HashMap<>();
        queries.forEach(query -> numbered.put(query, copies.computeIfAbsent(newest(query),
            shared -> new NumberedOutput(batch ->
            {
                // The stages below receive the rows of the processor itself.
            }))));
        return numbered;
    }

    private EventBatchSink newest(final String query)
    {
        final List<EventBatchSink> all = opened.get(query);
        return all.get(all.size() - 1);
    }
}
