package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import java.util.Map;
import java.util.Objects;

/**
 * The environment of one pipeline instance, which runs on one worker.
 *
 * @param source        schema of its input batches
 * @param outputSchemas output schema by query id
 * @param outputs       sink by query id; called by the thread that runs the pipeline
 * @param relations     the worker's replica of each relation it looks up, by the id of the relation source
 * @param rejection     receives rejected rows
 * @param memory        charged for the growth of state
 * @param strings       table of the strings that its state refers to; shared with its relations only
 */
public record PipelineBindings(
    BatchSchema source,
    Map<String, BatchSchema> outputSchemas,
    Map<String, EventBatchSink> outputs,
    Map<String, LookupRelation> relations,
    RejectionHandler rejection,
    MemoryAccount memory,
    StringTable strings)
{
    public PipelineBindings
    {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(rejection, "rejection");
        outputSchemas = Map.copyOf(outputSchemas);
        outputs = Map.copyOf(outputs);
        relations = Map.copyOf(relations);
    }

    /** Bindings that use the string table of their relations, or a new one. */
    public PipelineBindings(final BatchSchema source, final Map<String, BatchSchema> outputSchemas,
        final Map<String, EventBatchSink> outputs, final Map<String, LookupRelation> relations,
        final RejectionHandler rejection, final MemoryAccount memory)
    {
        this(source, outputSchemas, outputs, relations, rejection, memory,
            relations.values().stream().map(LookupRelation::strings).findFirst()
                .orElseGet(() -> newStrings(memory)));
    }

    /**
     * An empty string table for a pipeline, limited by memory only.
     *
     * @param memory charged for growth
     */
    public static StringTable newStrings(final MemoryAccount memory)
    {
        return new StringTable(StringTable.Lifetime.HELD, Integer.MAX_VALUE - 1, memory);
    }

    /** Bindings without a memory limit. */
    public PipelineBindings(final BatchSchema source, final Map<String, BatchSchema> outputSchemas,
        final Map<String, EventBatchSink> outputs, final Map<String, LookupRelation> relations,
        final RejectionHandler rejection)
    {
        this(source, outputSchemas, outputs, relations, rejection, MemoryAccount.NONE);
    }

    /**
     * The output schema of a query.
     *
     * @throws IllegalArgumentException when the query is not bound
     */
    public BatchSchema outputSchema(final String queryId)
    {
        return bound(outputSchemas, queryId, "output schema");
    }

    /**
     * The sink of a query.
     *
     * @throws IllegalArgumentException when the query is not bound
     */
    public EventBatchSink output(final String queryId)
    {
        return bound(outputs, queryId, "output");
    }

    /**
     * The worker's replica of a relation.
     *
     * @param relationId id of the relation source
     * @throws IllegalArgumentException when the relation is not bound, or has another string table
     */
    public LookupRelation relation(final String relationId)
    {
        final LookupRelation relation = bound(relations, relationId, "relation");
        if (relation.strings() != strings)
        {
            throw new IllegalArgumentException("a relation must share the string table of the pipeline that looks it " +
                "up, relation=" + relationId);
        }
        return relation;
    }

    private static <T> T bound(final Map<String, T> map, final String id, final String what)
    {
        final T found = map.get(id);
        if (found == null)
        {
            throw new IllegalArgumentException("pipeline has no " + what + " bound, id=" + id + " bound=" +
                map.keySet());
        }
        return found;
    }
}
