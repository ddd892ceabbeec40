package dev.millrace.api.stage;

/** Thrown by a sink that cannot process an event. The network counts and logs it and continues with the next event. */
public class EventRejectedException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what was wrong with the event
     */
    public EventRejectedException(final String message)
    {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what was wrong with the event
     * @param cause   underlying exception
     */
    public EventRejectedException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
