package dev.millrace.api.event;

import java.util.Objects;

/** The schema of a batch: its event type and the storage of each column. Immutable and thread-safe. */
public final class BatchSchema
{
    private final EventType type;
    /** Read for each batch. */
    private final ColumnStorage[] storages;

    /**
     * Creates a schema.
     *
     * @param type row type
     */
    public BatchSchema(final EventType type)
    {
        this.type = Objects.requireNonNull(type, "type");
        storages = type.properties().stream().map(each -> each.type().storage()).toArray(ColumnStorage[]::new);
    }

    /**
     * Returns the row type.
     *
     * @return type
     */
    public EventType type()
    {
        return type;
    }

    /**
     * Returns the number of columns.
     *
     * @return at least 1
     */
    public int columnCount()
    {
        return storages.length;
    }

    /**
     * Returns the storage of a column.
     *
     * @param column index from 0
     * @return storage
     */
    public ColumnStorage storage(final int column)
    {
        return storages[column];
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
