package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.security.AccessToken;
import dev.millrace.adapter.loadgen.security.TlsLink;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    private static final int PREAMBLE_FLAGS =
        WireFormat.PREAMBLE_FLAG_TOKEN | WireFormat.PREAMBLE_FLAG_STREAM | WireFormat.PREAMBLE_FLAG_INFERRED |
        WireFormat.PREAMBLE_FLAG_ACKNOWLEDGE;
    /** A TLS stream starts with the record type of a handshake, then the version. */
    private static final byte TLS_HANDSHAKE = 0x16;
    private static final byte TLS_MAJOR_VERSION = 3;
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

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
        if (to - from < WireFormat.PREAMBLE_BYTES)
        {
            return from;
        }
        final int columnCount = (short)SHORT.get(bytes, from + 6) & 0xFFFF;
        checkPreamble(bytes, from, columnCount);
        final int columnsEnd = from + WireFormat.PREAMBLE_BYTES + columnCount;
        final byte flags = bytes[from + 5];
        final int tokenEnd = (flags & WireFormat.PREAMBLE_FLAG_TOKEN) != 0 ? tokenEnd(bytes, columnsEnd, to) :
            columnsEnd;
        final boolean isNamed = (flags & WireFormat.PREAMBLE_FLAG_STREAM) != 0;
        final int nameEnd = isNamed && tokenEnd <= to ? streamEnd(bytes, tokenEnd, to) : tokenEnd;
        final boolean isAcknowledged = (flags & WireFormat.PREAMBLE_FLAG_ACKNOWLEDGE) != 0;
        final int end = isNamed && isAcknowledged ? nameEnd + Long.BYTES : nameEnd;
        if (end > to)
        {
            return from;
        }
        final List<WireType> columns = columns(bytes, from + WireFormat.PREAMBLE_BYTES, columnsEnd);
        if ((flags & WireFormat.PREAMBLE_FLAG_INFERRED) != 0 && FrameDecoder.haveOtherTypes(entrance.out, columns))
        {
            answer(WireFormat.ANSWER_OTHER_TYPES, FrameDecoder.describe(entrance.out));
            return end;
        }
        frames = new FrameDecoder(entrance.out, columns, entrance.maxFrameBytes, peer);
        if (isNamed)
        {
            stream = ResumedStream.open(bytes, tokenEnd + Short.BYTES, nameEnd,
                isAcknowledged ? (long)LONG.get(bytes, nameEnd) : 0, entrance, peer);
        }
        answer(WireFormat.ANSWER_ACCEPTED, FrameDecoder.describe(entrance.out));
        if (stream != null)
        {
            write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(stream.stored()).flip());
        }
        if (isAcknowledged)
        {
            acknowledgement = new RowAcknowledgement(frames, stream);
        }
        madeProgress = true;
        return end;
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

    /**
     * Checks the token after the columns of a preamble.
     *
     * @return end of the preamble, which may not have arrived yet
     */
    private int tokenEnd(final byte[] bytes, final int columnsEnd, final int to) throws WireFormatException
    {
        final int start = columnsEnd + Short.BYTES;
        if (start > to)
        {
            return start;
        }
        final int end = start + ((short)SHORT.get(bytes, columnsEnd) & 0xFFFF);
        if (end - start > AccessToken.MAX_BYTES)
        {
            throw new WireFormatException(InputRejectReason.WRONG_TOKEN, 1,
                "the token is too long, bytes=" + (end - start) +
                " max=" + AccessToken.MAX_BYTES + " peer=" + peer + "; give the sender the token file of the adapter");
        }
        if (end <= to)
        {
            entrance.check(bytes, start, end, peer);
        }
        return end;
    }

    /** Returns the end of the name of a stream, which may not have arrived yet. */
    private int streamEnd(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        final int start = from + Short.BYTES;
        final int length = start > to ? 0 : (short)SHORT.get(bytes, from) & 0xFFFF;
        if (length > WireFormat.MAX_STREAM_BYTES)
        {
            throw new WireFormatException(InputRejectReason.WRONG_STREAM, 1, "the name of the stream is too long, " +
                "bytes=" + length + " max=" + WireFormat.MAX_STREAM_BYTES + " peer=" + peer +
                "; shorten the name (test.stream of the load generator)");
        }
        return start + length;
    }

    private void checkPreamble(final byte[] bytes, final int from, final int columnCount) throws WireFormatException
    {
        if ((int)INT.get(bytes, from) != WireFormat.MAGIC)
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_PROTOCOL, 1,
                "stream starts with byte 0 but not with the magic" +
                ", first4Bytes=0x" + Integer.toHexString(Integer.reverseBytes((int)INT.get(bytes, from))) + " peer=" +
                peer + "; send CSV text or use the load generator");
        }
        if (bytes[from + 4] != WireFormat.VERSION)
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_VERSION, 1, "unknown stream version, expected=" +
                WireFormat.VERSION + " actual=" + (bytes[from + 4] & 0xFF) + " peer=" + peer +
                "; use the load generator of this release");
        }
        final byte flags = bytes[from + 5];
        if ((flags & ~PREAMBLE_FLAGS) != 0)
        {
            throw new WireFormatException(InputRejectReason.UNKNOWN_FLAGS, 1, "unknown preamble flags, flags=0x" +
                Integer.toHexString(flags & 0xFF) + " peer=" + peer +
                "; use the load generator of this release");
        }
        if ((flags & WireFormat.PREAMBLE_FLAG_TOKEN) == 0)
        {
            entrance.checkNoneWanted(peer);
        }
        if (columnCount == 0 || columnCount > WireFormat.MAX_COLUMNS)
        {
            // Do not reveal the columns to a peer without a token.
            final String columns = entrance.wantsToken() ? "" : " columns=" + FrameDecoder.describe(entrance.out);
            throw new WireFormatException(InputRejectReason.WRONG_COLUMNS, 1, "wrong number of columns, expected=" +
                entrance.out.columnCount() + " actual=" + columnCount + columns + " peer=" + peer +
                "; send the columns that the adapter lists in eventPropertyNames");
        }
    }

    private List<WireType> columns(final byte[] bytes, final int from, final int to) throws WireFormatException
    {
        final List<WireType> columns = new ArrayList<>(to - from);
        for (int i = from; i < to; i++)
        {
            final WireType type = WireType.byCode(bytes[i]);
            if (type == null)
            {
                throw new WireFormatException(InputRejectReason.WRONG_COLUMN_TYPE, 1,
                    "unknown column type code, code=" +
                    (bytes[i] & 0xFF) + " column=" + (i - from + 1) + " peer=" + peer +
                    "; use the load generator of this release");
            }
            columns.add(type);
        }
        return columns;
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
