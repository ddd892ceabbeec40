package dev.millrace.adapter.jms.connect;

/** The provider cannot be used at present. The message has a code and the next step. */
public final class ConnectException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final JmsErrorCode code;

    ConnectException(final JmsErrorCode code, final String fact, final String next, final Throwable cause)
    {
        super(code.message(fact, next), cause);
        this.code = code;
    }

    /** The kind of failure. */
    public JmsErrorCode code()
    {
        return code;
    }
}
