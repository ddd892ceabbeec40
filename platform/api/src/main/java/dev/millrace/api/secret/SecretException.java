package dev.millrace.api.secret;

/** A secret or its key cannot be used. Messages contain neither of them. */
public final class SecretException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** The kind of failure. */
    public enum Reason
    {
        /** There is no key file. */
        NO_KEY,
        /** Users other than the owner may read or write the key file. */
        WIDE_MODE,
        /** The file is not a key file. */
        BAD_KEY,
        /** The string was encrypted with another key. */
        OTHER_KEY,
        /** The string was modified or truncated. */
        DAMAGED
    }

    /**
     * Creates an exception.
     *
     * @param reason kind of failure
     * @param text   lower-case fact with {@code name=value} pairs
     */
    public SecretException(final Reason reason, final String text)
    {
        super(text);
        this.reason = reason;
    }

    /**
     * Returns the kind of failure.
     *
     * @return kind of failure
     */
    public Reason reason()
    {
        return reason;
    }
}
