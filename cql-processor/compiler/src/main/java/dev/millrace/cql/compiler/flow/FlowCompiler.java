package dev.millrace.cql.compiler.flow;

import dev.millrace.cql.compiler.ClassMaker;
import dev.millrace.cql.compiler.JaninoClassMaker;
import dev.millrace.cql.plan.flow.FlowPlan;

/** Compiles flows. Safe for all threads. */
public final class FlowCompiler
{
    private final ClassMaker classMaker;

    /** Makes a compiler that uses Janino. */
    public FlowCompiler()
    {
        this(new JaninoClassMaker());
    }

    /**
     * Makes a compiler.
     *
     * @param classMaker compiles the text
     */
    public FlowCompiler(final ClassMaker classMaker)
    {
        this.classMaker = classMaker;
    }

    /**
     * Compiles the conditions and expressions of a flow to one class with a class loader of its own.
     *
     * @param plan from the planner
     * @return what engines are made of
     * @throws dev.millrace.cql.compiler.PlanNotSupportedException when the plan asks for something that cannot be
     *     compiled
     */
    public CompiledFlow compile(final FlowPlan plan)
    {
        final CalcGenerator generator = new CalcGenerator();
        final FlowCalcs calcs = new FlowCalcs(plan, generator);
        final FlowRouters routers = new FlowRouters(plan, generator);
        final FlowPatterns patterns = new FlowPatterns(plan, generator, classMaker);
        return new CompiledFlow(plan, generator.javaText() + patterns.javaText(), calcs, routers, patterns,
            generator.make(classMaker));
    }
}
