package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.function.LookupSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The environment of one engine of a flow.
 *
 * @param outputSchemas output schema by query id
 * @param outputs       sink by query id; called by the thread of the engine
 * @param pulls         caches, tables and functions that are asked for rows, by the name in the plan
 * @param aggregates    aggregates that the runtime does not implement, by the name in the plan
 * @param windows       user-defined windows, by the name in the plan
 * @param rejection     receives rejected rows
 * @param maxRows       maximum number of rows per operator
 * @param memory        charged for the growth of state
 * @param idleStateNs   how long keys of unbounded state may be idle; 0 when they never expire
 * @param maxAttempts   maximum number of partial matches of a pattern per partition
 * @param codes         creates the empty string table of each unit, whose codes are retained
 */
public record FlowBindings(
    Map<String, BatchSchema> outputSchemas,
    Map<String, EventBatchSink> outputs,
    Map<String, LookupSource> pulls,
    Map<String, GroupAggregateFactory> aggregates,
    Map<String, TimeWindowFactory> windows,
    RejectionHandler rejection,
    int maxRows,
    MemoryAccount memory,
    long idleStateNs,
    int maxAttempts,
    Supplier<StringTable> codes)
{
    /** Default maximum number of rows per operator. */
    public static final int DEFAULT_MAX_ROWS = 1 << 24;

    /** Default maximum number of partial matches of a pattern per partition. */
    public static final int DEFAULT_MAX_ATTEMPTS = 10_000;

    /** Maximum number of codes per unit. Rows and keys have their own limits; memory limits what codes occupy. */
    private static final int MOST_CODES = 1 << 30;

    public FlowBindings
    {
        Objects.requireNonNull(rejection, "rejection");
        outputSchemas = Map.copyOf(outputSchemas);
        outputs = Map.copyOf(outputs);
        pulls = Map.copyOf(pulls);
        aggregates = Map.copyOf(aggregates);
        windows = Map.copyOf(windows);
    }

    /** Bindings whose units have ordinary string tables. */
    public FlowBindings(final Map<String, BatchSchema> outputSchemas, final Map<String, EventBatchSink> outputs,
        final Map<String, LookupSource> pulls, final Map<String, GroupAggregateFactory> aggregates,
        final Map<String, TimeWindowFactory> windows, final RejectionHandler rejection, final int maxRows,
        final MemoryAccount memory, final long idleStateNs)
    {
        this(outputSchemas, outputs, pulls, aggregates, windows, rejection, maxRows, memory, idleStateNs,
            DEFAULT_MAX_ATTEMPTS, () -> new StringTable(StringTable.Lifetime.HELD, MOST_CODES));
    }

    /** Bindings without user-defined windows and without a memory limit. */
    public FlowBindings(final Map<String, BatchSchema> outputSchemas, final Map<String, EventBatchSink> outputs,
        final Map<String, LookupSource> pulls, final Map<String, GroupAggregateFactory> aggregates,
        final RejectionHandler rejection, final int maxRows)
    {
        this(outputSchemas, outputs, pulls, aggregates, Map.of(), rejection, maxRows, MemoryAccount.NONE, 0);
    }

    /** These bindings with another maximum of partial matches per partition. */
    public FlowBindings withMaxAttempts(final int attempts)
    {
        return new FlowBindings(outputSchemas, outputs, pulls, aggregates, windows, rejection, maxRows, memory,
            idleStateNs, attempts, codes);
    }

    /** These bindings with a further output. */
    public FlowBindings with(final String id, final BatchSchema schema, final EventBatchSink sink)
    {
        final Map<String, BatchSchema> schemas = new HashMap<>(outputSchemas);
        schemas.put(id, schema);
        final Map<String, EventBatchSink> sinks = new HashMap<>(outputs);
        sinks.put(id, sink);
        return new FlowBindings(schemas, sinks, pulls, aggregates, windows, rejection, maxRows, memory, idleStateNs,
            maxAttempts, codes);
    }

    /**
     * Creates the output of a query.
     *
     * @param isStream whether it is a stream
     * @throws IllegalArgumentException when the query is not bound
     */
    public QueryOutput output(final String queryId, final boolean isStream)
    {
        return new QueryOutput(queryId, isStream, bound(outputSchemas, queryId, "output schema"),
            bound(outputs, queryId, "output"), rejection);
    }

    /**
     * Returns the binding of a name.
     *
     * @param map  one of this record's
     * @param what kind of the binding, for the message
     * @return never {@code null}
     * @throws IllegalArgumentException when the name is not bound
     */
    public static <T> T bound(final Map<String, T> map, final String name, final String what)
    {
        final T found = map.get(name);
        if (found == null)
        {
            throw new IllegalArgumentException("flow has no " + what + " bound, name=" + name + " bound=" +
                map.keySet());
        }
        return found;
    }
}
