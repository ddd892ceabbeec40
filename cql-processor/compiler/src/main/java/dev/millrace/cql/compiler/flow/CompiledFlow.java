package dev.millrace.cql.compiler.flow;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.flow.RowHashes;
import dev.millrace.cql.runtime.state.PartitionTest;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A compiled flow: makes engines. Immutable, safe for all threads. */
public final class CompiledFlow
{
    private final FlowPlan plan;
    /** The flow cut at its patterns. */
    private final PatternCuts cuts;
    private final FlowProperties properties;
    /** Of the flow that is cut. */
    private final FlowProperties cut;
    private final Map<FlowNode, Integer> columns;
    private final String javaText;
    private final FlowRouters routers;
    private final FlowPatterns patterns;
    /** By level. */
    private final List<List<CompiledUnit>> units;

    CompiledFlow(final FlowPlan plan, final PatternCuts cuts, final List<FlowProperties> properties,
        final Map<FlowNode, Integer> columns, final String javaText, final FlowRouters routers,
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

    /**
     * What was compiled.
     *
     * @return plan
     */
    public FlowPlan plan()
    {
        return plan;
    }

    /**
     * The generated class, for people.
     *
     * @return Java text
     */
    public String javaText()
    {
        return javaText;
    }

    /**
     * How each pattern runs and what state it keeps, for people.
     *
     * @return a line a pattern
     */
    public List<String> patternTexts()
    {
        return patterns.texts();
    }

    /**
     * What runs as units.
     *
     * @return parts of the plan
     */
    public List<CompiledUnit> units()
    {
        return units.stream().flatMap(List::stream).toList();
    }

    /**
     * Makes an engine with empty state.
     *
     * @param bindings what it is tied to
     * @return engine; its sources have the order of the plan's
     * @throws IllegalArgumentException when something is not bound
     */
    public FlowEngine instantiate(final FlowBindings bindings)
    {
        return new EngineAssembler(plan, cuts, patterns, bindings, columns)
            .assemble(units, null);
    }

    /**
     * Makes an engine that goes on where another one of the same flow was.
     *
     * @param bindings what it is tied to
     * @param from     what {@link FlowEngine#write} has given
     * @return engine; its sources have the order of the plan's
     * @throws IllegalArgumentException when something is not bound
     * @throws StateException           when it is state of another flow, or makes no sense
     */
    public FlowEngine instantiate(final FlowBindings bindings, final StateInput from)
    {
        return new EngineAssembler(plan, cuts, patterns, bindings, columns)
            .assemble(units, Objects.requireNonNull(from, "from"));
    }

    /**
     * Takes the state of an engine apart by partition: a new engine may go on with each of the two.
     *
     * @param engine     of this flow, between batches
     * @param bindings   what it is tied to
     * @param partitions which are to go, by the index of the source
     * @param maxBytes   most bytes of the whole state
     * @return state of these partitions, and of all others
     * @throws StateException when the state cannot be written, or not be told apart by partition
     */
    public SplitState split(final FlowEngine engine, final FlowBindings bindings,
        final Map<Integer, PartitionTest> partitions, final int maxBytes)
    {
        return new SplitState(engine, this, bindings, maxBytes, partitions);
    }

    /**
     * Whether an engine reads a column of a source's batches; others may hold anything.
     *
     * @param source index of a source
     * @param column index in its batches
     * @return false when nothing depends on it
     */
    public boolean reads(final int source, final int column)
    {
        final FlowNode.Source channel = plan.sources().get(source);
        return properties.isRead(channel, column) || cut.has(channel) && cut.isRead(channel, column);
    }

    /**
     * Makes the hashes by which rows of a source find their engine.
     *
     * @param source index of a source whose route goes by value
     * @param schema of its batches
     * @return hashes for one thread
     */
    public RowHashes hashes(final int source, final BatchSchema schema)
    {
        return routers.hashes(source, schema);
    }
}
