package dev.millrace.api.stage;

/** Thrown by a sink that cannot take an event. The network counts and logs it and goes on with the next event. */
public class EventRejectedException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was wrong with the event
     */
    public EventRejectedException(final String message)
    {
        super(message);
    }

    /**
     * Makes the exception.
     *
     * @param message what was wrong with the event
     * @param cause   why
     */
    public EventRejectedException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
