package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.text.Codes;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.window.TimeWindowFactory;
import dev.millrace.cql.runtime.RowRejection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * What one engine of a flow is tied to.
 *
 * @param outputSchemas shape of what each query puts out, by query id
 * @param outputs       where each query's rows go, by query id; called by the thread of the engine
 * @param pulls         caches, tables and functions that are asked for rows, by the name in the plan
 * @param aggregates    aggregates that the runtime has not itself, by the name in the plan
 * @param windows       windows of users' classes, by the name in the plan
 * @param rejection     takes note of rejected rows
 * @param maxRows       how many rows each step may keep
 * @param memory        is charged what its state grows by
 * @param idleStateNs   how long keys that are kept without end may be idle; 0 when they are kept
 * @param maxAttempts   partial matches that a pattern may follow in a partition
 * @param codes         makes the empty table of codes of each unit, whose codes are held
 */
public record FlowBindings(
    Map<String, BatchSchema> outputSchemas,
    Map<String, EventBatchSink> outputs,
    Map<String, PullSource> pulls,
    Map<String, AggregateFactory> aggregates,
    Map<String, TimeWindowFactory> windows,
    RowRejection rejection,
    int maxRows,
    MemoryAccount memory,
    long idleStateNs,
    int maxAttempts,
    Supplier<Codes> codes)
{
    /** How many rows a step may keep when nothing else is said. */
    public static final int DEFAULT_MAX_ROWS = 1 << 24;

    /** How many partial matches a pattern may follow in a partition when nothing else is said. */
    public static final int DEFAULT_MAX_ATTEMPTS = 10_000;

    /** Codes of a unit; rows and keys are bounded by themselves, and what codes take by the memory. */
    private static final int MOST_CODES = 1 << 30;

    /** Copies the maps. */
    public FlowBindings
    {
        Objects.requireNonNull(rejection, "rejection");
        outputSchemas = Map.copyOf(outputSchemas);
        outputs = Map.copyOf(outputs);
        pulls = Map.copyOf(pulls);
        aggregates = Map.copyOf(aggregates);
        windows = Map.copyOf(windows);
    }

    /**
     * Bindings whose units have ordinary tables of codes.
     *
     * @param outputSchemas shape of what each query puts out
     * @param outputs       where each query's rows go
     * @param pulls         what is asked for rows
     * @param aggregates    aggregates that the runtime has not itself
     * @param windows       windows of users' classes
     * @param rejection     takes note of rejected rows
     * @param maxRows       how many rows each step may keep
     * @param memory        is charged what its state grows by
     * @param idleStateNs   how long keys that are kept without end may be idle; 0 when they are kept
     */
    public FlowBindings(final Map<String, BatchSchema> outputSchemas, final Map<String, EventBatchSink> outputs,
        final Map<String, PullSource> pulls, final Map<String, AggregateFactory> aggregates,
        final Map<String, TimeWindowFactory> windows, final RowRejection rejection, final int maxRows,
        final MemoryAccount memory, final long idleStateNs)
    {
        this(outputSchemas, outputs, pulls, aggregates, windows, rejection, maxRows, memory, idleStateNs,
            DEFAULT_MAX_ATTEMPTS, () -> new Codes(Codes.Lifetime.HELD, MOST_CODES));
    }

    /**
     * Bindings without windows of users' classes and without a bound of memory.
     *
     * @param outputSchemas shape of what each query puts out
     * @param outputs       where each query's rows go
     * @param pulls         what is asked for rows
     * @param aggregates    aggregates that the runtime has not itself
     * @param rejection     takes note of rejected rows
     * @param maxRows       how many rows each step may keep
     */
    public FlowBindings(final Map<String, BatchSchema> outputSchemas, final Map<String, EventBatchSink> outputs,
        final Map<String, PullSource> pulls, final Map<String, AggregateFactory> aggregates,
        final RowRejection rejection, final int maxRows)
    {
        this(outputSchemas, outputs, pulls, aggregates, Map.of(), rejection, maxRows, MemoryAccount.NONE, 0);
    }

    /**
     * These bindings with another bound of partial matches.
     *
     * @param attempts of a partition
     * @return a copy
     */
    public FlowBindings withMaxAttempts(final int attempts)
    {
        return new FlowBindings(outputSchemas, outputs, pulls, aggregates, windows, rejection, maxRows, memory,
            idleStateNs, attempts, codes);
    }

    /**
     * The same with a further output.
     *
     * @param id     of what is put out
     * @param schema of its batches
     * @param sink   takes them
     * @return new bindings
     */
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
     * Makes what takes the rows of a query.
     *
     * @param queryId  its id
     * @param isStream whether it is a stream
     * @return new output
     * @throws IllegalArgumentException when nothing is bound
     */
    public QueryOutput output(final String queryId, final boolean isStream)
    {
        return new QueryOutput(queryId, isStream, bound(outputSchemas, queryId, "output schema"),
            bound(outputs, queryId, "output"), rejection);
    }

    /**
     * Finds what a name is bound to.
     *
     * @param <T>  what it is
     * @param map  one of this record's
     * @param name name
     * @param what for the message
     * @return never {@code null}
     * @throws IllegalArgumentException when nothing is bound
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
