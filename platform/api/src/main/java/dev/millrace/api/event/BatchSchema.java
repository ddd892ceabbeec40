package dev.millrace.api.event;

import java.util.Objects;

/**
 * The shape of a batch: its event type and how each column is held. Immutable; safe for all threads.
 */
public final class BatchSchema
{
    private final EventType type;

    /**
     * Makes a schema.
     *
     * @param type row type
     */
    public BatchSchema(final EventType type)
    {
        this.type = Objects.requireNonNull(type, "type");
    }

    /**
     * The row type.
     *
     * @return type
     */
    public EventType type()
    {
        return type;
    }

    /**
     * Number of columns.
     *
     * @return at least 1
     */
    public int columnCount()
    {
        return type.properties().size();
    }

    /**
     * How a column is held.
     *
     * @param column index from 0
     * @return storage
     */
    public ColumnStorage storage(final int column)
    {
        return type.properties().get(column).type().storage();
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof BatchSchema that && type == that.type;
    }

    @Override
    public int hashCode()
    {
        return System.identityHashCode(type);
    }

    @Override
    public String toString()
    {
        return "BatchSchema[" + type + "]";
    }
}
