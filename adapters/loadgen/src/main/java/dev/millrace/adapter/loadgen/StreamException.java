package dev.millrace.adapter.loadgen;

/** Thrown when the bytes of a connection can no longer be trusted: the connection must be closed. */
public final class StreamException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;
    private final int rows;

    StreamException(final Refusal refusal, final int rows, final String fact)
    {
        super(refusal.code() + " " + fact);
        this.refusal = refusal;
        this.rows = rows;
    }

    /**
     * Why.
     *
     * @return the reason to count under
     */
    public Refusal refusal()
    {
        return refusal;
    }

    /**
     * How many rows were lost.
     *
     * @return rows of the frame not taken over; 1 when that is not known
     */
    public int rows()
    {
        return rows;
    }
}
