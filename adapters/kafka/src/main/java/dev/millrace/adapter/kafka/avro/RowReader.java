package dev.millrace.adapter.kafka.avro;

import dev.millrace.adapter.common.decode.ColumnNames;
import dev.millrace.adapter.common.decode.RowWriter;
import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Reads records of one schema to the columns of a batch. Fields are those of the columns by name; others are skipped.
 * Confined to one thread.
 */
public final class RowReader
{
    private final RowWriter writer;
    private final FieldReader[] fields;
    private BinaryDecoder decoder;

    /**
     * Creates a plan.
     *
     * @param columns       to fill
     * @param isMissingNull whether a column without a field is null
     * @throws SchemaException if the schema does not fit the columns
     */
    public RowReader(final Schema schema, final EventBatch batch, final RowWriter writer, final int[] columns,
        final boolean isMissingNull) throws SchemaException
    {
        this.writer = writer;
        final FieldReaders readers = new FieldReaders(batch, writer);
        final List<Integer> missing = new ArrayList<>(
            IntStream.of(columns).filter(column -> column != ColumnNames.SKIPPED).boxed().toList());
        final List<FieldReader> plan = new ArrayList<>();
        for (final Schema.Field field : schema.getFields())
        {
            final Integer column = batch.schema().type().indexOf(field.name());
            plan.add(missing.remove(column) ? readers.of(field.schema(), column) : FieldReaders.skip(field.schema()));
        }
        if (!missing.isEmpty() && !isMissingNull)
        {
            throw new SchemaException("the schema lacks a field, column=" +
                batch.schema().type().properties().get(missing.get(0)).name() + " schema=" + schema.getFullName());
        }
        missing.forEach(column -> plan.add((in, row) -> batch.setNull(column, row)));
        fields = plan.toArray(FieldReader[]::new);
    }

    /**
     * Reads a record.
     *
     * @param row of the batch to fill
     * @throws RowException if the bytes are not a row
     */
    public void read(final byte[] bytes, final int from, final int to, final int row) throws RowException
    {
        writer.begin(row);
        decoder = DecoderFactory.get().binaryDecoder(bytes, from, to - from, decoder);
        try
        {
            for (final FieldReader field : fields)
            {
                field.read(decoder, row);
            }
            if (!decoder.isEnd())
            {
                throw new RowException(null, "there are bytes after the last field");
            }
        }
        catch (final IOException | AvroRuntimeException | UnsupportedOperationException | IndexOutOfBoundsException |
            StackOverflowError e)
        {
            throw new RowException(null, "the value is not of its schema: " + e);
        }
    }
}
