package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.compiler.CompiledPipeline;
import dev.millrace.cql.compiler.flow.CompiledFlow;
import dev.millrace.cql.functions.Aggregates;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.index.IndexedPipeline;
import dev.millrace.cql.runtime.index.StatementIndex;
import dev.millrace.cql.testkit.XmlSources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiled statements with fresh state, as a server runs them on one thread; counts their output.
 *
 * <p>Not thread-safe.
 */
final class StatementRun
{
    private final MemoryAccount memory;
    private final Map<String, List<IndexedPipeline>> pipelines = new HashMap<>();
    private final Map<String, StatementIndex> indexes = new HashMap<>();
    private final List<FlowEngine> flows = new ArrayList<>();
    private long rowsOut;
    private long rejected;
    private String reason = "";

    StatementRun(final List<CompiledPipeline> pipelines, final List<CompiledFlow> flows, final MemoryAccount memory)
    {
        this.memory = memory;
        pipelines.forEach(this::open);
        this.pipelines.forEach((source, statements) -> indexes.put(source, new StatementIndex(statements)));
        flows.forEach(this::open);
    }

    private void open(final CompiledPipeline compiled)
    {
        final Map<String, BatchSchema> schemas = new HashMap<>();
        final Map<String, EventBatchSink> sinks = new HashMap<>();
        compiled.plan().outputs().forEach(output -> output(output.queryId(), output.type(), schemas, sinks));
        final Pipeline pipeline = compiled.instantiate(new PipelineBindings(
            new BatchSchema(compiled.plan().sourceType()), schemas, sinks, Map.of(), this::reject,
            memory));
        pipelines.computeIfAbsent(compiled.plan().sourceChannel(), name -> new ArrayList<>())
            .add(new IndexedPipeline(pipeline, compiled.filter()));
    }

    private void open(final CompiledFlow compiled)
    {
        final Map<String, BatchSchema> schemas = new HashMap<>();
        final Map<String, EventBatchSink> sinks = new HashMap<>();
        compiled.plan().outputs().forEach(output -> output(output.queryId(), output.type(), schemas, sinks));
        flows.add(compiled.instantiate(new FlowBindings(schemas, sinks, XmlSources.of(compiled.plan()),
            Aggregates.factories(), Map.of(), this::reject, FlowBindings.DEFAULT_MAX_ROWS, memory, 0)));
    }

    private void output(final String query, final EventType type, final Map<String, BatchSchema> schemas,
        final Map<String, EventBatchSink> sinks)
    {
        schemas.put(query, new BatchSchema(type));
        sinks.put(query, batch -> rowsOut += batch.size());
    }

    private void reject(final int rows, final String why, final String detail)
    {
        rejected += rows;
        reason = why + ": " + detail;
    }

    /**
     * Runs over all rows and emits everything that is decided.
     *
     * @param rows at least one
     */
    void run(final StoredRows rows)
    {
        rows.forEach(this::give);
        flows.forEach(FlowEngine::finish);
    }

    private void give(final String source, final EventBatch batch)
    {
        if (indexes.containsKey(source))
        {
            indexes.get(source).onBatch(batch);
        }
        for (final FlowEngine flow : flows)
        {
            final int index = flow.source(source);
            if (index >= 0)
            {
                flow.onBatch(index, batch);
            }
        }
    }

    long rowsOut()
    {
        return rowsOut;
    }

    long rejected()
    {
        return rejected;
    }

    /** Reason of the last rejected row. */
    String reason()
    {
        return reason;
    }

    /** State of operators: rows or groups by operator. */
    Map<String, Long> state()
    {
        final Map<String, Long> state = new LinkedHashMap<>();
        pipelines.values().forEach(all -> all.forEach(each -> add(each.pipeline().statistics(), state)));
        flows.forEach(flow -> add(flow.statistics(), state));
        state.values().removeIf(size -> size == 0);
        return state;
    }

    private static void add(final Map<String, Object> statistics, final Map<String, Long> state)
    {
        ((Map<?, ?>)statistics.get("state")).forEach((name, size) ->
            state.merge(String.valueOf(name), ((Number)size).longValue(), Long::sum));
    }
}
