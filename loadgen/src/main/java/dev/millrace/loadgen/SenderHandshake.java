package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** Opens the connections of a sender and asks the server to accept its stream. Confined to the sender's thread. */
final class SenderHandshake
{
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * The start of each connection.
     *
     * @param bytes      sent first; may be empty
     * @param hasFrames  whether packets are frames and the server responds, or plain lines
     * @param frameFlags flags of all frames
     */
    record Opening(byte[] bytes, boolean hasFrames, byte frameFlags)
    {
    }

    /**
     * An accepted connection.
     *
     * @param link       owned by the caller
     * @param storedRows rows of a stream that the server has stored; 0 without a stream
     */
    record Result(SenderLink link, long storedRows)
    {
    }

    private final int index;
    private final GeneratorSettings settings;
    private final Opening opening;
    private final SSLContext tls;
    private final Clock clock;

    /**
     * @param index of the connection
     * @param tls   {@code null} for plain TCP
     */
    SenderHandshake(final int index, final GeneratorSettings settings, final Opening opening, final SSLContext tls,
        final Clock clock)
    {
        this.index = index;
        this.settings = settings;
        this.opening = opening;
        this.tls = tls;
        this.clock = clock;
    }

    /** Connects and, unless plain lines are sent, waits until the server accepts the stream. */
    Result open() throws GeneratorException
    {
        final String where = "file=" + settings.name() + " host=" + settings.host() + " port=" + settings.port() +
            " connection=" + (index + 1);
        final SenderLink link = connect(where);
        boolean isAccepted = false;
        try
        {
            final Result result = new Result(link, shakeHands(link));
            isAccepted = true;
            return result;
        }
        catch (final SSLException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_CONNECT, "GEN-0205 the TLS handshake with the server "
                + "failed, " + where +
                " cause=" + ex.getMessage() + "; check that the adapter has a keyStore, that its certificate names " +
                "test.host, and test.trustedCertificates", ex);
        }
        catch (final IOException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_CONNECT, "GEN-0202 the server does not respond, " +
                where + " cause=" + ex.getMessage() +
                "; check that an application with a csvgen or loadgen adapter runs on that port, and test.tls", ex);
        }
        finally
        {
            if (!isAccepted)
            {
                close(link);
            }
        }
    }

    private SenderLink connect(final String where) throws GeneratorException
    {
        try
        {
            return SenderLink.connect(settings.host(), settings.port(), clock);
        }
        catch (final IOException | RuntimeException ex)
        {
            throw new GeneratorException(GeneratorException.EXIT_CONNECT, "GEN-0201 cannot connect, " + where +
                " cause=" + ex.getMessage() +
                "; start the server and its application, and check test.host and test.port", ex);
        }
    }

    private long shakeHands(final SenderLink link) throws IOException, GeneratorException
    {
        final long deadlineNs = clock.epochNs() + ANSWER_TIMEOUT_NS;
        if (tls != null)
        {
            link.encrypt(tls, settings.host(), settings.port(), deadlineNs);
        }
        link.writeFully(ByteBuffer.wrap(opening.bytes()), deadlineNs);
        if (!opening.hasFrames())
        {
            return 0;
        }
        final ByteBuffer head = ByteBuffer.allocate(WireFormat.ANSWER_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        link.readFully(head, deadlineNs);
        final byte status = head.get(0);
        if (status < WireFormat.ANSWER_ACCEPTED || status > WireFormat.ANSWER_OTHER_TYPES)
        {
            throw new IOException("the response is not that of a data port, firstByte=" + status);
        }
        final ByteBuffer text = ByteBuffer.allocate(head.getShort(1) & 0xFFFF);
        link.readFully(text, deadlineNs);
        final String response = new String(text.array(), StandardCharsets.UTF_8);
        if (status == WireFormat.ANSWER_REFUSED)
        {
            throw new GeneratorException(GeneratorException.EXIT_CONNECT, "GEN-0203 the server refuses the stream, " +
                "file=" + settings.name() + " connection=" + (index + 1) + "  response: " + response);
        }
        if (status == WireFormat.ANSWER_OTHER_TYPES)
        {
            throw new GeneratorException(GeneratorException.EXIT_CONNECT, "GEN-0206 the types inferred from the data " +
                "file are not those of the event type, file=" + settings.name() + " expected=" + response +
                "; start the generator again", response);
        }
        if (settings.stream() == null)
        {
            return 0;
        }
        final ByteBuffer stored = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        link.readFully(stored, deadlineNs);
        return stored.getLong(0);
    }

    static void close(final SenderLink link)
    {
        try
        {
            link.close();
        }
        catch (final IOException ex)
        {
            System.getLogger(SenderHandshake.class.getName())
                .log(System.Logger.Level.DEBUG, "closing a connection failed", ex);
        }
    }
}
