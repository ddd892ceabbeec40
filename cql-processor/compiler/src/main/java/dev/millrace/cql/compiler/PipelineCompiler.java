package dev.millrace.cql.compiler;

import dev.millrace.cql.compiler.emit.PlanNotSupportedException;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.GeneratedName;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.Pipeline;
import java.util.function.IntSupplier;

/** Compiles pipeline plans to classes. Thread-safe. */
public final class PipelineCompiler
{
    private static final String PACKAGE = "dev.millrace.cql.generated";

    /** Placeholder for the name of a class whose source text is looked up. */
    private static final String ANY_NAME = "GeneratedPipeline";
    /** Default maximum number of keys per statement. */
    private static final int DEFAULT_MAX_KEYS = 1 << 24;

    private final ClassCompiler classMaker;
    private final int maxKeys;
    private final IntSupplier scalarRows;

    /** A compiler that uses Janino, with the default maximum of keys per statement. */
    public PipelineCompiler()
    {
        this(new JaninoClassCompiler());
    }

    /**
     * A compiler with the default maximum of keys per statement.
     *
     * @param classMaker compiles the source text
     */
    public PipelineCompiler(final ClassCompiler classMaker)
    {
        this(classMaker, DEFAULT_MAX_KEYS);
    }

    /**
     * @param classMaker compiles the source text
     * @param maxKeys    maximum number of partitions or groups per statement whose key is a number or several columns;
     *                   rows of further keys are rejected. For a char key, the string table is the limit
     */
    public PipelineCompiler(final ClassCompiler classMaker, final int maxKeys)
    {
        this(classMaker, maxKeys, RowModeThreshold::rows);
    }

    private PipelineCompiler(final ClassCompiler classMaker, final int maxKeys, final IntSupplier scalarRows)
    {
        this.classMaker = classMaker;
        this.maxKeys = maxKeys;
        this.scalarRows = scalarRows;
    }

    /**
     * A compiler whose classes have a fixed limit of small batches, for measurements.
     *
     * @param rows batches of fewer rows are processed row by row; 1 for none
     */
    public static PipelineCompiler withScalarRows(final int rows)
    {
        return new PipelineCompiler(new JaninoClassCompiler(), DEFAULT_MAX_KEYS, () -> rows);
    }

    /**
     * Compiles a plan to one class with a dedicated class loader. Plans that are equal except for literals and names
     * have the same source text, so a class maker may give them one class.
     *
     * @param plan from the planner
     * @throws PlanNotSupportedException when the plan cannot be compiled yet
     */
    public CompiledPipeline compile(final PipelinePlan plan)
    {
        final PipelineGenerator generator = new PipelineGenerator(plan, PACKAGE, maxKeys, scalarRows.getAsInt());
        final String javaText = generator.generate(ANY_NAME);
        return new CompiledPipeline(plan, javaText, make(javaText).asSubclass(Pipeline.class), generator.constants());
    }

    private Class<?> make(final String javaText)
    {
        final String name = GeneratedName.of(javaText, ANY_NAME);
        return classMaker.make(
            PACKAGE + '.' + name, javaText.replace(ANY_NAME, name), Pipeline.class.getClassLoader());
    }
}
