package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.row.RowHashes;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A compiled flow: creates engines. Immutable, thread-safe. */
public final class CompiledFlow
{
    private final FlowPlan plan;
    /** The flow, split at its patterns. */
    private final PatternSplitter cuts;
    private final FlowProperties properties;
    /** Properties of the split flow. */
    private final FlowProperties cut;
    private final Map<FlowNode, Integer> columns;
    private final String javaText;
    private final RoutingColumns routers;
    private final FlowPatterns patterns;
    /** By level. */
    private final List<List<CompiledUnit>> units;

    CompiledFlow(final FlowPlan plan, final PatternSplitter cuts, final List<FlowProperties> properties,
        final Map<FlowNode, Integer> columns, final String javaText, final RoutingColumns routers,
        final FlowPatterns patterns, final List<List<CompiledUnit>> units)
    {
        this.plan = plan;
        this.cuts = cuts;
        this.properties = properties.get(0);
        cut = properties.get(1);
        this.columns = new IdentityHashMap<>(columns);
        this.javaText = javaText;
        this.routers = routers;
        this.patterns = patterns;
        this.units = List.copyOf(units);
    }

    public FlowPlan plan()
    {
        return plan;
    }

    /** The generated source text, for diagnosis. */
    public String javaText()
    {
        return javaText;
    }

    /** How each pattern runs and what state it stores, for diagnosis: a line per pattern. */
    public List<String> patternTexts()
    {
        return patterns.texts();
    }

    /** The parts of the plan that run as units. */
    public List<CompiledUnit> units()
    {
        return units.stream().flatMap(List::stream).toList();
    }

    /**
     * Creates an engine with empty state.
     *
     * @return engine whose sources have the order of the plan
     * @throws IllegalArgumentException when something is not bound
     */
    public FlowEngine instantiate(final FlowBindings bindings)
    {
        return new EngineAssembler(plan, cuts, patterns, bindings, columns)
            .assemble(units, null);
    }

    /**
     * Creates an engine that continues from the state of another engine of the same flow.
     *
     * @param from written by {@link FlowEngine#write}
     * @return engine whose sources have the order of the plan
     * @throws IllegalArgumentException when something is not bound
     * @throws StateException           when it is state of another flow, or corrupt
     */
    public FlowEngine instantiate(final FlowBindings bindings, final StateInput from)
    {
        return new EngineAssembler(plan, cuts, patterns, bindings, columns)
            .assemble(units, Objects.requireNonNull(from, "from"));
    }

    /**
     * Whether an engine reads a column of a source's batches; the content of other columns is irrelevant.
     *
     * @param source index of a source
     * @param column index in its batches
     */
    public boolean reads(final int source, final int column)
    {
        final FlowNode.Source channel = plan.sources().get(source);
        return properties.isRead(channel, column) || cut.has(channel) && cut.isRead(channel, column);
    }

    /**
     * Creates the hashes that route the rows of a source to engines.
     *
     * @param source index of a source that is routed by value
     * @return hashes, not thread-safe
     */
    public RowHashes hashes(final int source, final BatchSchema schema)
    {
        return routers.hashes(source, schema);
    }
}
