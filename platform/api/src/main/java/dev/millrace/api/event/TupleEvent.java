package dev.millrace.api.event;

import java.util.Arrays;

/** A single event of a tuple type, as user code sees it at the edge. It owns its values; do not change them. */
public final class TupleEvent
{
    private final EventType type;
    private final Object[] values;

    /**
     * Makes an event.
     *
     * @param type   its type
     * @param values one value a property in column order; {@code null} is null
     * @throws IllegalArgumentException when the number of values is not the number of properties
     */
    public TupleEvent(final EventType type, final Object... values)
    {
        if (values.length != type.properties().size())
        {
            throw new IllegalArgumentException("wrong number of values, type=" + type.name() +
                " expected=" + type.properties().size() + " actual=" + values.length);
        }
        this.type = type;
        this.values = values;
    }

    /**
     * The type of the event.
     *
     * @return type
     */
    public EventType type()
    {
        return type;
    }

    /**
     * A value by column.
     *
     * @param column index from 0
     * @return the value or {@code null}
     */
    public Object get(final int column)
    {
        return values[column];
    }

    /**
     * A value by name.
     *
     * @param propertyName name, case ignored
     * @return the value or {@code null}
     * @throws IllegalArgumentException when the type has no such property
     */
    public Object get(final String propertyName)
    {
        final int column = type.indexOf(propertyName);
        if (column < 0)
        {
            throw new IllegalArgumentException("no such property, type=" + type.name() + " property=" + propertyName);
        }
        return values[column];
    }

    @Override
    public String toString()
    {
        return type.name() + Arrays.toString(values);
    }
}
