package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.security.TlsLink;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.SSLException;

/**
 * One connection: detects its protocol, decodes complete data and stores the rest. Confined to the I/O thread.
 *
 * <p>Stores at most one incomplete frame, preamble or line.
 */
final class Connection
{
    private static final Logger LOG = System.getLogger(Connection.class.getName());
    private static final byte[] NONE = {};
    /** A TLS stream starts with the record type of a handshake, then the version. */
    private static final byte TLS_HANDSHAKE = 0x16;
    private static final byte TLS_MAJOR_VERSION = 3;

    final SocketChannel channel;
    final InetAddress host;
    final String peer;
    /** Virtual time at which the incomplete frame began, or the connection if it has sent none; else 0. */
    long incompleteSinceNs;

    private final AdapterContext entrance;
    private TlsLink tls;
    private FrameDecoder frames;
    /** Set if its sender can resume. */
    private ResumedStream stream;
    /** Set if its sender wants to know which rows were received. */
    private RowAcknowledgement acknowledgement;
    private CsvDecoder lines;
    private byte[] kept = NONE;
    /** Only set while the incomplete data does not fit into the shared buffer. */
    private ByteBuffer keptView;
    private int keptBytes;
    private boolean hasSpoken;
    /** The first byte was text; rows are accepted only after the first line has been checked. */
    private boolean isText;
    private boolean madeProgress;

    Connection(final SocketChannel channel, final InetAddress host, final String peer, final AdapterContext entrance)
    {
        this.channel = channel;
        this.host = host;
        this.peer = peer;
        this.entrance = entrance;
    }

    int keptBytes()
    {
        return keptBytes;
    }

    /** Memory held for incomplete data. */
    int heldBytes()
    {
        return kept.length + (tls == null ? 0 : tls.heapBytes());
    }

    /** Whether the next bytes belong to a handshake, which costs more than rows do. */
    boolean isShakingHands()
    {
        return entrance.hasTls() && (tls == null || !tls.isEstablished());
    }

    /** Whether the first frame or line of rows has arrived. */
    boolean hasStarted()
    {
        return frames != null ? frames.frames() > 0 : lines != null && lines.lines() > 0;
    }

    /** Whether the peer has closed the stream with a TLS close alert. */
    boolean hasEnded()
    {
        return tls != null && tls.hasPeerEnded();
    }

    boolean hasSpoken()
    {
        return hasSpoken;
    }

    long frameCount()
    {
        return frames == null ? 0 : frames.frames();
    }

    long lineCount()
    {
        return lines == null ? 0 : lines.lines();
    }

    /** Whether the last {@link #receive} completed anything. */
    boolean madeProgress()
    {
        return madeProgress;
    }

    /**
     * Reads once and decodes complete data.
     *
     * @param shared    buffer of the I/O thread, used when little data is incomplete
     * @param arrivalNs origin of rows of text
     * @return bytes read, -1 at the end of the stream
     */
    int receive(final ByteBuffer shared, final long arrivalNs) throws IOException, WireFormatException
    {
        madeProgress = false;
        if (keptBytes > BufferPool.MAX_BYTES)
        {
            return receiveMore(shared, arrivalNs);
        }
        final byte[] buffer = shared.array();
        System.arraycopy(kept, 0, buffer, 0, keptBytes);
        shared.clear().position(keptBytes);
        final int read = entrance.hasTls() ? decrypt(shared) : channel.read(shared);
        if (read > 0)
        {
            final int end = keptBytes + read;
            keep(buffer, decode(buffer, 0, end, arrivalNs), end);
        }
        return read;
    }

    /** Reads the continuation of a large incomplete frame. */
    private int receiveMore(final ByteBuffer shared, final long arrivalNs) throws IOException, WireFormatException
    {
        final int read;
        if (entrance.hasTls())
        {
            shared.clear();
            read = decrypt(shared);
            if (read > kept.length - keptBytes)
            {
                hold(Arrays.copyOf(kept, keptBytes + read));
            }
            shared.flip().get(kept, keptBytes, Math.max(0, read));
        }
        else
        {
            keptView.limit(kept.length).position(keptBytes);
            read = channel.read(keptView);
        }
        if (read > 0)
        {
            keep(kept, decode(kept, 0, keptBytes + read, arrivalNs), keptBytes + read);
        }
        return read;
    }

    private int decrypt(final ByteBuffer target) throws IOException, WireFormatException
    {
        if (tls == null)
        {
            tls = entrance.encrypt(channel);
        }
        try
        {
            return tls.read(target);
        }
        catch (final SSLException ex)
        {
            throw new WireFormatException(InputRejectReason.TLS_FAILED, 1,
                "TLS failed, peer=" + peer + " cause=" + ex.getMessage() +
                "; this port accepts TLS 1.3 and 1.2 only: set test.tls and test.trustedCertificates of the load " +
                "generator");
        }
    }

    /** Handles the end of the stream: decodes a last line without newline; other incomplete data is an error. */
    void finish(final long arrivalNs) throws WireFormatException
    {
        final boolean isCut = tls != null && !tls.hasPeerEnded();
        if (keptBytes == 0)
        {
            return;
        }
        if (!isText || isCut)
        {
            throw new WireFormatException(InputRejectReason.CUT_OFF, 1,
                "connection ended in the middle of a " + unfinished() +
                ", bytes=" + keptBytes + " peer=" + peer +
                "; the sender was stopped or lost its network, start it again");
        }
        final int start = lines == null ? openText(kept, 0, keptBytes, true) : 0;
        if (start < keptBytes)
        {
            lines.decodeLast(kept, start, keptBytes, arrivalNs);
        }
        keptBytes = 0;
    }

    /** The kind of incomplete data, for messages. */
    String unfinished()
    {
        return frames != null ? "frame" : isText ? "line" : "preamble";
    }

    private int decode(final byte[] bytes, final int from, final int to, final long arrivalNs)
        throws WireFormatException, IOException
    {
        int position = from;
        if (frames == null && lines == null)
        {
            position = open(bytes, from, to);
            if (frames == null && lines == null)
            {
                return position;
            }
        }
        final int start = position;
        position = frames == null ? lines.decode(bytes, position, to, arrivalNs) :
            stream == null ? frames.decode(bytes, position, to) : decodeNumbered(bytes, position, to);
        madeProgress |= position > start;
        return position;
    }

    private int decodeNumbered(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        stream.begin(entrance.out);
        try
        {
            return frames.decode(bytes, from, to);
        }
        finally
        {
            stream.end(entrance.out);
        }
    }

    /** Whether its sender waits for the acknowledgement of rows. */
    boolean awaitsAcknowledgement()
    {
        return acknowledgement != null && acknowledgement.isDue();
    }

    /**
     * Acknowledges rows that were sent on, or stored if the stream has a name, as far as the socket accepts it.
     *
     * @return whether anything was acknowledged
     */
    boolean acknowledge() throws IOException
    {
        return acknowledgement.send(entrance.out, this::writeSome);
    }

    /** The name of its stream; {@code null} if its sender cannot resume. */
    String streamName()
    {
        return stream == null ? null : stream.name();
    }

    /**
     * Checks the first bytes of the stream.
     *
     * @return position where frames or lines start
     */
    private int open(final byte[] bytes, final int from, final int to) throws WireFormatException, IOException
    {
        hasSpoken = true;
        final byte first = bytes[from];
        if (isText || first != WireFormat.BINARY_MARK)
        {
            checkIsText(bytes, from, to);
            isText = true;
            return openText(bytes, from, to, false);
        }
        final Preamble preamble = Preamble.read(bytes, from, to, entrance, peer);
        if (preamble == null)
        {
            return from;
        }
        if (preamble.isInferred() && FrameDecoder.haveOtherTypes(entrance.out, preamble.columns()))
        {
            answer(WireFormat.ANSWER_OTHER_TYPES, FrameDecoder.describe(entrance.out));
            return preamble.end();
        }
        accept(bytes, preamble);
        return preamble.end();
    }

    /** Prepares the connection for frames, and confirms it to the sender. */
    private void accept(final byte[] bytes, final Preamble preamble) throws WireFormatException, IOException
    {
        frames = new FrameDecoder(entrance.out, preamble.columns(), entrance.maxFrameBytes, peer);
        if (preamble.isNamed())
        {
            stream = ResumedStream.open(bytes, preamble.nameStart(), preamble.nameEnd(), preamble.acknowledged(),
                entrance, peer);
        }
        answer(WireFormat.ANSWER_ACCEPTED, FrameDecoder.describe(entrance.out));
        if (stream != null)
        {
            write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(stream.stored()).flip());
        }
        if (preamble.isAcknowledged())
        {
            acknowledgement = new RowAcknowledgement(frames, stream);
        }
        madeProgress = true;
    }

    private void checkIsText(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        final byte first = bytes[from];
        if (first == TLS_HANDSHAKE && (to - from == 1 || bytes[from + 1] == TLS_MAJOR_VERSION))
        {
            throw new WireFormatException(InputRejectReason.TLS_HELLO, 1, "this port does not use TLS, peer=" + peer +
                "; send without TLS, or set keyStore of the adapter");
        }
        if (first >= 0 && first < ' ' && first != '\t' && first != '\r' && first != '\n')
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_PROTOCOL, 1,
                "stream is neither text nor frames, firstByte=" +
                first + " peer=" + peer + "; send CSV text or use the load generator");
        }
    }

    /**
     * Checks the first line of text.
     *
     * @return position where rows start, or where the incomplete first line starts
     */
    private int openText(final byte[] bytes, final int from, final int to, final boolean isLast)
        throws WireFormatException
    {
        final int start = ProtocolDetector.start(bytes, from, to);
        final int newline = ProtocolDetector.newline(bytes, start, to);
        if (newline < 0 && (!isLast || start == to))
        {
            if (to - start >= entrance.maxFrameBytes)
            {
                throw new WireFormatException(InputRejectReason.LINE_TOO_LONG, 1,
                    "first line does not end, maxFrameBytes=" +
                    entrance.maxFrameBytes + " peer=" + peer + "; end lines with a newline");
            }
            return start;
        }
        final int end = ProtocolDetector.end(bytes, start, newline < 0 ? to : newline);
        if (ProtocolDetector.isHttpRequest(bytes, start, end))
        {
            throw new WireFormatException(InputRejectReason.HTTP_REQUEST, 1,
                "received an HTTP request on the data port, line=\"" +
                DictionaryEncoder.excerpt(bytes, start, end - start) + "\" peer=" + peer +
                "; no row of it was accepted: check which program or web page sends it");
        }
        final int token = ProtocolDetector.token(bytes, start, end);
        if (token < 0)
        {
            entrance.checkNoneWanted(peer);
        }
        else
        {
            entrance.check(bytes, token, end, peer);
            madeProgress = true;
        }
        lines = new CsvDecoder(entrance.out, entrance.maxFrameBytes, peer);
        return token < 0 ? start : newline < 0 ? to : newline + 1;
    }

    /** Writes a response, unless the peer does not read earlier ones. */
    void answer(final byte status, final String text) throws IOException
    {
        if (!isShakingHands() && (acknowledgement == null || !acknowledgement.isIncomplete()))
        {
            write(ByteBuffer.wrap(WireFormat.answer(status, text)));
        }
    }

    /** Sends a line with the reason for closing to a sender of text. */
    void tellInText(final String text) throws IOException
    {
        if (isText && !isShakingHands())
        {
            write(ByteBuffer.wrap((text + '\n').getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** Writes as much as the socket accepts; false if consumed bytes still wait for it. */
    private boolean writeSome(final ByteBuffer bytes) throws IOException
    {
        if (tls == null)
        {
            channel.write(bytes);
            return true;
        }
        tls.write(bytes);
        return !tls.hasPending();
    }

    private void write(final ByteBuffer bytes) throws IOException
    {
        final boolean isWritten = writeSome(bytes);
        if (!isWritten || bytes.hasRemaining())
        {
            throw new IOException("the response could not be written without blocking, peer=" + peer);
        }
    }

    /** Whether the peer has sent at least part of a preamble, so that it reads responses. */
    boolean speaksFrames()
    {
        return hasSpoken && !isText;
    }

    /** Sends a TLS close alert and releases memory after the connection was closed. */
    void release()
    {
        hold(NONE);
        keptBytes = 0;
        if (tls != null)
        {
            try
            {
                tls.end();
            }
            catch (final IOException ex)
            {
                LOG.log(Level.DEBUG, "the TLS close alert could not be sent, peer=" + peer, ex);
            }
            tls = null;
        }
    }

    private void keep(final byte[] bytes, final int from, final int to)
    {
        final int remaining = to - from;
        if (remaining == 0)
        {
            hold(NONE);
        }
        else
        {
            final int needed = remaining > BufferPool.MAX_BYTES ?
                Math.min(remaining * 2, Math.max(remaining, wholeBytes(bytes, from, to))) : remaining;
            if (kept.length < needed)
            {
                final byte[] larger = needed > BufferPool.MAX_BYTES ? new byte[needed] : entrance.pool.take(needed);
                System.arraycopy(bytes, from, larger, 0, remaining);
                hold(larger);
            }
            else
            {
                System.arraycopy(bytes, from, kept, 0, remaining);
            }
        }
        keptBytes = remaining;
    }

    /** Maximum size of the incomplete data; its array grows only as bytes arrive. */
    private int wholeBytes(final byte[] bytes, final int from, final int to)
    {
        return frames != null ? frames.frameBytes(bytes, from, to) : entrance.maxFrameBytes;
    }

    private void hold(final byte[] bytes)
    {
        if (kept != bytes)
        {
            entrance.pool.give(kept);
            kept = bytes;
            keptView = bytes.length > BufferPool.MAX_BYTES ? ByteBuffer.wrap(bytes) : null;
        }
    }
}
