package dev.millrace.adapter.file.inbound.input;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.zip.GZIPInputStream;

/** The bytes of a file that is compressed with gzip. Owns the channel. */
final class GzipInput implements ByteInput
{
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel channel;
    /** Opened by the first read, so that a damaged header is found like other damages. */
    private InputStream in;

    GzipInput(final FileChannel channel)
    {
        this.channel = channel;
    }

    @Override
    public int read(final byte[] to, final int at, final int length) throws IOException
    {
        if (in == null)
        {
            in = new GZIPInputStream(Channels.newInputStream(channel), BUFFER_BYTES);
        }
        return in.read(to, at, length);
    }

    @Override
    public long seek(final long offset)
    {
        return 0;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
