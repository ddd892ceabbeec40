package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.RowFormat;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Encodes rows as records. Not thread-safe. Failure: batches without the columns are rejected with code and next step.
 */
final class RecordEncoder
{
    private static final Set<CqlType> NUMBERS = Set.of(CqlType.INT, CqlType.BIGINT);

    private final SinkSettings settings;
    private final ValueEncoder values;
    private final String[] headers;
    private final int[] headerColumns;
    private BatchSchema schema;
    private int keyColumn = -1;
    private int partitionColumn = -1;

    RecordEncoder(final SinkSettings settings, final ValueEncoder values)
    {
        this.settings = settings;
        this.values = values;
        headers = settings.headerColumns().keySet().toArray(String[]::new);
        headerColumns = new int[headers.length];
    }

    /** Finds the columns in a batch, whose rows may then be encoded. */
    void map(final EventBatch batch) throws EventRejectedException
    {
        values.map(batch);
        if (schema != null && schema.equals(batch.schema()))
        {
            return;
        }
        final EventType type = batch.schema().type();
        keyColumn = column(type, settings.keyColumn(), null);
        partitionColumn = column(type, settings.partitionColumn(), NUMBERS);
        int index = 0;
        for (final Map.Entry<String, String> each : settings.headerColumns().entrySet())
        {
            headerColumns[index++] = column(type, each.getValue(), null);
        }
        schema = batch.schema();
    }

    private int column(final EventType type, final String name, final Set<CqlType> allowed)
        throws EventRejectedException
    {
        final int column = name == null ? -1 : type.indexOf(name);
        if (name != null && (column < 0 || allowed != null && !allowed.contains(type.properties().get(column).type())))
        {
            throw new EventRejectedException(KafkaErrorCode.EVENTS.message("events lack a property of the records, " +
                "or it is not of a type that can be used, stage=" + settings.stageName() + " type=" + type.name() +
                " property=" + name, "use a sink for each event type"));
        }
        return column;
    }

    /** Encodes a row of the batch that was mapped last; a row without a value is a {@link RefusedRecord}. */
    ProducerRecord<byte[], byte[]> encode(final EventBatch batch, final int row)
    {
        final byte[] value = values.encode(batch, row);
        if (value == null)
        {
            return new RefusedRecord(settings.topic(), values.refusal());
        }
        final ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(settings.topic(), partition(batch, row),
            bytes(batch, keyColumn, row), value);
        for (int i = 0; i < headers.length; i++)
        {
            final byte[] header = bytes(batch, headerColumns[i], row);
            if (header != null)
            {
                record.headers().add(headers[i], header);
            }
        }
        return record;
    }

    private Integer partition(final EventBatch batch, final int row)
    {
        if (partitionColumn < 0 || batch.isNull(partitionColumn, row))
        {
            return null;
        }
        final boolean isInt = batch.schema().type().properties().get(partitionColumn).type() == CqlType.INT;
        final long number = isInt ? batch.ints(partitionColumn)[row] : batch.longs(partitionColumn)[row];
        // No topic has a partition of this number: the row is rejected.
        return number < 0 || number > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int)number;
    }

    private static byte[] bytes(final EventBatch batch, final int column, final int row)
    {
        return column < 0 || batch.isNull(column, row) ? null :
            RowFormat.text(batch, column, row).getBytes(StandardCharsets.UTF_8);
    }
}
