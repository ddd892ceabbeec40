package dev.millrace.cql.testkit.interpreter;

/** A statement that the language does not allow. */
public final class Refused extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    Refused(final String message)
    {
        super(message);
    }
}
