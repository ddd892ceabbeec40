package dev.millrace.adapter.jms.outbound;

import dev.millrace.adapter.common.encode.FormatSettings;
import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.util.List;

/** Writes a row to the entries of a map message, by the names of its properties; nulls have no entry. Immutable. */
final class MapEntries
{
    private final FormatSettings settings;

    MapEntries(final FormatSettings settings)
    {
        this.settings = settings;
    }

    /** Writes the properties that {@code columns} selects, or all. */
    void write(final EventBatch rows, final int row, final MapMessage to) throws JMSException
    {
        final EventType type = rows.schema().type();
        if (settings.timeColumn() != null)
        {
            to.setLong(settings.timeColumn(), rows.timestampNs(row));
        }
        if (settings.kindColumn() != null)
        {
            to.setString(settings.kindColumn(), RowFormat.KINDS.get(rows.kind(row)));
        }
        final List<String> names = settings.columns() != null ? settings.columns() :
            type.properties().stream().map(EventProperty::name).toList();
        for (final String name : names)
        {
            final int column = type.indexOf(name);
            if (!rows.isNull(column, row))
            {
                write(rows, column, row, type.properties().get(column).name(), to);
            }
        }
    }

    private static void write(
        final EventBatch rows, final int column, final int row, final String name, final MapMessage to)
        throws JMSException
    {
        switch (rows.schema().type().properties().get(column).type())
        {
            case INT -> to.setInt(name, rows.ints(column)[row]);
            case BIGINT, INTERVAL, TIMESTAMP -> to.setLong(name, rows.longs(column)[row]);
            case FLOAT -> to.setFloat(name, rows.floats(column)[row]);
            case DOUBLE -> to.setDouble(name, rows.doubles(column)[row]);
            case BOOLEAN -> to.setBoolean(name, rows.bits(column)[row] != 0);
            case BYTE -> to.setBytes(name, (byte[])rows.references(column)[row]);
            default -> to.setString(name, RowFormat.text(rows, column, row));
        }
    }
}
