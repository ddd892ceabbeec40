package dev.millrace.cql.functions.json;

/** A text that is not JSON, or a path that is not one. The stack trace is not recorded. */
final class JsonException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    JsonException(final String message)
    {
        super(message, null, false, false);
    }
}
