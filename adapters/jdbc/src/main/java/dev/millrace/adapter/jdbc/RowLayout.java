package dev.millrace.adapter.jdbc;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.List;

/**
 * Which properties of events are kept until they are written, in order. Immutable.
 *
 * @param properties names and types
 */
record RowLayout(List<EventProperty> properties)
{
    RowLayout
    {
        properties = List.copyOf(properties);
    }

    /**
     * The layout for events of a type.
     *
     * @param type    of the events
     * @param columns what is to be written; empty for all properties
     * @return layout
     * @throws StoreException when the type lacks a property
     */
    static RowLayout of(final EventType type, final List<ColumnName> columns) throws StoreException
    {
        if (columns.isEmpty())
        {
            return new RowLayout(type.properties());
        }
        final List<EventProperty> found = new ArrayList<>();
        for (final ColumnName column : columns)
        {
            final int index = type.indexOf(column.property());
            if (index < 0)
            {
                throw new StoreException(JdbcCode.EVENTS, "the event type has no such property, type=" + type.name() +
                    " property=" + column.property() + " properties=" +
                    type.properties().stream().map(EventProperty::name).toList(), "correct instance property columns",
                    null);
            }
            found.add(type.properties().get(index));
        }
        return new RowLayout(found);
    }

    /** Number of columns. */
    int size()
    {
        return properties.size();
    }

    /**
     * Where the columns stand in batches.
     *
     * @param schema of the batches
     * @return index a column
     * @throws StoreException when one is missing or has another type
     */
    int[] sourceColumns(final BatchSchema schema) throws StoreException
    {
        final int[] columns = new int[size()];
        for (int i = 0; i < columns.length; i++)
        {
            final EventProperty wanted = properties.get(i);
            columns[i] = schema.type().indexOf(wanted.name());
            if (columns[i] < 0 || schema.type().properties().get(columns[i]).type() != wanted.type())
            {
                throw new StoreException(JdbcCode.EVENTS, "the sink writes events with a property that these do not " +
                    "have, type=" + schema.type().name() + " property=" + wanted.name() + " property-type=" +
                    wanted.type().cqlName(), "give each event type a sink of its own, or name common properties in " +
                    "instance property columns", null);
            }
        }
        return columns;
    }

    /** Whether rows of another layout have the same columns. */
    boolean sameColumns(final RowLayout other)
    {
        boolean same = size() == other.size();
        for (int i = 0; same && i < size(); i++)
        {
            same = properties.get(i).name().equalsIgnoreCase(other.properties.get(i).name()) &&
                properties.get(i).type() == other.properties.get(i).type();
        }
        return same;
    }
}
