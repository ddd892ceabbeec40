package dev.millrace.cql.testkit.interpreter;

/** An input whose result is undefined, or takes more steps than the interpreter permits. */
public final class UndefinedResultException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    UndefinedResultException(final String message)
    {
        super(message, null, false, false);
    }
}
