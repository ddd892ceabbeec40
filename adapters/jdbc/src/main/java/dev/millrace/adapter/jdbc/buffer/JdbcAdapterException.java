package dev.millrace.adapter.jdbc.buffer;

/**
 * Thrown when table and settings do not match, independently of the row. The message contains code, location and next
 * step.
 */
public final class JdbcAdapterException extends Exception
{
    private static final long serialVersionUID = 1L;

    public JdbcAdapterException(final JdbcErrorCode code, final String fact, final String next, final Throwable cause)
    {
        super(code.message(fact, next), cause);
    }
}
