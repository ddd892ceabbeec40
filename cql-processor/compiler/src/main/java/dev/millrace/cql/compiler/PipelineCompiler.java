package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.Pipeline;
import java.util.concurrent.atomic.AtomicInteger;

/** Compiles pipeline plans to classes. Safe for all threads. */
public final class PipelineCompiler
{
    private static final String PACKAGE = "dev.millrace.cql.generated";
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private final ClassMaker classMaker;

    /** Makes a compiler that uses Janino. */
    public PipelineCompiler()
    {
        this(new JaninoClassMaker());
    }

    /**
     * Makes a compiler.
     *
     * @param classMaker compiles the text
     */
    public PipelineCompiler(final ClassMaker classMaker)
    {
        this.classMaker = classMaker;
    }

    /**
     * Compiles a plan to one class with a class loader of its own.
     *
     * @param plan from the planner
     * @return the class
     * @throws PlanNotSupportedException when the plan asks for something that cannot be compiled yet
     */
    public CompiledPipeline compile(final PipelinePlan plan)
    {
        final String simpleName = "Pipeline" + NUMBERS.incrementAndGet();
        final PipelineGenerator generator = new PipelineGenerator(plan, PACKAGE, simpleName);
        final String javaText = generator.generate();
        final Class<?> made = classMaker.make(
            PACKAGE + '.' + simpleName, javaText, Pipeline.class.getClassLoader());
        return new CompiledPipeline(plan, javaText, made.asSubclass(Pipeline.class), generator.constants());
    }
}
