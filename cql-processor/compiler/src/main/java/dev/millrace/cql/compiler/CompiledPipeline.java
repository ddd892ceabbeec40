package dev.millrace.cql.compiler;

import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.Pipeline;
import dev.millrace.cql.runtime.PipelineBindings;
import dev.millrace.cql.runtime.index.RowFilter;
import dev.millrace.cql.runtime.state.StateShape;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;
import java.util.List;

/** A pipeline as a class. Safe for all threads; instances are for one worker each. */
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

    /**
     * What was compiled.
     *
     * @return the plan
     */
    public PipelinePlan plan()
    {
        return plan;
    }

    /**
     * The generated text, for diagnosis.
     *
     * @return one compilation unit
     */
    public String javaText()
    {
        return javaText;
    }

    /**
     * Which rows it wants at most.
     *
     * @return filter; {@code null} when it must see all rows
     */
    public RowFilter filter()
    {
        return RowFilters.of(plan.gate());
    }

    /**
     * The class; its loader belongs to it and to those it is shared with.
     *
     * @return generated subclass of {@link Pipeline}
     */
    public Class<? extends Pipeline> type()
    {
        return type;
    }

    /** The least number of rows of a batch that is no small one is measured anew in each process. */
    private StateShape shape()
    {
        final Object[] lasting = constants.clone();
        lasting[ClassContext.SCALAR_ROWS] = null;
        return new StateShape(plan.name(), List.of(), javaText, Arrays.asList(lasting));
    }

    /**
     * Makes an instance with empty state.
     *
     * @param bindings what it is tied to
     * @return an instance for one worker
     * @throws IllegalArgumentException when the bindings lack something
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
            throw new IllegalStateException("pipeline cannot be made, name=" + plan.name(), e.getCause());
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("generated class has no fitting constructor, please report this: name=" +
                plan.name(), e);
        }
    }
}
