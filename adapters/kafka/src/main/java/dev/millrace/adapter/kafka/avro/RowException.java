package dev.millrace.adapter.kafka.avro;

import dev.millrace.adapter.common.decode.RejectReason;

/** A value cannot be a row: the reason, and column and value. It has no stack trace. */
public final class RowException extends Exception
{
    private static final long serialVersionUID = 1L;

    private final RejectReason reason;

    RowException(final RejectReason reason, final String detail)
    {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /** Returns the reason; {@code null} if the bytes are not of the schema. */
    public RejectReason reason()
    {
        return reason;
    }
}
