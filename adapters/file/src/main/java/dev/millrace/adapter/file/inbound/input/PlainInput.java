package dev.millrace.adapter.file.inbound.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a file as they are. Owns the channel. */
final class PlainInput implements ByteInput
{
    private final FileChannel channel;
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    PlainInput(final FileChannel channel)
    {
        this.channel = channel;
    }

    @Override
    public int read(final byte[] to, final int at, final int length) throws IOException
    {
        if (buffer.array() != to)
        {
            buffer = ByteBuffer.wrap(to);
        }
        buffer.limit(at + length).position(at);
        return channel.read(buffer);
    }

    @Override
    public long seek(final long offset) throws IOException
    {
        channel.position(offset);
        return offset;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
