package dev.millrace.adapter.loadgen;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * One connection: finds out what it speaks, decodes what is whole and keeps what is not. Belongs to the I/O thread.
 *
 * <p>What is kept is at most one unfinished frame, preamble or line.
 */
final class Connection
{
    /** Unfinished bytes up to this many are copied in front of the next read instead of being read into. */
    static final int SMALL_BYTES = 64 << 10;

    private static final int FIRST_BUFFER_BYTES = 1 << 10;
    private static final VarHandle SHORT =
        MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    final SocketChannel channel;
    final String peer;
    /** Virtual time at which the unfinished frame began, or the connection when it has said nothing; else 0. */
    long incompleteSinceNs;

    private final RowBatch out;
    private final int maxFrameBytes;
    private FrameDecoder frames;
    private CsvDecoder lines;
    private byte[] kept = {};
    private ByteBuffer keptView;
    private int keptBytes;
    private boolean hasSpoken;
    private boolean madeProgress;

    Connection(final SocketChannel channel, final String peer, final RowBatch out, final int maxFrameBytes)
    {
        this.channel = channel;
        this.peer = peer;
        this.out = out;
        this.maxFrameBytes = maxFrameBytes;
    }

    int keptBytes()
    {
        return keptBytes;
    }

    /** Memory held for unfinished bytes. */
    int heldBytes()
    {
        return kept.length;
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

    /** Whether the last {@link #receive} finished anything. */
    boolean madeProgress()
    {
        return madeProgress;
    }

    /**
     * Reads once and decodes what is whole.
     *
     * @param shared    buffer of the I/O thread, used when little is kept
     * @param arrivalNs origin of rows of text
     * @return bytes read, -1 at the end of the stream
     */
    int receive(final ByteBuffer shared, final long arrivalNs) throws IOException, StreamException
    {
        madeProgress = false;
        if (keptBytes > SMALL_BYTES)
        {
            keptView.limit(kept.length).position(keptBytes);
            final int read = channel.read(keptView);
            if (read > 0)
            {
                keep(kept, decode(kept, 0, keptBytes + read, arrivalNs), keptBytes + read);
            }
            return read;
        }
        final byte[] buffer = shared.array();
        System.arraycopy(kept, 0, buffer, 0, keptBytes);
        shared.clear().position(keptBytes);
        final int read = channel.read(shared);
        if (read > 0)
        {
            final int end = keptBytes + read;
            keep(buffer, decode(buffer, 0, end, arrivalNs), end);
        }
        return read;
    }

    /** The peer ended the stream: takes a last line without newline; anything else unfinished is an error. */
    void finish(final long arrivalNs) throws StreamException
    {
        if (keptBytes == 0)
        {
            return;
        }
        if (lines == null)
        {
            throw new StreamException(Refusal.CUT_OFF, 1, "connection ended in the middle of a " + unfinished() +
                ", bytes=" + keptBytes + " peer=" + peer +
                "; the sender was stopped or lost its network, start it again");
        }
        lines.decodeLast(kept, 0, keptBytes, arrivalNs);
        keptBytes = 0;
    }

    /** What is unfinished, for messages. */
    String unfinished()
    {
        return frames != null ? "frame" : lines != null ? "line" : "preamble";
    }

    private int decode(final byte[] bytes, final int from, final int to, final long arrivalNs)
        throws StreamException, IOException
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
        position = frames != null ? frames.decode(bytes, position, to) : lines.decode(bytes, position, to, arrivalNs);
        madeProgress |= position > start;
        return position;
    }

    /** Looks at the first bytes of the stream; returns where frames or lines start. */
    private int open(final byte[] bytes, final int from, final int to) throws StreamException, IOException
    {
        hasSpoken = true;
        final byte first = bytes[from];
        if (first != WireFormat.BINARY_MARK)
        {
            if (first > 0 && first < ' ' && first != '\t' && first != '\r' && first != '\n')
            {
                throw new StreamException(Refusal.UNKNOWN_PROTOCOL, 1, "stream is neither text nor frames, firstByte=" +
                    first + " peer=" + peer + "; send CSV text or use the load generator (no TLS on this port)");
            }
            lines = new CsvDecoder(out, maxFrameBytes, peer);
            return from;
        }
        if (to - from < WireFormat.PREAMBLE_BYTES)
        {
            return from;
        }
        final int columnCount = (short)SHORT.get(bytes, from + 6) & 0xFFFF;
        checkPreamble(bytes, from, columnCount);
        final int end = from + WireFormat.PREAMBLE_BYTES + columnCount;
        if (end > to)
        {
            return from;
        }
        frames = new FrameDecoder(out, columns(bytes, from + WireFormat.PREAMBLE_BYTES, end), maxFrameBytes, peer);
        answer(WireFormat.ANSWER_ACCEPTED, FrameDecoder.describe(out));
        madeProgress = true;
        return end;
    }

    private void checkPreamble(final byte[] bytes, final int from, final int columnCount) throws StreamException
    {
        if ((int)INT.get(bytes, from) != WireFormat.MAGIC)
        {
            throw new StreamException(Refusal.UNKNOWN_PROTOCOL, 1, "stream starts with byte 0 but not with the magic" +
                ", first4Bytes=0x" + Integer.toHexString(Integer.reverseBytes((int)INT.get(bytes, from))) + " peer=" +
                peer + "; send CSV text or use the load generator");
        }
        if (bytes[from + 4] != WireFormat.VERSION)
        {
            throw new StreamException(Refusal.UNKNOWN_VERSION, 1, "unknown stream version, expected=" +
                WireFormat.VERSION + " actual=" + (bytes[from + 4] & 0xFF) + " peer=" + peer +
                "; use the load generator of this release");
        }
        if (bytes[from + 5] != 0)
        {
            throw new StreamException(Refusal.UNKNOWN_FLAGS, 1, "unknown preamble flags, flags=0x" +
                Integer.toHexString(bytes[from + 5] & 0xFF) + " peer=" + peer +
                "; use the load generator of this release");
        }
        if (columnCount == 0 || columnCount > WireFormat.MAX_COLUMNS)
        {
            throw new StreamException(Refusal.WRONG_COLUMNS, 1, "wrong number of columns, expected=" +
                out.columnCount() + " actual=" + columnCount + " columns=" + FrameDecoder.describe(out) + " peer=" +
                peer + "; send the columns that the adapter lists in eventPropertyNames");
        }
    }

    private List<WireType> columns(final byte[] bytes, final int from, final int to) throws StreamException
    {
        final List<WireType> columns = new ArrayList<>(to - from);
        for (int i = from; i < to; i++)
        {
            final WireType type = WireType.byCode(bytes[i]);
            if (type == null)
            {
                throw new StreamException(Refusal.WRONG_COLUMN_TYPE, 1, "unknown column type code, code=" +
                    (bytes[i] & 0xFF) + " column=" + (i - from + 1) + " peer=" + peer +
                    "; use the load generator of this release");
            }
            columns.add(type);
        }
        return columns;
    }

    /** Writes an answer; small enough for the empty send buffer of a connection that nothing was written to. */
    void answer(final byte status, final String text) throws IOException
    {
        final ByteBuffer bytes = ByteBuffer.wrap(WireFormat.answer(status, text));
        channel.write(bytes);
        if (bytes.hasRemaining())
        {
            throw new IOException("answer could not be written at once, peer=" + peer);
        }
    }

    /** Whether the peer sent a preamble or part of it, so that it reads answers. */
    boolean speaksFrames()
    {
        return hasSpoken && lines == null;
    }

    private void keep(final byte[] bytes, final int from, final int to)
    {
        final int remaining = to - from;
        if (remaining > 0)
        {
            final int needed = remaining > SMALL_BYTES ?
                Math.min(remaining * 2, wholeBytes(bytes, from, to)) : remaining;
            if (kept.length < needed)
            {
                final byte[] larger = new byte[needed > SMALL_BYTES ? needed :
                    Math.max(FIRST_BUFFER_BYTES, Integer.highestOneBit(needed) * 2)];
                System.arraycopy(bytes, from, larger, 0, remaining);
                hold(larger);
            }
            else
            {
                System.arraycopy(bytes, from, kept, 0, remaining);
            }
        }
        else if (kept.length > SMALL_BYTES)
        {
            hold(new byte[0]);
        }
        keptBytes = remaining;
    }

    /** How large the unfinished thing can get; room for it grows only as its bytes arrive. */
    private int wholeBytes(final byte[] bytes, final int from, final int to)
    {
        return frames != null ? frames.frameBytes(bytes, from, to) : maxFrameBytes;
    }

    private void hold(final byte[] bytes)
    {
        kept = bytes;
        keptView = ByteBuffer.wrap(bytes);
    }
}
