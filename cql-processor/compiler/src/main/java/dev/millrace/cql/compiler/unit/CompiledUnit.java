package dev.millrace.cql.compiler.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.flow.FlowBindings;
import dev.millrace.cql.runtime.flow.FlowUnit;
import dev.millrace.cql.runtime.flow.QueryOutput;
import dev.millrace.cql.runtime.state.StateField;
import dev.millrace.cql.runtime.state.StateSchema;
import dev.millrace.cql.runtime.unit.Unit;
import dev.millrace.cql.runtime.unit.UnitConstant;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A part of a flow compiled to a class: creates units. Immutable, thread-safe. */
public final class CompiledUnit
{
    private final List<FlowPlan.Output> outputs;
    private final List<FlowNode.Source> sources;
    private final String javaText;
    private final Class<? extends Unit> type;
    private final Object[] constants;
    private final StateSchema shape;

    CompiledUnit(final List<FlowPlan.Output> outputs, final List<FlowNode.Source> sources, final String javaText,
        final Class<? extends Unit> type, final Object[] constants, final List<StateField> states)
    {
        shape = new StateSchema(outputs.stream().map(FlowPlan.Output::queryId).collect(Collectors.joining(",")), states,
            javaText, List.of(constants));
        this.outputs = List.copyOf(outputs);
        this.sources = List.copyOf(sources);
        this.javaText = javaText;
        this.type = type;
        this.constants = constants;
    }

    /** The outputs of the plan that it computes. */
    public List<FlowPlan.Output> outputs()
    {
        return outputs;
    }

    /** Sources of the plan, by index of the input. */
    public List<FlowNode.Source> sources()
    {
        return sources;
    }

    /** The generated source text, for diagnosis. */
    public String javaText()
    {
        return javaText;
    }

    /** The constants, with bound objects instead of the names to which they are bound. */
    private Object[] bound(final FlowBindings bindings)
    {
        return Stream.of(constants).map(each -> each instanceof UnitConstant name ? name.in(bindings) : each)
            .toArray();
    }

    /**
     * Creates a unit with empty state, for one engine.
     *
     * @throws IllegalArgumentException when something is not bound
     */
    public FlowUnit instantiate(final FlowBindings bindings)
    {
        final QueryOutput[] bound = outputs.stream()
            .map(output -> bindings.output(output.queryId(), output.stream())).toArray(QueryOutput[]::new);
        try
        {
            final Unit unit = type.getConstructor(QueryOutput[].class, int.class, MemoryAccount.class,
                StringTable.class,
                long.class, Object[].class)
                .newInstance(bound, bindings.maxRows(), bindings.memory(), bindings.codes().get(),
                    bindings.idleStateNs(), bound(bindings));
            unit.shape(shape);
            return unit;
        }
        catch (final InvocationTargetException | NoSuchMethodException | InstantiationException |
            IllegalAccessException failure)
        {
            throw new IllegalStateException("cannot create a generated unit, please report this with the rules: " +
                "class=" + type.getName(), failure);
        }
    }
}
