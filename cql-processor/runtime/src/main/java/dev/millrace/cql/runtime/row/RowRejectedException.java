package dev.millrace.cql.runtime.row;

/**
 * A row that cannot be computed. The row is skipped, counted and logged; the query continues. Has no stack trace, since
 * it may occur for every row.
 */
public final class RowRejectedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * @param reason one of few short words, usable as the name of a counter
     * @param detail for the user, to find the cause
     */
    public RowRejectedException(final String reason, final String detail)
    {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /** The reason, a short word. */
    public String reason()
    {
        return reason;
    }
}
