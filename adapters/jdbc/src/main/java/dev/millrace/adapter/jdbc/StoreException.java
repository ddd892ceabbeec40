package dev.millrace.adapter.jdbc;

/**
 * Thrown when table and settings do not match, independently of the row. The message contains code, location and next
 * step.
 */
final class StoreException extends Exception
{
    private static final long serialVersionUID = 1L;

    StoreException(final JdbcCode code, final String fact, final String next, final Throwable cause)
    {
        super(code.message(fact, next), cause);
    }
}
