package dev.millrace.cql.testkit.interpreter;

/** A pattern that has more ways to match than the interpreter is willing to walk. */
public final class TooLarge extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    TooLarge()
    {
        super("too many ways to match", null, false, false);
    }
}
