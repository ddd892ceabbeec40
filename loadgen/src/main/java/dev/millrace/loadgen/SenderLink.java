package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.security.TlsContexts;
import dev.millrace.adapter.loadgen.security.TlsLink;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** The non-blocking socket of one connection, plain or with TLS. Confined to one thread at a time. */
final class SenderLink implements AutoCloseable
{
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
    private static final int TLS_BYTES = 32 << 10;
    private static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final SocketChannel channel;
    private final Clock clock;
    private TlsLink tls;
    /** Decrypted bytes that have not been read yet; only with TLS. */
    private ByteBuffer decrypted;

    private SenderLink(final SocketChannel channel, final Clock clock)
    {
        this.channel = channel;
        this.clock = clock;
    }

    /** Connects; sends nothing yet. */
    static SenderLink connect(final String host, final int port, final Clock clock) throws IOException
    {
        final SocketChannel channel = SocketChannel.open();
        boolean isOpen = false;
        try
        {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.socket().connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MILLIS);
            channel.configureBlocking(false);
            isOpen = true;
            return new SenderLink(channel, clock);
        }
        finally
        {
            if (!isOpen)
            {
                channel.close();
            }
        }
    }

    /** Performs the TLS handshake; afterwards all bytes are encrypted. */
    void encrypt(final SSLContext context, final String host, final int port, final long deadlineNs)
        throws IOException
    {
        tls = new TlsLink(channel, TlsContexts.clientEngine(context, host, port), new TlsLink.Scratch(TLS_BYTES));
        decrypted = ByteBuffer.allocate(2 * TLS_BYTES);
        while (!tls.isEstablished())
        {
            if (tls.read(decrypted) < 0)
            {
                throw new SSLException("closed by the server during the handshake");
            }
            if (!tls.isEstablished())
            {
                await(deadlineNs);
            }
        }
    }

    /** Writes as much as the socket accepts; accepted bytes are consumed. */
    int write(final ByteBuffer bytes) throws IOException
    {
        return tls == null ? channel.write(bytes) : tls.write(bytes);
    }

    /** Whether consumed bytes wait for the socket: {@link #write} must be called again. */
    boolean hasPending()
    {
        return tls != null && tls.hasPending();
    }

    /** Reads available bytes; -1 at the end of the stream. */
    int read(final ByteBuffer target) throws IOException
    {
        if (tls == null)
        {
            return channel.read(target);
        }
        final int read = decrypted.remaining() < TLS_BYTES ? 0 : tls.read(decrypted);
        if (decrypted.position() == 0)
        {
            return read;
        }
        decrypted.flip();
        final int count = Math.min(decrypted.remaining(), target.remaining());
        target.put(target.position(), decrypted, decrypted.position(), count);
        target.position(target.position() + count);
        decrypted.position(decrypted.position() + count).compact();
        return count;
    }

    /** Writes everything. */
    void writeFully(final ByteBuffer bytes, final long deadlineNs) throws IOException
    {
        while (bytes.hasRemaining() || hasPending())
        {
            write(bytes);
            if (bytes.hasRemaining() || hasPending())
            {
                await(deadlineNs);
            }
        }
    }

    /** Reads until the buffer is full. */
    void readFully(final ByteBuffer target, final long deadlineNs) throws IOException
    {
        while (target.hasRemaining())
        {
            final int read = read(target);
            if (read < 0)
            {
                throw new IOException("closed by the server");
            }
            if (read == 0)
            {
                await(deadlineNs);
            }
        }
    }

    /** Closes the sending side. Returns whether the server then closed the other side without sending further data. */
    boolean end(final long deadlineNs) throws IOException
    {
        if (tls != null)
        {
            tls.end();
        }
        channel.shutdownOutput();
        final ByteBuffer more = ByteBuffer.allocate(1);
        int read = read(more);
        while (read == 0)
        {
            await(deadlineNs);
            read = read(more);
        }
        return read < 0;
    }

    private void await(final long deadlineNs) throws IOException
    {
        if (clock.epochNs() > deadlineNs)
        {
            throw new IOException("no response in time");
        }
        LockSupport.parkNanos(this, POLL_NS);
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
