package dev.millrace.cql.runtime.state;

/** State cannot be written or read; the message says what of it and why. */
public final class StateException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param message what of the state, and why
     */
    public StateException(final String message)
    {
        super(message);
    }

    /**
     * Makes one.
     *
     * @param message what of the state, and why
     * @param cause   what was behind it
     */
    public StateException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
