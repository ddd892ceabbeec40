package dev.millrace.cluster;

/** An instance cannot join the cluster. The message contains the cause, its location, and a hint. */
public final class ClusterException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final String code;

    private final String hint;

    /**
     * Creates an exception with a code and a hint.
     *
     * @param code  error code
     * @param text  the fact, with its subject
     * @param hint  what to do next
     * @param cause or null
     */
    public ClusterException(final String code, final String text, final String hint, final Throwable cause)
    {
        super(text, cause);
        this.code = code;
        this.hint = hint;
    }

    /**
     * The error code.
     *
     * @return {@code CLU-} and a number
     */
    public String code()
    {
        return code;
    }

    /**
     * Returns the hint.
     *
     * @return one sentence
     */
    public String hint()
    {
        return hint;
    }
}
