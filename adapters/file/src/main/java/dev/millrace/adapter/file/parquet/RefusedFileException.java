package dev.millrace.adapter.file.parquet;

import dev.millrace.adapter.common.decode.RejectReason;
import java.io.IOException;

/** A file, or the rest of it, cannot be read whatever is tried: its contents are the cause, not the disk. */
public final class RefusedFileException extends IOException
{
    private static final long serialVersionUID = 1L;

    private final RejectReason reason;

    /** @param message the fact, for people */
    public RefusedFileException(final RejectReason reason, final String message)
    {
        super(message);
        this.reason = reason;
    }

    static RefusedFileException damaged(final String message)
    {
        return new RefusedFileException(RejectReason.DAMAGED_FILE, message);
    }

    static RefusedFileException unsupported(final String message)
    {
        return new RefusedFileException(RejectReason.UNSUPPORTED_FILE, message);
    }

    /** A {@code reason} of rejected rows. */
    public RejectReason reason()
    {
        return reason;
    }
}
