package dev.millrace.cql.compiler;

/**
 * A plan asks for something that cannot be compiled yet. The message has a code, says what and where, and what to do.
 */
public final class PlanNotSupportedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * Makes the exception.
     *
     * @param code    stable code, {@code CQL-nnnn}
     * @param message what is not supported, where, and the next step
     */
    public PlanNotSupportedException(final String code, final String message)
    {
        super(code + ": " + message);
        this.code = code;
    }

    /**
     * The code.
     *
     * @return {@code CQL-nnnn}
     */
    public String code()
    {
        return code;
    }
}
