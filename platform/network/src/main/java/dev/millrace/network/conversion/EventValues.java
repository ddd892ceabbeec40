package dev.millrace.network.conversion;

import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Converts single events to the values of their columns and back, by the rules of {@link EventCodec} but without a
 * batch. Immutable and thread-safe.
 */
public final class EventValues
{
    private final EventType type;
    private final List<EventProperty> properties;
    private final BeanAccess bean;

    /**
     * Creates a converter.
     *
     * @param type of the events
     */
    public EventValues(final EventType type)
    {
        this.type = type;
        properties = type.properties();
        bean = type.kind() == EventType.Kind.BEAN ? new BeanAccess(type) : null;
    }

    /**
     * Returns the reasons why beans of the type cannot be read or created.
     *
     * @return lower-case facts, empty when both are possible
     */
    public List<String> problems()
    {
        return bean == null ? List.of() :
            Stream.concat(bean.getterProblems().stream(), bean.setterProblems().stream()).toList();
    }

    /**
     * Returns the values of all columns of an event.
     *
     * @param event bean, map or tuple
     * @return one value per column: Integer, Long, Float, Double, BigDecimal, String, Boolean, byte[], the object
     *     itself for an object column, or null
     * @throws EventRejectedException when the event or one of its values has a wrong type
     */
    public Object[] values(final Object event) throws EventRejectedException
    {
        final Object[] values = new Object[properties.size()];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = ValueWriter.converted(type, i, value(event, i));
        }
        return values;
    }

    private Object value(final Object event, final int column) throws EventRejectedException
    {
        if (event instanceof TupleEvent tuple)
        {
            final int there = tuple.type() == type ? column : tuple.type().indexOf(properties.get(column).name());
            return there < 0 ? null : tuple.get(there);
        }
        if (bean != null && type.beanClass().isInstance(event))
        {
            return bean.get(event, column);
        }
        if (event instanceof Map<?, ?> map)
        {
            return map.get(properties.get(column).name());
        }
        throw new EventRejectedException("event is not of the type, type=" + type.name() + " kind=" + type.kind() +
            " actual=" + (event == null ? "null" : event.getClass().getName()));
    }

    /**
     * Returns the value of one column of an event.
     *
     * @param event  bean, map or tuple
     * @param column index from 0
     * @return as in {@link #values}
     * @throws EventRejectedException when the event or the value has a wrong type
     */
    public Object column(final Object event, final int column) throws EventRejectedException
    {
        return converted(value(event, column), column);
    }

    /**
     * Converts a value to the type of a column.
     *
     * @param value  any
     * @param column index from 0
     * @return as in {@link #values}
     * @throws EventRejectedException when it does not fit
     */
    public Object converted(final Object value, final int column) throws EventRejectedException
    {
        return ValueWriter.converted(type, column, value);
    }

    /**
     * Creates an event.
     *
     * @param values one per column, not changed afterwards
     * @return bean, map or tuple, by the kind of the type
     * @throws IllegalStateException when the bean cannot be created, or a setter throws
     */
    public Object event(final Object[] values)
    {
        switch (type.kind())
        {
            case BEAN:
                final Object made = bean.create();
                for (int i = 0; i < values.length; i++)
                {
                    bean.set(made, i, values[i]);
                }
                return made;
            case MAP:
                final Map<String, Object> map = new LinkedHashMap<>();
                for (int i = 0; i < values.length; i++)
                {
                    map.put(properties.get(i).name(), values[i]);
                }
                return map;
            default:
                return new TupleEvent(type, values);
        }
    }
}
