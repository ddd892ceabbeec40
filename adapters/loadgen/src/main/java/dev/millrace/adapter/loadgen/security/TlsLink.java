package dev.millrace.adapter.loadgen.security;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/**
 * TLS over one non-blocking socket. {@link #read} and {@link #write} perform the handshake.
 *
 * <p>Confined to one thread, and may share its {@link Scratch} with the other links of that thread: between two calls
 * it stores only the bytes of an incomplete record. Does not own the socket. Failure: {@code SSLException} when the
 * peer does not use TLS or is not trusted; the connection must then be closed.
 */
public final class TlsLink
{
    /** Heap memory of an engine during the handshake, and afterwards: measured 6.6 KB, rounded up. */
    private static final int HANDSHAKE_HEAP_BYTES = 32 << 10;
    private static final int HEAP_BYTES = 8 << 10;

    private static final byte[] NONE = {};
    private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

    /** Buffers for encrypted bytes, shared by all links of a thread. */
    public static final class Scratch
    {
        private final ByteBuffer in;
        private final ByteBuffer out;

        /**
         * Allocates the buffers.
         *
         * @param bytes maximum size of one read; at least the maximum size of a record, 17 KiB
         */
        public Scratch(final int bytes)
        {
            in = ByteBuffer.allocate(bytes);
            out = ByteBuffer.allocate(bytes);
        }
    }

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final Scratch scratch;
    /** Start of a record whose end has not arrived. */
    private byte[] rest = NONE;
    /** Encrypted bytes that the socket did not accept. */
    private ByteBuffer pending = NO_DATA;
    private boolean isEstablished;

    /**
     * Creates a link.
     *
     * @param channel connected and non-blocking
     * @param engine  with started handshake
     * @param scratch of the thread
     */
    public TlsLink(final SocketChannel channel, final SSLEngine engine, final Scratch scratch)
    {
        this.channel = channel;
        this.engine = engine;
        this.scratch = scratch;
    }

    /** Whether the handshake is complete, so that rows may be sent. */
    public boolean isEstablished()
    {
        return isEstablished;
    }

    /**
     * The heap memory of the link.
     *
     * @return bytes, rounded up
     */
    public int heapBytes()
    {
        return isEstablished ? HEAP_BYTES : HANDSHAKE_HEAP_BYTES;
    }

    /**
     * Whether the peer has sent a close alert. A stream that ends without one may have been truncated by an attacker.
     */
    public boolean hasPeerEnded()
    {
        return engine.isInboundDone();
    }

    /**
     * Whether bytes wait that {@link #write} accepted and the socket did not. If true, {@link #write} must be called
     * again.
     */
    public boolean hasPending()
    {
        return pending.hasRemaining();
    }

    /**
     * Reads the socket once and decrypts complete records.
     *
     * @param target filled from its position on; must have capacity for as many bytes as {@link Scratch}
     * @return bytes decrypted, 0 when no record is complete, -1 at the end of the stream
     * @throws IOException when the socket is lost or the peer cannot be trusted
     */
    public int read(final ByteBuffer target) throws IOException
    {
        final int start = target.position();
        final ByteBuffer in = scratch.in;
        in.clear().put(rest);
        rest = NONE;
        final int read = channel.read(in);
        in.flip();
        boolean wantsMore = false;
        while (!wantsMore && !engine.isInboundDone())
        {
            wantsMore = !shakeHands() && (!in.hasRemaining() || !unwrap(in, target));
        }
        if (in.hasRemaining() && !engine.isInboundDone())
        {
            rest = Arrays.copyOfRange(in.array(), in.position(), in.limit());
        }
        final int decrypted = target.position() - start;
        return decrypted == 0 && (read < 0 || engine.isInboundDone()) ? -1 : decrypted;
    }

    /** Decrypts one record; false when it is incomplete. */
    private boolean unwrap(final ByteBuffer in, final ByteBuffer target) throws IOException
    {
        final SSLEngineResult result = engine.unwrap(in, target);
        if (result.getStatus() == Status.BUFFER_OVERFLOW)
        {
            throw new IOException("a TLS record exceeds the capacity of its buffer, bytes=" + target.remaining());
        }
        note();
        return result.getStatus() == Status.OK;
    }

    /** Performs the next handshake step of this side; false when there is nothing to do now. */
    private boolean shakeHands() throws IOException
    {
        final HandshakeStatus status = engine.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK)
        {
            for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask())
            {
                task.run();
            }
            return true;
        }
        if (status != HandshakeStatus.NEED_WRAP)
        {
            note();
            return false;
        }
        if (!flush())
        {
            throw new IOException("the peer does not read its side of the TLS handshake");
        }
        wrap(NO_DATA);
        return true;
    }

    private void note()
    {
        isEstablished |= engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    /**
     * Encrypts and writes as much as the socket accepts.
     *
     * @param source bytes to send; accepted bytes are consumed
     * @return bytes consumed
     * @throws IOException when the socket is lost
     */
    public int write(final ByteBuffer source) throws IOException
    {
        final int start = source.position();
        while (flush() && source.hasRemaining())
        {
            final int before = source.position();
            wrap(source);
            if (source.position() == before && !shakeHands())
            {
                break;
            }
        }
        return source.position() - start;
    }

    private void wrap(final ByteBuffer source) throws IOException
    {
        final ByteBuffer out = scratch.out;
        out.clear();
        engine.wrap(source, out);
        note();
        out.flip();
        channel.write(out);
        if (out.hasRemaining())
        {
            pending = ByteBuffer.wrap(Arrays.copyOfRange(out.array(), out.position(), out.limit()));
        }
    }

    private boolean flush() throws IOException
    {
        if (pending.hasRemaining())
        {
            channel.write(pending);
        }
        return !pending.hasRemaining();
    }

    /**
     * Sends a close alert, if the socket accepts it.
     *
     * @throws IOException when the socket is lost
     */
    public void end() throws IOException
    {
        engine.closeOutbound();
        while (flush() && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone())
        {
            wrap(NO_DATA);
        }
    }
}
