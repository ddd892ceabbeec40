package dev.millrace.api.event;

import java.util.Arrays;

/** A single event of a tuple type, as user code sees it. It owns its values; do not change them. */
public final class TupleEvent
{
    private final EventType type;
    private final Object[] values;

    /**
     * Creates an event.
     *
     * @param type   its type
     * @param values one value per property in column order; {@code null} is null
     * @throws IllegalArgumentException when the number of values differs from the number of properties
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
     * Returns the type of the event.
     *
     * @return type
     */
    public EventType type()
    {
        return type;
    }

    /**
     * Returns a value by column.
     *
     * @param column index from 0
     * @return the value or {@code null}
     */
    public Object get(final int column)
    {
        return values[column];
    }

    /**
     * Returns a value by name.
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
