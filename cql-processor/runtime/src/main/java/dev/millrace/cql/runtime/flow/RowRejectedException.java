package dev.millrace.cql.runtime.flow;

/**
 * A row that cannot be computed: the row is left out, counted and logged, the query goes on. Without stack trace, since
 * every row may have one.
 */
public final class RowRejectedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String reason;

    /**
     * Makes an exception.
     *
     * @param reason one of few short words, fit for a counter's name
     * @param detail what a user needs to find the cause
     */
    public RowRejectedException(final String reason, final String detail)
    {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /**
     * Why.
     *
     * @return short word
     */
    public String reason()
    {
        return reason;
    }
}
