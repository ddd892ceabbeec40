package dev.millrace.cql.compiler.emit;

/**
 * A plan that cannot be compiled yet. The message contains a code, what is not supported and where, and the next step.
 */
public final class PlanNotSupportedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param code    stable code, {@code CQL-nnnn}
     * @param message what is not supported, where, and the next step
     */
    public PlanNotSupportedException(final String code, final String message)
    {
        super(code + ": " + message);
    }
}
