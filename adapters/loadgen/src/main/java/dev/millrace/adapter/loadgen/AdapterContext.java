package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.security.AccessToken;
import dev.millrace.adapter.loadgen.security.TlsContexts;
import dev.millrace.adapter.loadgen.security.TlsLink;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;

/**
 * State shared by all connections of one adapter: destination of rows, authentication of senders, and the buffers of
 * the I/O thread. Confined to that thread.
 */
final class AdapterContext
{
    private static final int TLS_READ_BYTES = 64 << 10;

    final String name;
    final BatchAssembler out;
    final int maxFrameBytes;
    final BufferPool pool = new BufferPool();

    private final AccessToken token;
    private final SSLContext tls;
    private final TlsLink.Scratch scratch;

    /**
     * Creates an entrance.
     *
     * @param name          of the adapter, unique in the server and the same after a restart
     * @param out           receives rows
     * @param maxFrameBytes maximum size of a frame or line
     * @param token         required from senders, or {@code null}
     * @param tls           for encrypted connections, or {@code null}
     */
    AdapterContext(final String name, final BatchAssembler out, final int maxFrameBytes, final AccessToken token,
        final SSLContext tls)
    {
        this.name = name;
        this.out = out;
        this.maxFrameBytes = maxFrameBytes;
        this.token = token;
        this.tls = tls;
        scratch = tls == null ? null : new TlsLink.Scratch(TLS_READ_BYTES);
    }

    boolean hasTls()
    {
        return tls != null;
    }

    boolean wantsToken()
    {
        return token != null;
    }

    TlsLink encrypt(final SocketChannel channel) throws IOException
    {
        return new TlsLink(channel, TlsContexts.serverEngine(tls), scratch);
    }

    /** Throws unless the sender has presented the required token. */
    void check(final byte[] bytes, final int from, final int to, final String peer) throws WireFormatException
    {
        if (token != null && !token.matches(bytes, from, to))
        {
            throw new WireFormatException(InputRejectReason.WRONG_TOKEN, 1, "wrong token for this port, peer=" + peer +
                "; give the sender the token file of the adapter (test.tokenFile of the load generator)");
        }
    }

    /** Throws if a token is required from a sender that has presented none. */
    void checkNoneWanted(final String peer) throws WireFormatException
    {
        if (token != null)
        {
            throw new WireFormatException(InputRejectReason.TOKEN_MISSING, 1,
                "this port accepts rows only with its token, peer=" +
                peer + "; set test.tokenFile of the load generator, or start text with a line: token ...");
        }
    }
}
