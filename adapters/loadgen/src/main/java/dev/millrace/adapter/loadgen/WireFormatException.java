package dev.millrace.adapter.loadgen;

/** Thrown when the data of a connection can no longer be trusted: the connection must be closed. */
public final class WireFormatException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final InputRejectReason refusal;
    private final int rows;

    WireFormatException(final InputRejectReason refusal, final int rows, final String fact)
    {
        super(refusal.code() + " " + fact);
        this.refusal = refusal;
        this.rows = rows;
    }

    /** The reason to count. */
    public InputRejectReason refusal()
    {
        return refusal;
    }

    /**
     * Number of rows lost.
     *
     * @return rows of the frame that were not accepted; 1 when unknown
     */
    public int rows()
    {
        return rows;
    }
}
