package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Writes time, key and headers of records to columns. Confined to one thread. Missing keys and headers are null.
 */
final class RecordColumns
{
    /** The time as nanoseconds, or as milliseconds in a column that is no timestamp. */
    private final boolean isTimestamp;
    private final int timeColumn;
    private final int keyColumn;
    private final String[] headers;
    private final int[] headerColumns;
    private final EventBatch batch;
    private final EventProperty[] properties;
    private final RowWriter writer;

    /** @param writer of the batch */
    RecordColumns(final SourceSettings settings, final EventBatch batch, final RowWriter writer)
    {
        this.batch = batch;
        this.writer = writer;
        final EventType type = batch.schema().type();
        properties = type.properties().toArray(EventProperty[]::new);
        timeColumn = column(settings, type, "timeColumn", settings.timeColumn(),
            Set.of(CqlType.TIMESTAMP, CqlType.BIGINT));
        isTimestamp = timeColumn >= 0 && properties[timeColumn].type() == CqlType.TIMESTAMP;
        final Set<CqlType> texts = Set.of(CqlType.CHAR, CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE,
            CqlType.BOOLEAN, CqlType.BIGDECIMAL, CqlType.TIMESTAMP);
        keyColumn = column(settings, type, "keyColumn", settings.keyColumn(), texts);
        headers = settings.headerColumns().keySet().toArray(String[]::new);
        headerColumns = settings.headerColumns().values().stream()
            .mapToInt(name -> column(settings, type, "headerColumns", name, texts)).toArray();
    }

    private static int column(final SourceSettings settings, final EventType type, final String property,
        final String name, final Set<CqlType> allowed)
    {
        if (name == null)
        {
            return -1;
        }
        final int column = type.indexOf(name);
        if (column < 0 || !allowed.contains(type.properties().get(column).type()))
        {
            throw settings.check().wrong(property, name, "name a property of " + type.name() +
                " of one of the types " + allowed.stream().map(CqlType::cqlName).sorted().toList());
        }
        return column;
    }

    /**
     * The names of the properties that values contain.
     *
     * @throws IllegalArgumentException if two parts of a record have the same column
     */
    static List<String> valueColumns(final SourceSettings settings, final EventType type)
    {
        final List<String> others = new ArrayList<>(settings.headerColumns().values());
        if (settings.timeColumn() != null)
        {
            others.add(settings.timeColumn());
        }
        if (settings.keyColumn() != null)
        {
            others.add(settings.keyColumn());
        }
        final Set<String> all = new HashSet<>(settings.columns() == null ? List.of() : settings.columns());
        for (final String name : others)
        {
            if (!all.add(name))
            {
                throw settings.check().wrong("columns", name,
                    "use a property for one of columns, timeColumn, keyColumn and headerColumns");
            }
        }
        return settings.columns() != null ? settings.columns() :
            type.properties().stream().map(EventProperty::name).filter(name -> !others.contains(name)).toList();
    }

    /**
     * Fills the columns of a row, after those of the value.
     *
     * @return {@code null}, or the name of the property whose value is not of its type
     */
    String fill(final ConsumerRecord<ByteBuffer, ByteBuffer> record, final int row)
    {
        if (timeColumn >= 0)
        {
            batch.longs(timeColumn)[row] =
                isTimestamp ? TimeUnit.MILLISECONDS.toNanos(record.timestamp()) : record.timestamp();
            batch.clearNull(timeColumn, row);
        }
        if (keyColumn >= 0 && record.key() != null)
        {
            final ByteBuffer key = record.key();
            if (!key.hasArray() || !put(keyColumn, row, key.array(), key.arrayOffset() + key.position(),
                key.arrayOffset() + key.limit()))
            {
                return properties[keyColumn].name();
            }
        }
        for (int i = 0; i < headers.length; i++)
        {
            final Header header = record.headers().lastHeader(headers[i]);
            if (header != null && header.value() != null &&
                !put(headerColumns[i], row, header.value(), 0, header.value().length))
            {
                return properties[headerColumns[i]].name();
            }
        }
        return null;
    }

    private boolean put(final int column, final int row, final byte[] bytes, final int from, final int to)
    {
        batch.clearNull(column, row);
        return writer.put(column, row, bytes, from, to) == null;
    }
}
