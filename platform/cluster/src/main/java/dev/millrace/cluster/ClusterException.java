package dev.millrace.cluster;

/** An instance cannot take part; the message says what is wrong, where, and what to do. */
public final class ClusterException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final String code;

    private final String hint;

    /**
     * Says what is wrong.
     *
     * @param code  of the message
     * @param text  what, and of whom
     * @param hint  what to do
     * @param cause or null
     */
    public ClusterException(final String code, final String text, final String hint, final Throwable cause)
    {
        super(text, cause);
        this.code = code;
        this.hint = hint;
    }

    /**
     * The code of the message.
     *
     * @return CLU and a number
     */
    public String code()
    {
        return code;
    }

    /**
     * What to do.
     *
     * @return one sentence
     */
    public String hint()
    {
        return hint;
    }
}
