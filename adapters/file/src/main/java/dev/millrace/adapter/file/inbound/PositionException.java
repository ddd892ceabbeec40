package dev.millrace.adapter.file.inbound;

import java.io.IOException;

/** The positions of a source cannot be written, as opposed to files that cannot be read. */
final class PositionException extends IOException
{
    private static final long serialVersionUID = 1L;

    PositionException(final IOException cause)
    {
        super(cause);
    }
}
