package dev.millrace.api.event;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The shape of a batch: an event type and, for each char column, the dictionary that codes it. Immutable; safe for
 * all threads.
 *
 * <p>Two schemas of one event type differ when their columns belong to different dictionary domains.
 */
public final class BatchSchema
{
    private final EventType type;
    private final Dictionary[] dictionaries;

    /**
     * Makes a schema.
     *
     * @param type         row type
     * @param dictionaries one entry a column; {@code null} exactly where the column is not {@link CqlType#CHAR}
     * @throws IllegalArgumentException when the dictionaries do not fit the columns
     */
    public BatchSchema(final EventType type, final Dictionary[] dictionaries)
    {
        this.type = Objects.requireNonNull(type, "type");
        this.dictionaries = dictionaries.clone();
        final List<EventProperty> properties = type.properties();
        if (dictionaries.length != properties.size())
        {
            throw new IllegalArgumentException("one dictionary entry a column, type=" + type.name() +
                " columns=" + properties.size() + " entries=" + dictionaries.length);
        }
        for (int i = 0; i < dictionaries.length; i++)
        {
            if ((properties.get(i).type().storage() == ColumnStorage.DICTIONARY) != (dictionaries[i] != null))
            {
                throw new IllegalArgumentException("char columns, and only those, have a dictionary, type=" +
                    type.name() + " column=" + properties.get(i).name());
            }
        }
    }

    /**
     * A schema in which every char column uses one dictionary.
     *
     * @param type   row type
     * @param shared dictionary of all char columns
     * @return the schema
     */
    public static BatchSchema sharing(final EventType type, final Dictionary shared)
    {
        final Dictionary[] dictionaries = new Dictionary[type.properties().size()];
        for (int i = 0; i < dictionaries.length; i++)
        {
            if (type.properties().get(i).type().storage() == ColumnStorage.DICTIONARY)
            {
                dictionaries[i] = shared;
            }
        }
        return new BatchSchema(type, dictionaries);
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
        return dictionaries.length;
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

    /**
     * The dictionary of a char column.
     *
     * @param column index from 0
     * @return dictionary, or {@code null} when the column is not char
     */
    public Dictionary dictionary(final int column)
    {
        return dictionaries[column];
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof BatchSchema that && type == that.type && Arrays.equals(dictionaries, that.dictionaries);
    }

    @Override
    public int hashCode()
    {
        return System.identityHashCode(type) * 31 + Arrays.hashCode(dictionaries);
    }

    @Override
    public String toString()
    {
        return "BatchSchema[" + type + "]";
    }
}
