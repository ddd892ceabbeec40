package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.Pipeline;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** Compiles pipeline plans to classes. Safe for all threads. */
public final class PipelineCompiler
{
    private static final String PACKAGE = "dev.millrace.cql.generated";

    /** Stands for the name of a class whose text is looked up. */
    private static final String ANY_NAME = "GeneratedPipeline";
    /** Keys a statement, unless another bound is given. */
    private static final int DEFAULT_MAX_KEYS = 1 << 24;

    private final ClassMaker classMaker;
    private final int maxKeys;
    private final IntSupplier scalarRows;
    private final Map<String, Class<?>> shared = new ConcurrentHashMap<>();

    /** Makes a compiler that uses Janino, with the default bound of keys a statement. */
    public PipelineCompiler()
    {
        this(new JaninoClassMaker());
    }

    /**
     * Makes a compiler with the default bound of keys a statement.
     *
     * @param classMaker compiles the text
     */
    public PipelineCompiler(final ClassMaker classMaker)
    {
        this(classMaker, DEFAULT_MAX_KEYS);
    }

    /**
     * Makes a compiler.
     *
     * @param classMaker compiles the text
     * @param maxKeys    how many partitions or groups a statement keeps whose key is a number or several columns; rows
     *                   of further ones are rejected. Those keyed by a char column are bounded by the table of codes
     */
    public PipelineCompiler(final ClassMaker classMaker, final int maxKeys)
    {
        this(classMaker, maxKeys, SmallBatches::rows);
    }

    private PipelineCompiler(final ClassMaker classMaker, final int maxKeys, final IntSupplier scalarRows)
    {
        this.classMaker = classMaker;
        this.maxKeys = maxKeys;
        this.scalarRows = scalarRows;
    }

    /**
     * A compiler whose classes have a limit of their own, for measuring.
     *
     * @param rows batches of fewer rows go row by row; 1 for none
     * @return like the one without arguments otherwise
     */
    public static PipelineCompiler withScalarRows(final int rows)
    {
        return new PipelineCompiler(new JaninoClassMaker(), DEFAULT_MAX_KEYS, () -> rows);
    }

    /**
     * Compiles a plan to one class with a class loader of its own. Plans behind a {@link
     * dev.millrace.cql.plan.Gate}, of which there may be thousands, share the class of an earlier one of this compiler
     * when they are equal but for literals and names.
     *
     * @param plan from the planner
     * @return the class
     * @throws PlanNotSupportedException when the plan asks for something that cannot be compiled yet
     */
    public CompiledPipeline compile(final PipelinePlan plan)
    {
        final boolean isShared = plan.gate() != null;
        final PipelineGenerator generator =
            new PipelineGenerator(plan, PACKAGE, maxKeys, scalarRows.getAsInt(), isShared);
        final String javaText = generator.generate(ANY_NAME);
        final Class<?> made = isShared ? shared.computeIfAbsent(javaText, this::make) : make(javaText);
        return new CompiledPipeline(plan, javaText, made.asSubclass(Pipeline.class), generator.constants());
    }

    private Class<?> make(final String javaText)
    {
        final String name = GeneratedName.of(javaText, ANY_NAME);
        return classMaker.make(
            PACKAGE + '.' + name, javaText.replace(ANY_NAME, name), Pipeline.class.getClassLoader());
    }
}
