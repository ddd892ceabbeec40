package dev.millrace.cql.testkit.interpreter.syntax;

/** A statement that the language does not allow. */
public final class InvalidStatementException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public InvalidStatementException(final String message)
    {
        super(message);
    }
}
