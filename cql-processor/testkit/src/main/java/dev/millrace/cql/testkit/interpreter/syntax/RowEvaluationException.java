package dev.millrace.cql.testkit.interpreter.syntax;

/** A value that cannot be computed for one row: the row is skipped. */
public final class RowEvaluationException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public RowEvaluationException(final String message)
    {
        super(message, null, false, false);
    }
}
