package dev.millrace.loadgen;

import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * One connection of the generator: has its rows as bytes and the due time of each packet, and writes what is due.
 *
 * <p>Threads: a single sender thread calls {@link #step}; statistics are published to other threads through atomics.
 */
final class SenderConnection
{
    /** Size of the buffer shared by the frames of one write. */
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long BLOCKED_RETRY_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long PROBE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RECONNECT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Packets that were due before the end are still sent for this time after it. */
    private static final long END_GRACE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** After this time without a connection, or without a row that was stored, the rest of a stream is not sent. */
    private static final long RESUME_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long RESUME_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Returned by {@link #step} when nothing is left to do. */
    static final long DONE = Long.MAX_VALUE;

    final int index;
    final AtomicLong rowsSent = new AtomicLong();
    final AtomicLong rowsMissed = new AtomicLong();
    final AtomicLong framesSent = new AtomicLong();
    final AtomicLong writes = new AtomicLong();
    final AtomicLong bytesSent = new AtomicLong();
    final AtomicLong lagMaxNs = new AtomicLong();
    final AtomicLong lagNs = new AtomicLong();
    final AtomicLong reconnects = new AtomicLong();

    private final GeneratorSettings settings;
    private final Clock clock;
    private final EncodedRows rows;
    private final SenderHandshake.Opening opening;
    private final SenderHandshake handshake;
    private final long maxRows;
    private final SingleWriterRecorder lagUs;
    private final ByteBuffer out;
    private final ByteBuffer in = ByteBuffer.allocate(WireFormat.ANSWER_HEADER_BYTES +
        WireFormat.MAX_ANSWER_TEXT_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private volatile SenderLink link;
    private long clockOffsetNs;
    private long startNs;
    private long endNs;
    /** Number of rows added to packets so far, which determines the next row. */
    private long position;
    /** The highest {@link #position} so far: rows of a stream may be sent again. */
    private long mostRows;
    /** Rows of the stream that were stored before this run: the schedule begins with the next one. */
    private long storedBefore;
    /** When the server last reported what it has stored. */
    private long connectedNs;
    /** Rows due before the next packet; exceeds {@link #position} by the rows missed while not connected. */
    private long scheduled;
    private long nextDueNs;
    private long oldestDueNs;
    private int framesInBuffer;
    private int lastFrameRows;
    private boolean isBlocked;
    private long retryNs;
    private long probeNs;

    SenderConnection(final int index, final GeneratorSettings settings, final EncodedRows rows,
        final SenderHandshake.Opening opening, final SSLContext tls, final Clock clock,
        final SingleWriterRecorder lagUs)
    {
        this.index = index;
        this.settings = settings;
        this.rows = rows;
        this.opening = opening;
        this.clock = clock;
        handshake = new SenderHandshake(index, settings, opening, tls, clock);
        this.lagUs = lagUs;
        maxRows = settings.maxEventsOf(index);
        final int largest = WireFormat.FRAME_HEADER_BYTES + settings.ticksPerPacket() * rows.longestRow();
        out = ByteBuffer.allocateDirect(Math.max(BUFFER_BYTES, largest)).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Connects and, unless plain lines are sent, waits until the server accepts the stream. */
    void connect() throws GeneratorException
    {
        final SenderHandshake.Result result = handshake.open();
        link = result.link();
        if (settings.stream() != null)
        {
            position = result.storedRows();
            rowsSent.lazySet(position);
            connectedNs = clock.epochNs();
        }
    }

    /** Sets the time base; called just before the first step. */
    void begin(final long startNs, final long clockOffsetNs)
    {
        this.startNs = startNs + staggerNs();
        this.clockOffsetNs = clockOffsetNs;
        endNs = startNs + TimeUnit.SECONDS.toNanos(settings.secs());
        nextDueNs = this.startNs;
        mostRows = position;
        storedBefore = position;
        probeNs = startNs + PROBE_NS;
        in.clear();
    }

    /** Connections start their packets one after the other within the first interval. */
    private long staggerNs()
    {
        if (!settings.schedule().isPaced())
        {
            return 0;
        }
        return settings.schedule().dueNs(settings.ticksPerPacket()) * index / settings.senders();
    }

    /**
     * Writes what is due.
     *
     * @param nowNs current time
     * @return time of the next call, or {@link #DONE}
     * @throws IOException when the connection is lost
     */
    long step(final long nowNs) throws IOException
    {
        if (nowNs < startNs)
        {
            return startNs;
        }
        if (link == null)
        {
            return reopen(nowNs);
        }
        if (nowNs >= probeNs)
        {
            probe(nowNs);
        }
        if (isBlocked && (nowNs < retryNs || !write(nowNs)))
        {
            lagNs.lazySet(Math.max(0, nowNs - oldestDueNs));
            return retryNs;
        }
        final boolean isPaced = settings.schedule().isPaced();
        while (hasNext(nowNs) && (!isPaced || nextDueNs <= nowNs))
        {
            final int frameRows = (int)Math.min(settings.ticksPerPacket(), maxRows - position);
            if (out.remaining() < WireFormat.FRAME_HEADER_BYTES + frameRows * rows.longestRow())
            {
                break;
            }
            encode(frameRows, isPaced ? nextDueNs : nowNs);
            if (settings.writePerPacket() && !write(nowNs))
            {
                return retryNs;
            }
            if (!isPaced && settings.writePerPacket())
            {
                break;
            }
        }
        if (out.position() > 0 && !write(nowNs))
        {
            return retryNs;
        }
        final boolean hasNext = hasNext(nowNs);
        lagNs.lazySet(hasNext && isPaced ? Math.max(0, nowNs - nextDueNs) : 0);
        return !hasNext ? DONE : isPaced ? nextDueNs : nowNs;
    }

    private boolean hasNext(final long nowNs)
    {
        return position < maxRows && (settings.schedule().isPaced() ?
            nextDueNs < endNs && (settings.stream() != null || nowNs < endNs + END_GRACE_NS) : nowNs < endNs);
    }

    private void encode(final int frameRows, final long dueNs)
    {
        if (framesInBuffer == 0)
        {
            oldestDueNs = dueNs;
        }
        final int frameStart = out.position();
        if (opening.hasFrames())
        {
            out.putInt(0).put((byte)WireFormat.VERSION).put(opening.frameFlags()).putShort((short)frameRows)
                .putLong(dueNs + clockOffsetNs);
        }
        rows.copy(position, frameRows, out);
        if (opening.hasFrames())
        {
            out.putInt(frameStart, out.position() - frameStart - WireFormat.LENGTH_BYTES);
        }
        position += frameRows;
        mostRows = Math.max(mostRows, position);
        scheduled += frameRows;
        framesInBuffer++;
        lastFrameRows = frameRows;
        if (settings.schedule().isPaced())
        {
            nextDueNs = startNs + settings.schedule().dueNs(scheduled);
        }
    }

    /** Writes the buffer; false when the socket accepted only part of it. */
    private boolean write(final long nowNs) throws IOException
    {
        out.flip();
        final int written;
        try
        {
            written = link.write(out);
        }
        finally
        {
            out.compact();
        }
        writes.lazySet(writes.get() + 1);
        bytesSent.lazySet(bytesSent.get() + written);
        isBlocked = out.position() > 0 || link.hasPending();
        if (isBlocked)
        {
            retryNs = nowNs + BLOCKED_RETRY_NS;
            return false;
        }
        if (settings.schedule().isPaced())
        {
            recordLag(clock.epochNs() - oldestDueNs);
        }
        framesSent.lazySet(framesSent.get() + framesInBuffer);
        rowsSent.lazySet(position);
        framesInBuffer = 0;
        return true;
    }

    private void recordLag(final long lag)
    {
        if (lag > lagMaxNs.get())
        {
            lagMaxNs.lazySet(lag);
        }
        if (lagUs != null)
        {
            lagUs.recordValueWithCount(Math.max(0, TimeUnit.NANOSECONDS.toMicros(lag)), framesInBuffer);
        }
    }

    boolean isBlocked()
    {
        return isBlocked;
    }

    boolean isOpen()
    {
        return link != null;
    }

    EncodedRows rows()
    {
        return rows;
    }

    /** Checks whether the server has sent data or closed the connection, which writes alone would detect late. */
    private void probe(final long nowNs) throws IOException
    {
        probeNs = nowNs + PROBE_NS;
        if (link.read(in) < 0)
        {
            throw new IOException("closed by the server");
        }
    }

    /** The last message of the server, for error messages; empty if none. */
    String serverSays()
    {
        try
        {
            while (link != null && in.hasRemaining() && link.read(in) > 0)
            {
                continue;
            }
        }
        catch (final IOException gone)
        {
            // Data that arrived before the connection broke is in the buffer.
            in.limit(in.capacity());
        }
        final int length = in.position() - WireFormat.ANSWER_HEADER_BYTES;
        return length <= 0 ? "" :
            " response: " + new String(in.array(), WireFormat.ANSWER_HEADER_BYTES, length, StandardCharsets.UTF_8);
    }

    /** Drops the connection after a loss: packets not written completely count as not sent. */
    void drop(final long nowNs)
    {
        int unsentBytes = out.position();
        int frameRows = lastFrameRows;
        // The server reports how many rows of a stream it has stored.
        while (settings.stream() == null && unsentBytes > 0 && position > 0)
        {
            position -= frameRows;
            unsentBytes -= rows.bytes(position, frameRows) + (opening.hasFrames() ? WireFormat.FRAME_HEADER_BYTES : 0);
            frameRows = settings.ticksPerPacket();
        }
        rowsSent.lazySet(position);
        out.clear();
        framesInBuffer = 0;
        isBlocked = false;
        retryNs = nowNs + (settings.stream() == null ? RECONNECT_NS : RESUME_PAUSE_NS);
        close();
    }

    private long reopen(final long nowNs)
    {
        if (nowNs >= endNs && (settings.stream() == null || nowNs >= connectedNs + RESUME_NS))
        {
            return DONE;
        }
        if (nowNs < retryNs)
        {
            return retryNs;
        }
        try
        {
            in.clear();
            connect();
        }
        catch (final GeneratorException stillGone)
        {
            retryNs = nowNs + (settings.stream() == null ? RECONNECT_NS : RESUME_PAUSE_NS);
            return retryNs;
        }
        reconnects.incrementAndGet();
        if (settings.stream() != null)
        {
            continueAfterStored();
        }
        else if (settings.schedule().isPaced())
        {
            final long due = settings.schedule().packetsDueBefore(nowNs - startNs, settings.ticksPerPacket()) *
                settings.ticksPerPacket();
            rowsMissed.lazySet(rowsMissed.get() + Math.max(0, due - scheduled));
            scheduled = Math.max(scheduled, due);
            nextDueNs = startNs + settings.schedule().dueNs(scheduled);
        }
        return nowNs;
    }

    /** Rows after those that the server has stored are due at the times they were due before. */
    private void continueAfterStored()
    {
        scheduled = Math.max(0, position - storedBefore);
        if (settings.schedule().isPaced())
        {
            nextDueNs = startNs + settings.schedule().dueNs(scheduled);
        }
    }

    /** Rows whose packets were due by a time, or rows sent if there is no schedule. */
    long offered(final long nowNs)
    {
        if (!settings.schedule().isPaced())
        {
            return rowsSent.get();
        }
        final long rowsDue = settings.schedule().packetsDueBefore(Math.min(nowNs, endNs) - startNs,
            settings.ticksPerPacket()) * settings.ticksPerPacket();
        return Math.max(rowsSent.get(), Math.min(rowsDue, maxRows));
    }

    /**
     * Ends the stream and waits until the server has read it to the end.
     *
     * @param timeoutMillis maximum time to wait
     * @return whether the server confirmed by closing its side without sending an error
     */
    boolean finish(final int timeoutMillis)
    {
        final long rows = position;
        final boolean isRead = finishConnection(timeoutMillis);
        return settings.stream() == null ? isRead : areStored(Math.max(rows, mostRows));
    }

    /** Sends rows again until the server has stored all of them. */
    private boolean areStored(final long rowCount)
    {
        long deadlineNs = clock.epochNs() + RESUME_NS;
        long stored = 0;
        while (clock.epochNs() < deadlineNs)
        {
            LockSupport.parkNanos(this, RESUME_PAUSE_NS);
            try
            {
                connect();
                if (position >= rowCount)
                {
                    close();
                    return true;
                }
                reconnects.incrementAndGet();
                if (position > stored)
                {
                    stored = position;
                    deadlineNs = clock.epochNs() + RESUME_NS;
                }
                while (position < rowCount)
                {
                    final int frameRows = (int)Math.min(settings.ticksPerPacket(), rowCount - position);
                    if (out.remaining() >= WireFormat.FRAME_HEADER_BYTES + frameRows * rows.longestRow())
                    {
                        encode(frameRows, clock.epochNs());
                    }
                    else
                    {
                        writeAll(deadlineNs);
                    }
                }
                writeAll(deadlineNs);
                link.end(deadlineNs);
                close();
            }
            catch (final GeneratorException | IOException gone)
            {
                // The server starts again, or fails again: the next connection reports what it has stored.
                drop(clock.epochNs());
            }
        }
        return false;
    }

    private void writeAll(final long deadlineNs) throws IOException
    {
        while ((out.position() > 0 || isBlocked) && !write(clock.epochNs()))
        {
            if (clock.epochNs() > deadlineNs)
            {
                throw new IOException("the server accepts no rows");
            }
            LockSupport.parkNanos(this, BLOCKED_RETRY_NS);
        }
    }

    private boolean finishConnection(final int timeoutMillis)
    {
        if (link == null)
        {
            return false;
        }
        try
        {
            final long deadlineNs = clock.epochNs() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            writeAll(deadlineNs);
            return link.end(clock.epochNs() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
        }
        catch (final IOException ex)
        {
            drop(clock.epochNs());
            return false;
        }
        finally
        {
            close();
        }
    }

    void close()
    {
        if (link != null)
        {
            SenderHandshake.close(link);
        }
        link = null;
    }
}
