package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.partition.link.Frames;
import dev.millrace.cluster.partition.link.Handshake;
import dev.millrace.cluster.partition.link.SendQueue;
import dev.millrace.network.partition.RowDecoder;
import dev.millrace.network.spi.RemoteInput.RemoteWay;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows from one other member, received over successive connections. The receive position is kept across connections.
 * Guarded by its own monitor: a connection waits until the previous one has ended.
 */
final class InboundLink
{
    private static final Logger LOG = LoggerFactory.getLogger(InboundLink.class);
    private static final int BUFFER_BYTES = 128 << 10;
    /** Maximum number of open sources per member. */
    static final int MAX_WAYS = 4096;
    /** Acknowledge after at most this number of batches, so that the sender continues while this member processes. */
    private static final int ACK_EVERY = SendQueue.MAX_SLOTS / 8;

    private final PartitionedChannelMember channel;
    private final String stay;
    private final EventBatch heartbeat;
    private final Map<Integer, RemoteWay> ways = new HashMap<>();
    private volatile Socket socket;
    private volatile boolean closed;
    private volatile boolean isRunning;
    private volatile long lastSequence;
    private volatile long mark;
    private volatile long rows;

    InboundLink(final PartitionedChannelMember channel, final String stay)
    {
        this.channel = channel;
        this.stay = stay;
        heartbeat = new EventBatch(channel.terms().schema());
    }

    /** Incarnation of the sender. */
    String stay()
    {
        return stay;
    }

    /** No row of an epoch before this one follows. */
    long mark()
    {
        return mark;
    }

    long rows()
    {
        return rows;
    }

    /**
     * Whether rows may still be in the stages below. After {@link #close}, false means that the last row has been
     * processed.
     */
    boolean isRunning()
    {
        return isRunning;
    }

    /** Receives rows from a connection until it ends. */
    void run(final Handshake.Caller caller) throws IOException
    {
        Handshake.close(socket);
        synchronized (this)
        {
            try
            {
                isRunning = true;
                socket = caller.socket();
                if (!closed)
                {
                    caller.welcome(new Handshake.Welcome(lastSequence, channel.floor()));
                    read(caller.socket());
                }
            }
            finally
            {
                isRunning = false;
                if (closed)
                {
                    forget();
                    // Releasing partitions waits for the last rows of this link.
                    channel.attention();
                }
            }
        }
    }

    private void read(final Socket from) throws IOException
    {
        final DataInputStream in = new DataInputStream(new BufferedInputStream(from.getInputStream(), BUFFER_BYTES));
        final DataOutputStream out = new DataOutputStream(from.getOutputStream());
        final RowDecoder decoder = new RowDecoder(channel.terms().schema());
        byte[] bytes = new byte[BUFFER_BYTES];
        long acknowledged = lastSequence;
        while (!closed)
        {
            final int length = Integer.reverseBytes(in.readInt());
            if (length < 1 || length > Frames.MAX_BYTES)
            {
                throw new IOException("invalid frame length, bytes=" + length);
            }
            if (length > bytes.length)
            {
                bytes = new byte[length];
            }
            in.readFully(bytes, 0, length);
            final ByteBuffer frame = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
            try
            {
                take(frame, decoder);
            }
            catch (final IllegalArgumentException | IndexOutOfBoundsException | BufferUnderflowException e)
            {
                throw new IOException("invalid frame: " + e, e);
            }
            if (lastSequence != acknowledged &&
                (lastSequence - acknowledged >= ACK_EVERY || in.available() < Integer.BYTES))
            {
                acknowledged = lastSequence;
                out.writeLong(acknowledged);
                out.flush();
            }
        }
    }

    private void take(final ByteBuffer frame, final RowDecoder decoder) throws IOException
    {
        switch (frame.get())
        {
            case Frames.ROWS -> rows(frame, decoder);
            case Frames.MARK ->
            {
                final long sequence = frame.getLong();
                mark = Math.max(mark, frame.getLong());
                lastSequence = Math.max(lastSequence, sequence);
                channel.attention();
            }
            case Frames.TIME ->
            {
                final RemoteWay way = way(frame.getInt());
                if (way != null)
                {
                    heartbeat.clear();
                    heartbeat.baseTimestampNs(frame.getLong());
                    way.accept(heartbeat);
                }
            }
            case Frames.END -> end(frame.getLong(), frame.getInt());
            default -> throw new IOException("unknown kind of frame");
        }
    }

    private void rows(final ByteBuffer frame, final RowDecoder decoder) throws IOException
    {
        final long sequence = frame.getLong();
        final long epoch = frame.getLong();
        final int number = frame.getInt();
        final EventBatch batch = decoder.decode(frame);
        // Decode also rows that were received before: they may define strings that later rows refer to.
        if (sequence <= lastSequence)
        {
            return;
        }
        channel.awaitOpen(epoch, this::isClosed);
        rows += batch.size();
        final RemoteWay way = way(number);
        if (way == null)
        {
            channel.reject(batch.size(), "too-many-sources", "CLU-0413 too many sources of a member are open for " +
                "the channel, member=" + stay + " maximum=" + MAX_WAYS +
                "; send over fewer connections at the same time");
        }
        else
        {
            way.accept(batch);
        }
        lastSequence = sequence;
    }

    /** The input of a source; {@code null} when too many are open. */
    private RemoteWay way(final int number)
    {
        final RemoteWay known = ways.get(number);
        if (known != null || ways.size() == MAX_WAYS)
        {
            return known;
        }
        final RemoteWay opened = channel.entrance().open();
        ways.put(number, opened);
        return opened;
    }

    /** Closes the input of a closed source, so that nothing waits for its time. */
    private void end(final long sequence, final int number)
    {
        final RemoteWay ended = ways.remove(number);
        if (ended != null)
        {
            ended.close();
        }
        lastSequence = Math.max(lastSequence, sequence);
    }

    private boolean isClosed()
    {
        return closed;
    }

    /** Ends the link permanently. */
    void close()
    {
        closed = true;
        Handshake.close(socket);
        channel.changed();
        if (!isRunning)
        {
            forget();
        }
        LOG.debug("link closed, channel={} stay={}", channel.label(), stay);
    }

    /** Closes the connection; the other side may reconnect. */
    void cut()
    {
        Handshake.close(socket);
    }

    /** Closes the inputs after the thread has ended, so that nothing waits for their times. */
    private synchronized void forget()
    {
        ways.values().forEach(RemoteWay::close);
        ways.clear();
    }
}
