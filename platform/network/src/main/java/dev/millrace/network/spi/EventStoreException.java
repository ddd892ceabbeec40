package dev.millrace.network.spi;

import java.util.Objects;

/** A dataset cannot be opened, read, written or deleted. The message begins with a code. */
public final class EventStoreException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code    such as {@code JNL-0001}
     * @param message what failed, where, and what to do
     * @param cause   may be {@code null}
     */
    public EventStoreException(final String code, final String message, final Throwable cause)
    {
        super(code + ": " + message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    /** The code at the beginning of the message. */
    public String code()
    {
        return code;
    }

    /** The message without its code. */
    public String text()
    {
        return getMessage().substring(code.length() + 2);
    }
}
