package dev.millrace.cql.compiler;

import dev.millrace.cql.compiler.emit.ClassContext;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.index.RowFilter;
import dev.millrace.cql.runtime.state.StateSchema;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/** A pipeline compiled to a class. Thread-safe; each instance is confined to one worker. */
public final class CompiledPipeline
{
    private final PipelinePlan plan;
    private final String javaText;
    private final Class<? extends Pipeline> type;
    private final Object[] constants;

    CompiledPipeline(
        final PipelinePlan plan, final String javaText, final Class<? extends Pipeline> type, final Object[] constants)
    {
        this.plan = plan;
        this.javaText = javaText;
        this.type = type;
        this.constants = constants;
    }

    public PipelinePlan plan()
    {
        return plan;
    }

    /** The generated source text, for diagnosis: one compilation unit. */
    public String javaText()
    {
        return javaText;
    }

    /**
     * A condition that the rows satisfy that it needs. Instances of an indexed plan must not receive other rows.
     *
     * @return {@code null} when it must receive all rows
     */
    public RowFilter filter()
    {
        final RowFilter filter = RowFilters.of(plan.indexPredicate());
        return plan.indexed() ? filter.asExact() : filter;
    }

    /** The generated class; pipelines with equal plans share it and its class loader. */
    public Class<? extends Pipeline> type()
    {
        return type;
    }

    /** The row limit of small batches is not part of the fingerprint, since each process measures it. */
    private StateSchema shape()
    {
        final Object[] lasting = Arrays.copyOf(constants, constants.length + 1);
        lasting[ClassContext.SCALAR_ROWS] = null;
        lasting[constants.length] = plan.indexed() ? plan.indexPredicate() : null;
        return new StateSchema(plan.name(), List.of(), javaText, Arrays.asList(lasting));
    }

    /**
     * Creates an instance with empty state, for one worker.
     *
     * @throws IllegalArgumentException when the bindings are incomplete
     */
    public Pipeline instantiate(final PipelineBindings bindings)
    {
        try
        {
            final Constructor<? extends Pipeline> constructor =
                type.getConstructor(PipelineBindings.class, Object[].class);
            final Pipeline pipeline = constructor.newInstance(bindings, constants);
            pipeline.shape(shape());
            return pipeline;
        }
        catch (final InvocationTargetException e)
        {
            if (e.getCause() instanceof RuntimeException failure)
            {
                throw failure;
            }
            throw new IllegalStateException("cannot create a pipeline, name=" + plan.name(), e.getCause());
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("generated class has no suitable constructor, please report this: name=" +
                plan.name(), e);
        }
    }
}
