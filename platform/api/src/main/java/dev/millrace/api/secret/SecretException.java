package dev.millrace.api.secret;

/** A secret or its key cannot be used. No message holds either. */
public final class SecretException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why. */
    public enum Reason
    {
        /** There is no key file. */
        NO_KEY,
        /** Others than its owner may read or write the key file. */
        WIDE_MODE,
        /** The key file is not one. */
        BAD_KEY,
        /** The text was encrypted with another key. */
        OTHER_KEY,
        /** The text was changed, or is cut off. */
        DAMAGED
    }

    /**
     * Says why.
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
     * Why.
     *
     * @return kind of failure
     */
    public Reason reason()
    {
        return reason;
    }
}
