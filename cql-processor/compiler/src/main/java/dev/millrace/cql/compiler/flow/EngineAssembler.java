package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowEngine;
import dev.millrace.cql.runtime.flow.FlowSource;
import dev.millrace.cql.runtime.flow.InternalChannel;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.flow.UnitRunner;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Assembles an engine from units and the patterns between them.
 *
 * <pre>
 *   channels ──► unit ──► InternalChannel ──► pattern ──► InternalChannel ──► unit
 *       └────────────────────────────────────►
 * </pre>
 *
 * <p>Not thread-safe; used once.
 */
final class EngineAssembler
{
    private final FlowPlan plan;
    private final PatternSplitter cuts;
    private final FlowPatterns patterns;
    private final FlowBindings bindings;
    private final Map<FlowNode, Integer> columns;
    private final Map<FlowNode, FlowSource> sources = new IdentityHashMap<>();
    private final Map<FlowNode, InternalChannel> channels = new IdentityHashMap<>();
    private final Map<String, InternalChannel> inputs = new HashMap<>();
    private final List<UnitRunner> parts = new ArrayList<>();

    /**
     * @param columns for nodes of the plan that store rows of partitioned channels: the column that identifies the
     *                partition
     */
    EngineAssembler(final FlowPlan plan, final PatternSplitter cuts, final FlowPatterns patterns,
        final FlowBindings bindings, final Map<FlowNode, Integer> columns)
    {
        this.plan = plan;
        this.cuts = cuts;
        this.patterns = patterns;
        this.bindings = bindings;
        this.columns = columns;
    }

    /**
     * Creates the engine.
     *
     * @param units by the level of their outputs
     * @param from  state to restore; {@code null} for a new engine
     */
    FlowEngine assemble(final List<List<CompiledUnit>> units, final StateInput from)
    {
        final List<FlowSource> all = new ArrayList<>();
        for (final FlowNode.Source source : plan.sources())
        {
            final FlowSource channel = new FlowSource(source.name(), switch (source.time())
            {
                case SYSTEM -> FlowSource.TimeKind.SYSTEM;
                case APPLICATION -> FlowSource.TimeKind.APPLICATION;
                case APPLICATION_TOTAL_ORDER -> FlowSource.TimeKind.TOTAL_ORDER;
            }, source.silent());
            sources.put(source, channel);
            all.add(channel);
        }
        cuts.patterns().forEach(this::open);
        FlowBindings inside = bindings;
        for (final Map.Entry<String, InternalChannel> input : inputs.entrySet())
        {
            inside = inside.with(input.getKey(), input.getValue().schema(), input.getValue());
        }
        for (int level = 0; level < units.size(); level++)
        {
            for (final CompiledUnit unit : units.get(level))
            {
                add(unit, inside);
            }
            for (final PatternSplitter.Cut cut : cuts.patterns())
            {
                if (cut.level() == level)
                {
                    add(cut);
                }
            }
        }
        return new FlowEngine(all, parts, bindings.rejection(), from);
    }

    /** Creates the channels into and out of a pattern. */
    private void open(final PatternSplitter.Cut cut)
    {
        final List<FlowSource> origins = FlowNode.upstream(cut.match()).stream().filter(sources::containsKey)
            .map(sources::get).toList();
        if (cut.input() != null)
        {
            inputs.put(cut.input().queryId(), new InternalChannel(cut.input().queryId(), cut.input().type(), origins));
        }
        final InternalChannel matches = new InternalChannel(cut.matches().name(), cut.matches().type(), origins);
        channels.put(cut.matches(), matches);
    }

    private void add(final CompiledUnit unit, final FlowBindings inside)
    {
        final List<FlowSource> from = new ArrayList<>();
        for (final FlowNode.Source source : unit.sources())
        {
            from.add(channels.containsKey(source) ? channels.get(source).source() : sources.get(source));
        }
        final UnitRunner slot = new UnitRunner(unit.instantiate(inside), from, inputs);
        unit.sources().stream().filter(channels::containsKey).forEach(source -> slot.reads(channels.get(source)));
        parts.add(slot);
    }

    private void add(final PatternSplitter.Cut cut)
    {
        final FlowNode.Match match = cut.match();
        final InternalChannel way = channels.get(cut.matches());
        final InternalChannel rows = cut.input() == null ? null : inputs.get(cut.input().queryId());
        final UnitRunner slot = new UnitRunner(patterns.make(match,
            new QueryOutput(cut.matches().name(), true, way.schema(), way, bindings.rejection()),
            columns.getOrDefault(match, -1), bindings),
            List.of(rows == null ? sources.get(FlowPatterns.channel(match)) : rows.source()),
            Map.of(cut.matches().name(), way));
        if (rows != null)
        {
            slot.reads(rows);
        }
        parts.add(slot);
    }
}
