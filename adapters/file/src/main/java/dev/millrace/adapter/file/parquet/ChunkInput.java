package dev.millrace.adapter.file.parquet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a column in a row group. Confined to one thread. */
final class ChunkInput extends InputStream
{
    private static final int BUFFER_BYTES = 1 << 12;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    /** Position in the file after the buffer. */
    private long position;
    private final long end;

    ChunkInput(final FileChannel channel, final long from, final long to)
    {
        this.channel = channel;
        position = from;
        end = to;
    }

    /** Number of bytes that are left. */
    long left()
    {
        return end - position + buffer.remaining();
    }

    @Override
    public int read() throws IOException
    {
        if (!buffer.hasRemaining())
        {
            if (position >= end)
            {
                return -1;
            }
            final int length = (int)Math.min(BUFFER_BYTES, end - position);
            buffer.clear().put(Footer.bytes(channel, position, length)).flip();
            position += length;
        }
        return buffer.get() & 0xFF;
    }

    @Override
    public int read(final byte[] to, final int at, final int length) throws IOException
    {
        if (length == 0)
        {
            return 0;
        }
        final int first = read();
        if (first < 0)
        {
            return -1;
        }
        to[at] = (byte)first;
        final int more = Math.min(length - 1, buffer.remaining());
        buffer.get(to, at + 1, more);
        return 1 + more;
    }

    /** The next bytes, which the column contains. */
    byte[] take(final int length) throws IOException
    {
        final byte[] bytes = new byte[length];
        final int buffered = Math.min(length, buffer.remaining());
        buffer.get(bytes, 0, buffered);
        if (buffered < length)
        {
            Footer.read(channel, position, ByteBuffer.wrap(bytes, buffered, length - buffered));
            position += length - buffered;
        }
        return bytes;
    }

    /** Goes past bytes, which the column contains. */
    void pass(final int length)
    {
        final int buffered = Math.min(length, buffer.remaining());
        buffer.position(buffer.position() + buffered);
        position += length - buffered;
    }
}
