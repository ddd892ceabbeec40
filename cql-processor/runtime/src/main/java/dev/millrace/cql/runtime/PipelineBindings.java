package dev.millrace.cql.runtime;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.text.Codes;
import java.util.Map;
import java.util.Objects;

/**
 * What one instance of a pipeline is tied to: one instance runs on one worker.
 *
 * @param source        shape of the batches it takes
 * @param outputSchemas shape of what each query puts out, by query id
 * @param outputs       where each query's rows go, by query id; called by the thread that runs the pipeline
 * @param relations     the worker's copy of each relation it looks up, by the id of the relation source
 * @param rejection     takes note of rejected rows
 * @param memory        is charged what its state grows by
 * @param strings       table of the strings that its state refers to, the same that its relations have; nobody else's
 */
public record PipelineBindings(
    BatchSchema source,
    Map<String, BatchSchema> outputSchemas,
    Map<String, EventBatchSink> outputs,
    Map<String, LookupRelation> relations,
    RowRejection rejection,
    MemoryAccount memory,
    Codes strings)
{
    /** Copies the maps. */
    public PipelineBindings
    {
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(rejection, "rejection");
        outputSchemas = Map.copyOf(outputSchemas);
        outputs = Map.copyOf(outputs);
        relations = Map.copyOf(relations);
    }

    /**
     * Bindings with a table of strings of their own, or that of their relations.
     *
     * @param source        shape of the batches it takes
     * @param outputSchemas shape of what each query puts out
     * @param outputs       where each query's rows go
     * @param relations     the worker's copy of each relation it looks up
     * @param rejection     takes note of rejected rows
     * @param memory        is charged what its state grows by
     */
    public PipelineBindings(final BatchSchema source, final Map<String, BatchSchema> outputSchemas,
        final Map<String, EventBatchSink> outputs, final Map<String, LookupRelation> relations,
        final RowRejection rejection, final MemoryAccount memory)
    {
        this(source, outputSchemas, outputs, relations, rejection, memory,
            relations.values().stream().map(LookupRelation::strings).findFirst()
                .orElseGet(() -> newStrings(memory)));
    }

    /**
     * An empty table for the strings of a pipeline, without a bound but memory.
     *
     * @param memory is charged what it grows by
     * @return a new one
     */
    public static Codes newStrings(final MemoryAccount memory)
    {
        return new Codes(Codes.Lifetime.HELD, Integer.MAX_VALUE - 1, memory);
    }

    /**
     * Bindings without a bound of memory.
     *
     * @param source        shape of the batches it takes
     * @param outputSchemas shape of what each query puts out
     * @param outputs       where each query's rows go
     * @param relations     the worker's copy of each relation it looks up
     * @param rejection     takes note of rejected rows
     */
    public PipelineBindings(final BatchSchema source, final Map<String, BatchSchema> outputSchemas,
        final Map<String, EventBatchSink> outputs, final Map<String, LookupRelation> relations,
        final RowRejection rejection)
    {
        this(source, outputSchemas, outputs, relations, rejection, MemoryAccount.NONE);
    }

    /**
     * The shape of a query's output.
     *
     * @param queryId id
     * @return schema
     * @throws IllegalArgumentException when the query is not bound
     */
    public BatchSchema outputSchema(final String queryId)
    {
        return bound(outputSchemas, queryId, "output schema");
    }

    /**
     * Where a query's rows go.
     *
     * @param queryId id
     * @return sink
     * @throws IllegalArgumentException when the query is not bound
     */
    public EventBatchSink output(final String queryId)
    {
        return bound(outputs, queryId, "output");
    }

    /**
     * A relation.
     *
     * @param relationId id of the relation source
     * @return the worker's copy
     * @throws IllegalArgumentException when the relation is not bound, or has another table of strings
     */
    public LookupRelation relation(final String relationId)
    {
        final LookupRelation relation = bound(relations, relationId, "relation");
        if (relation.strings() != strings)
        {
            throw new IllegalArgumentException("a relation has the table of strings of the pipeline that looks it " +
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
