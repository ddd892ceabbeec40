package dev.millrace.client;

import java.io.IOException;

/** The server cannot be reached, refuses the rows, or was lost. The message has a code, the facts and the next step. */
public final class EventSenderException extends IOException
{
    private static final long serialVersionUID = 1L;
    private static final int CODE_LENGTH = 8;

    EventSenderException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    /**
     * The stable code of the message.
     *
     * @return for example {@code CLN-0201}
     */
    public String code()
    {
        return getMessage().substring(0, CODE_LENGTH);
    }
}
