package dev.millrace.tuning.kit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Start of a connection. The server sends {@link #MAGIC}, its number of symbols and the bytes per event; the client
 * requests the time as often as it likes, then sends {@link #GO}, and only events follow.
 */
final class Handshake
{
    /** First four bytes from the server. */
    static final int MAGIC = 0x4D4B4954;
    /** Requests the server's time, eight bytes. */
    static final byte ASK = 'T';
    /** Events follow. */
    static final byte GO = 'G';
    /** Bytes of the server's first message. */
    static final int HELLO_BYTES = 12;

    private Handshake()
    {
    }

    static ByteBuffer hello(final MarketData data)
    {
        return ByteBuffer.allocate(HELLO_BYTES).putInt(MAGIC).putInt(data.symbols()).putInt(data.eventBytes()).flip();
    }

    static void writeAll(final SocketChannel channel, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            channel.write(bytes);
        }
    }

    /** Fills a buffer. */
    static void readAll(final SocketChannel channel, final ByteBuffer bytes) throws IOException
    {
        while (bytes.hasRemaining())
        {
            if (channel.read(bytes) < 0)
            {
                throw new EOFException("the other side has closed the connection");
            }
        }
    }
}
