package dev.millrace.adapter.kafka.avro;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Writes rows as records of one schema. Fields are those of the columns by name; fields without a column have their
 * default. Not thread-safe.
 */
public final class RowEncoder
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final byte[] header;
    private final FieldWriter[] fields;
    private BinaryEncoder encoder;

    /**
     * Creates a plan.
     *
     * @param id      of the schema, which values then begin with; {@code null} for none
     * @param columns names of the properties to write
     * @throws SchemaException if the schema does not fit the columns
     */
    public RowEncoder(final Schema schema, final Integer id, final EventType type, final List<String> columns)
        throws SchemaException
    {
        header = id == null ? new byte[0] :
            ByteBuffer.allocate(SchemaRegistry.HEADER_BYTES).put(SchemaRegistry.MAGIC).putInt(id).array();
        for (final String column : columns)
        {
            if (schema.getField(column) == null)
            {
                throw new SchemaException("the schema lacks a field, column=" + column + " schema=" +
                    schema.getFullName());
            }
        }
        final List<FieldWriter> plan = new ArrayList<>();
        for (final Schema.Field field : schema.getFields())
        {
            final int column = columns.contains(field.name()) ? type.indexOf(field.name()) : -1;
            plan.add(column < 0 ? defaultOf(field) :
                FieldWriters.of(field.schema(), type.properties().get(column), column));
        }
        fields = plan.toArray(FieldWriter[]::new);
    }

    private static FieldWriter defaultOf(final Schema.Field field) throws SchemaException
    {
        if (!field.hasDefaultValue())
        {
            throw new SchemaException("a field has neither a column nor a default, field=" + field.name());
        }
        final ByteArrayOutputStream value = new ByteArrayOutputStream();
        final BinaryEncoder out = EncoderFactory.get().binaryEncoder(value, null);
        try
        {
            new GenericDatumWriter<Object>(field.schema()).write(GenericData.get().getDefaultValue(field), out);
            out.flush();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        final byte[] encoded = value.toByteArray();
        return (batch, row, to) -> to.writeFixed(encoded);
    }

    /**
     * Encodes a row.
     *
     * @param batch of the type that the plan was made for
     * @throws RowException if a value cannot be that of its field
     */
    public byte[] encode(final EventBatch batch, final int row) throws RowException
    {
        bytes.reset();
        bytes.writeBytes(header);
        encoder = EncoderFactory.get().binaryEncoder(bytes, encoder);
        try
        {
            for (final FieldWriter field : fields)
            {
                field.write(batch, row, encoder);
            }
            encoder.flush();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
        catch (final RowException e)
        {
            // The encoder holds bytes of the incomplete record.
            encoder = null;
            throw e;
        }
        return bytes.toByteArray();
    }
}
