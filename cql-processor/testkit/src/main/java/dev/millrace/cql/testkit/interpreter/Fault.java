package dev.millrace.cql.testkit.interpreter;

/** A value that cannot be computed for one row: the row is skipped. */
public final class Fault extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    Fault(final String message)
    {
        super(message, null, false, false);
    }
}
