package dev.millrace.adapter.kafka.avro;

import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import org.apache.avro.io.BinaryEncoder;

/** Writes a field of a record. */
@FunctionalInterface
interface FieldWriter
{
    /**
     * Writes the field.
     *
     * @throws RowException if the value of the column cannot be that of the field
     */
    void write(EventBatch batch, int row, BinaryEncoder out) throws IOException, RowException;
}
