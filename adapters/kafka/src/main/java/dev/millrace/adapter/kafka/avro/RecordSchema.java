package dev.millrace.adapter.kafka.avro;

import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** Parses schemas of records. */
final class RecordSchema
{
    private RecordSchema()
    {
    }

    /** @throws SchemaException if the text is not the schema of a record */
    static Schema parse(final String text) throws SchemaException
    {
        try
        {
            final Schema schema = new Schema.Parser().parse(text);
            if (schema.getType() != Schema.Type.RECORD)
            {
                throw new SchemaException("the schema is not that of a record, type=" + schema.getType());
            }
            return schema;
        }
        catch (final AvroRuntimeException e)
        {
            throw new SchemaException("the schema is invalid: " + e.getMessage());
        }
    }
}
