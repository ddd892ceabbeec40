package dev.millrace.cql.processor.unit;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.FunctionRef;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.RowType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Formats the plan of one query such that two results are equal exactly if the running query can replace the planned
 * one: both compute the same. Ids of queries and names of internal columns are omitted; names and types of output
 * columns are included. A flow is formatted as its rules specify it, independent of where its conditions were moved.
 */
public final class PlanFingerprint
{
    /** Components of plans that do not affect the computed result. */
    private static final Map<Class<?>, Set<String>> LEFT_OUT = Map.of(
        Field.class, Set.of("name"),
        RowType.class, Set.of("names"),
        // Whether an index tests a condition first depends on the number of statements.
        PipelinePlan.class, Set.of("name", "indexed"),
        FlowPlan.class, Set.of("name"),
        Operator.Output.class, Set.of("queryId"),
        // The logical plan determines the result; where conditions run depends on the other readers of a view.
        FlowPlan.Output.class, Set.of("queryId", "input"));

    private static final ClassValue<List<RecordComponent>> COMPONENTS = new ClassValue<>()
    {
        @Override
        protected List<RecordComponent> computeValue(final Class<?> type)
        {
            final Set<String> leftOut = LEFT_OUT.getOrDefault(type, Set.of());
            return Arrays.stream(type.getRecordComponents())
                .filter(component -> !leftOut.contains(component.getName())).toList();
        }
    };

    private final StringBuilder text = new StringBuilder();
    private final Map<FlowNode, Integer> numbers = new IdentityHashMap<>();

    private PlanFingerprint()
    {
    }

    /**
     * Formats a plan for comparison.
     *
     * @param plan a {@link PipelinePlan} of one query or a {@link FlowPlan}
     */
    public static String of(final Record plan)
    {
        final PlanFingerprint printer = new PlanFingerprint();
        printer.value(plan);
        return printer.text.toString();
    }

    private void value(final Object value)
    {
        if (value instanceof FlowNode node)
        {
            node(node);
        }
        else if (value instanceof Operator.Output || value instanceof FlowPlan.Output)
        {
            members((Record)value, true);
        }
        else if (value instanceof FunctionRef function)
        {
            text.append(function.name()).append(' ').append(function.className()).append('.')
                .append(function.methodName()).append(' ').append(function.handle() == null ? "" :
                    function.handle().type());
        }
        else if (value instanceof Record any)
        {
            members(any, false);
        }
        else if (value instanceof Collection<?> many)
        {
            text.append('[');
            many.forEach(each ->
            {
                value(each);
                text.append(',');
            });
            text.append(']');
        }
        else
        {
            text.append(plain(value));
        }
    }

    /** A node that is read twice is one node; two equal nodes have separate state. */
    private void node(final FlowNode node)
    {
        final Integer known = numbers.putIfAbsent(node, numbers.size());
        if (known != null)
        {
            text.append('#').append(known);
            return;
        }
        members((Record)node, false);
    }

    private void members(final Record any, final boolean namesOfColumnsCount)
    {
        text.append(any.getClass().getSimpleName()).append('(');
        for (final RecordComponent component : COMPONENTS.get(any.getClass()))
        {
            final Object member = member(any, component);
            if (namesOfColumnsCount && member instanceof EventType type)
            {
                type.properties().forEach(property -> text.append(shown(property)).append(','));
            }
            else
            {
                value(member);
            }
            text.append(';');
        }
        text.append(')');
    }

    /** The components of a record of a plan, without those that do not affect the computed result. */
    public static List<Object> parts(final Record any)
    {
        final List<Object> parts = new ArrayList<>();
        COMPONENTS.get(any.getClass()).forEach(component -> parts.add(member(any, component)));
        return parts;
    }

    private static String shown(final EventProperty property)
    {
        return property.name() + ' ' + property.type() + ' ' + property.lengthChars();
    }

    private static Object member(final Record any, final RecordComponent component)
    {
        try
        {
            return component.getAccessor().invoke(any);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new IllegalStateException("internal error, please report it: a plan cannot be read, component=" +
                any.getClass().getName() + '.' + component.getName(), e);
        }
    }

    private static String plain(final Object value)
    {
        if (value == null)
        {
            return "null";
        }
        if (value instanceof EventType type)
        {
            return type.name();
        }
        if (value instanceof byte[] bytes)
        {
            return Arrays.toString(bytes);
        }
        if (value instanceof Map<?, ?> map)
        {
            return map.entrySet().stream().map(entry -> plain(entry.getKey()) + '=' + plain(entry.getValue())).sorted()
                .collect(Collectors.joining(",", "{", "}"));
        }
        final String shown = value.toString();
        return value.getClass().getSimpleName() + ' ' + shown.length() + ':' + shown;
    }
}
