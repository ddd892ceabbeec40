package dev.millrace.journal;

import java.util.Objects;

/** A journal cannot be opened, read or written. The message begins with a code of {@link JournalErrorCode}. */
public final class JournalException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code    of {@link JournalErrorCode}
     * @param message what failed, where, and what to do
     */
    public JournalException(final String code, final String message)
    {
        this(code, message, null);
    }

    /**
     * @param code    of {@link JournalErrorCode}
     * @param message what failed, where, and what to do
     * @param cause   may be {@code null}
     */
    public JournalException(final String code, final String message, final Throwable cause)
    {
        super(code + ": " + message, cause);
        this.code = Objects.requireNonNull(code, "code");
    }

    public String code()
    {
        return code;
    }

    /** Whether nothing was written because there is no space; the journal can be used again when there is. */
    public boolean isFull()
    {
        return code.equals(JournalErrorCode.FULL);
    }
}
