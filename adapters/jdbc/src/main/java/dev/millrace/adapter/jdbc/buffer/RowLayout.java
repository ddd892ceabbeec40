package dev.millrace.adapter.jdbc.buffer;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The properties of events that are buffered until they are written, in order. Immutable.
 *
 * @param properties names and types
 */
public record RowLayout(List<EventProperty> properties)
{
    public RowLayout
    {
        properties = List.copyOf(properties);
    }

    /**
     * Creates the layout for an event type.
     *
     * @param columns properties to write; empty for all
     * @throws JdbcAdapterException when the type lacks a property
     */
    public static RowLayout of(final EventType type, final List<ColumnName> columns) throws JdbcAdapterException
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
                throw new JdbcAdapterException(JdbcErrorCode.EVENTS,
                    "the event type has no such property, type=" + type.name() +
                    " property=" + column.property() + " properties=" +
                    type.properties().stream().map(EventProperty::name).toList(), "correct instance property columns",
                    null);
            }
            found.add(type.properties().get(index));
        }
        return new RowLayout(found);
    }

    /** Number of columns. */
    public int size()
    {
        return properties.size();
    }

    /**
     * Finds the columns of the layout in batches.
     *
     * @return index per column
     * @throws JdbcAdapterException when a column is missing or has another type
     */
    int[] sourceColumns(final BatchSchema schema) throws JdbcAdapterException
    {
        final int[] columns = new int[size()];
        for (int i = 0; i < columns.length; i++)
        {
            final EventProperty wanted = properties.get(i);
            columns[i] = schema.type().indexOf(wanted.name());
            if (columns[i] < 0 || schema.type().properties().get(columns[i]).type() != wanted.type())
            {
                throw new JdbcAdapterException(JdbcErrorCode.EVENTS,
                    "the sink writes a property that these events do not " +
                    "have, type=" + schema.type().name() + " property=" + wanted.name() + " property-type=" +
                    wanted.type().cqlName(), "use a separate sink per event type, or select common properties with " +
                    "instance property columns", null);
            }
        }
        return columns;
    }

    /** Whether another layout has the same columns. */
    public boolean sameColumns(final RowLayout other)
    {
        boolean same = size() == other.size();
        for (int i = 0; same && i < size(); i++)
        {
            same = properties.get(i).name().equalsIgnoreCase(other.properties.get(i).name()) &&
                properties.get(i).type() == other.properties.get(i).type();
        }
        return same;
    }

    /** The names and types as bytes, for {@link #of(byte[])}. */
    byte[] encoded() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(size());
        for (final EventProperty property : properties)
        {
            out.writeUTF(property.name());
            out.writeUTF(property.type().cqlName());
        }
        return bytes.toByteArray();
    }

    /** The layout that {@link #encoded()} has written. */
    static RowLayout of(final byte[] bytes) throws IOException
    {
        final DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        final int count = in.readInt();
        final List<EventProperty> read = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            final String name = in.readUTF();
            final String typeName = in.readUTF();
            final CqlType type = CqlType.byName(typeName);
            if (type == null)
            {
                throw new IOException("unknown type, property=" + name + " type=" + typeName);
            }
            read.add(new EventProperty(name, type));
        }
        return new RowLayout(read);
    }
}
