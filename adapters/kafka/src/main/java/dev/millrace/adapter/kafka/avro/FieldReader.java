package dev.millrace.adapter.kafka.avro;

import java.io.IOException;
import org.apache.avro.io.BinaryDecoder;

/** Reads a field of a record into a column, or skips it. */
@FunctionalInterface
interface FieldReader
{
    /**
     * Reads the field.
     *
     * @param row of the batch to fill
     * @throws IOException if the bytes are not those of the field
     */
    void read(BinaryDecoder in, int row) throws IOException, RowException;
}
