package dev.millrace.cql.runtime.state;

/** State that cannot be written or read; the message names it and the cause. */
public final class StateException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message names the state and the cause
     */
    public StateException(final String message)
    {
        super(message);
    }

    /**
     * @param message names the state and the cause
     */
    public StateException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
