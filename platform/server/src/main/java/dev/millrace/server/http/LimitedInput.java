package dev.millrace.server.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that throws an exception when it exceeds a size. Not thread-safe. */
final class LimitedInput extends FilterInputStream
{
    private long remaining;

    LimitedInput(final InputStream in, final long limitBytes)
    {
        super(in);
        remaining = limitBytes;
    }

    /** The limit was exceeded. */
    static final class TooLargeException extends IOException
    {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public int read() throws IOException
    {
        final int value = super.read();
        count(value < 0 ? 0 : 1);
        return value;
    }

    @Override
    public int read(final byte[] buffer, final int offset, final int length) throws IOException
    {
        final int read = super.read(buffer, offset, length);
        count(Math.max(0, read));
        return read;
    }

    @Override
    public long skip(final long n) throws IOException
    {
        final long skipped = super.skip(n);
        count(skipped);
        return skipped;
    }

    private void count(final long bytes) throws IOException
    {
        remaining -= bytes;
        if (remaining < 0)
        {
            throw new TooLargeException();
        }
    }
}
