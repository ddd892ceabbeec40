package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.compiler.unit.DiscardSupport;
import dev.millrace.cql.compiler.unit.UnitCompiler;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compiles flows. Thread-safe. */
public final class FlowCompiler
{
    private final ClassCompiler classMaker;
    private final UnitCompiler unitCompiler;

    public FlowCompiler()
    {
        this(new JaninoClassCompiler());
    }

    /**
     * @param classMaker compiles the source text
     */
    public FlowCompiler(final ClassCompiler classMaker)
    {
        this.classMaker = classMaker;
        unitCompiler = new UnitCompiler(classMaker);
    }

    /**
     * Compiles a flow: its units and its patterns.
     *
     * @param plan from the planner
     * @throws dev.millrace.cql.compiler.emit.PlanNotSupportedException when the plan cannot be compiled
     */
    public CompiledFlow compile(final FlowPlan plan)
    {
        return compile(plan, new DiscardSupport(Map.of(), false));
    }

    /**
     * Compiles a flow whose engines can discard partitions or idle keys.
     *
     * @param plan      from the planner
     * @param forgotten what must be discarded
     * @throws dev.millrace.cql.compiler.emit.PlanNotSupportedException when the plan cannot be compiled
     */
    public CompiledFlow compile(final FlowPlan plan, final DiscardSupport forgotten)
    {
        final Map<FlowNode, Integer> columns = forgotten.columns();
        final FlowProperties properties = new FlowProperties(plan, columns);
        final RoutingColumns routers = new RoutingColumns(plan, classMaker);
        final FlowPatterns patterns = new FlowPatterns(plan, properties, classMaker);
        final PatternSplitter cuts = new PatternSplitter(plan, properties,
            match -> FlowPatterns.channel(match) != null);
        final DiscardSupport inUnits = new DiscardSupport(cuts.columns(columns), forgotten.canBeIdle());
        final FlowProperties cut = new FlowProperties(cuts.plan(), inUnits.columns());
        final List<List<CompiledUnit>> units = new ArrayList<>();
        cuts.outputs().forEach(outputs -> units.add(unitCompiler.compile(outputs, cut, inUnits)));
        final StringBuilder text = new StringBuilder(routers.javaText()).append(patterns.javaText());
        units.forEach(level -> level.forEach(unit -> text.append(unit.javaText())));
        return new CompiledFlow(plan, cuts, List.of(properties, cut), columns, text.toString(), routers, patterns,
            units);
    }
}
