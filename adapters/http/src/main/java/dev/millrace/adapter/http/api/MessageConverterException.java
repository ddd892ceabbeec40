package dev.millrace.adapter.http.api;

/** Thrown by a converter for a message or an event that it cannot convert. */
public final class MessageConverterException extends Exception
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what was wrong; shown to users
     */
    public MessageConverterException(final String message)
    {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what was wrong; shown to users
     * @param cause   underlying exception
     */
    public MessageConverterException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
