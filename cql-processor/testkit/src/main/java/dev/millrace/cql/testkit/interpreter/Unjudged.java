package dev.millrace.cql.testkit.interpreter;

/** An input whose result is undefined, or takes more steps than the interpreter permits. */
public final class Unjudged extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    Unjudged(final String message)
    {
        super(message, null, false, false);
    }
}
