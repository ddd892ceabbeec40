package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.encode.EventFormatter;
import dev.millrace.adapter.kafka.avro.RowEncoder;
import dev.millrace.adapter.kafka.avro.RowException;
import dev.millrace.adapter.kafka.avro.SchemaException;
import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventRejectedException;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;

/** Encodes rows as values of Avro. Not thread-safe. Failure: rows that do not fit the schema are refused. */
final class AvroEncoder implements ValueEncoder
{
    private final SinkSettings settings;
    private final EventFormatter formatter;
    private final Schema schema;
    private int[] columns = {};
    private RowEncoder encoder;
    private String refusal = "";

    /**
     * Reads the schema.
     *
     * @param formatter that finds the columns
     * @throws IllegalArgumentException if the file or the registry does not contain it, with code and next step
     */
    AvroEncoder(final SinkSettings settings, final EventFormatter formatter)
    {
        this.settings = settings;
        this.formatter = formatter;
        schema = settings.avro().file() != null ? settings.avro().fileSchema(settings.check()) : ofRegistry();
    }

    private Schema ofRegistry()
    {
        try
        {
            return settings.avro().registry().schema(settings.schemaId());
        }
        catch (final SchemaException e)
        {
            throw settings.check().wrong("schemaId", settings.schemaId() + " reason=" + e.getMessage(),
                "use the id of a schema of the registry");
        }
        catch (final IOException e)
        {
            throw new IllegalArgumentException(KafkaErrorCode.REGISTRY.message("the schema registry does not respond," +
                " stage=" + settings.stageName() + " registry=" + settings.avro().registry().url() + " reason=" + e,
                "start it and deploy the application again, or set schemaFile"), e);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void map(final EventBatch batch) throws EventRejectedException
    {
        formatter.map(batch);
        if (columns == formatter.indexes())
        {
            return;
        }
        final EventType type = batch.schema().type();
        final List<String> names = IntStream.of(formatter.indexes())
            .mapToObj(column -> type.properties().get(column).name()).toList();
        try
        {
            encoder = new RowEncoder(schema, settings.schemaId(), type, names);
        }
        catch (final SchemaException e)
        {
            throw new EventRejectedException(KafkaErrorCode.EVENTS.message("events do not fit the schema, stage=" +
                settings.stageName() + " type=" + type.name() + " reason=" + e.getMessage(),
                "select other properties with columns, or use another schema"));
        }
        columns = formatter.indexes();
    }

    @Override
    public byte[] encode(final EventBatch batch, final int row)
    {
        try
        {
            return encoder.encode(batch, row);
        }
        catch (final RowException e)
        {
            refusal = e.getMessage();
            return null;
        }
    }

    @Override
    public String refusal()
    {
        return refusal;
    }
}
