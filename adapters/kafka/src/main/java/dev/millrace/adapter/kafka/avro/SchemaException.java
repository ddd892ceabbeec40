package dev.millrace.adapter.kafka.avro;

/** A schema does not exist, or does not fit the columns. The message contains the reason. */
public final class SchemaException extends Exception
{
    private static final long serialVersionUID = 1L;

    SchemaException(final String reason)
    {
        super(reason);
    }
}
