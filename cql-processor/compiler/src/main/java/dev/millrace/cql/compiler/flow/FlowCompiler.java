package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.JaninoClassMaker;
import dev.millrace.cql.compiler.unit.CompiledUnit;
import dev.millrace.cql.compiler.unit.Forgotten;
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
    private final ClassMaker classMaker;
    private final UnitCompiler unitCompiler;

    public FlowCompiler()
    {
        this(new JaninoClassMaker());
    }

    /**
     * @param classMaker compiles the source text
     */
    public FlowCompiler(final ClassMaker classMaker)
    {
        this.classMaker = classMaker;
        unitCompiler = new UnitCompiler(classMaker);
    }

    /**
     * Compiles a flow: its units and its patterns.
     *
     * @param plan from the planner
     * @throws dev.millrace.cql.compiler.PlanNotSupportedException when the plan cannot be compiled
     */
    public CompiledFlow compile(final FlowPlan plan)
    {
        return compile(plan, new Forgotten(Map.of(), false));
    }

    /**
     * Compiles a flow whose engines can discard partitions or idle keys.
     *
     * @param plan      from the planner
     * @param forgotten what must be discarded
     * @throws dev.millrace.cql.compiler.PlanNotSupportedException when the plan cannot be compiled
     */
    public CompiledFlow compile(final FlowPlan plan, final Forgotten forgotten)
    {
        final Map<FlowNode, Integer> columns = forgotten.columns();
        final FlowProperties properties = new FlowProperties(plan, columns);
        final FlowRouters routers = new FlowRouters(plan, classMaker);
        final FlowPatterns patterns = new FlowPatterns(plan, properties, classMaker);
        final PatternCuts cuts = new PatternCuts(plan, properties, match -> FlowPatterns.channel(match) != null);
        final Forgotten inUnits = new Forgotten(cuts.columns(columns), forgotten.canBeIdle());
        final FlowProperties cut = new FlowProperties(cuts.plan(), inUnits.columns());
        final List<List<CompiledUnit>> units = new ArrayList<>();
        cuts.outputs().forEach(outputs -> units.add(unitCompiler.compile(outputs, cut, inUnits)));
        final StringBuilder text = new StringBuilder(routers.javaText()).append(patterns.javaText());
        units.forEach(level -> level.forEach(unit -> text.append(unit.javaText())));
        return new CompiledFlow(plan, cuts, List.of(properties, cut), columns, text.toString(), routers, patterns,
            units);
    }
}
