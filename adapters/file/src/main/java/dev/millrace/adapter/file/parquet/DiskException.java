package dev.millrace.adapter.file.parquet;

import java.io.IOException;

/** The disk cannot be read, or the file was truncated: another attempt may succeed. */
final class DiskException extends IOException
{
    private static final long serialVersionUID = 1L;

    DiskException(final String message, final IOException cause)
    {
        super(message, cause);
    }
}
