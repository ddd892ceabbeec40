package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.partition.RowDecoder;
import dev.millrace.network.spi.RemoteEntrance.RemoteWay;
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
 * The rows that come from one other member, over one connection after the other; what was taken is remembered over all
 * of them. Guarded by itself: a connection waits until the one before has ended.
 */
final class InLink
{
    private static final Logger LOG = LoggerFactory.getLogger(InLink.class);
    private static final int BUFFER_BYTES = 128 << 10;
    /** Sources of one member that are open at once. */
    static final int MAX_WAYS = 4096;
    /** Acknowledged at the latest after so many batches, so that the sender goes on while this one works. */
    private static final int ACK_EVERY = OutQueue.MAX_SLOTS / 8;

    private final ChannelMember channel;
    private final String stay;
    private final EventBatch heartbeat;
    private final Map<Integer, RemoteWay> ways = new HashMap<>();
    private volatile Socket socket;
    private volatile boolean closed;
    private volatile boolean isRunning;
    private volatile long lastSequence;
    private volatile long mark;
    private volatile long rows;

    InLink(final ChannelMember channel, final String stay)
    {
        this.channel = channel;
        this.stay = stay;
        heartbeat = new EventBatch(channel.terms().schema());
    }

    /** Of the sender. */
    String stay()
    {
        return stay;
    }

    /** No row of an epoch before this one comes any more. */
    long mark()
    {
        return mark;
    }

    long rows()
    {
        return rows;
    }

    /** Whether rows may be on their way down; one that is closed has had its last ones when that ends. */
    boolean isRunning()
    {
        return isRunning;
    }

    /** Takes rows from a connection until it ends. */
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
                    // Whoever lets partitions go waits for its last rows.
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
                throw new IOException("not the length of a frame, bytes=" + length);
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
                throw new IOException("not a frame: " + e, e);
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
            default -> throw new IOException("not a kind of frame");
        }
    }

    private void rows(final ByteBuffer frame, final RowDecoder decoder) throws IOException
    {
        final long sequence = frame.getLong();
        final long epoch = frame.getLong();
        final int number = frame.getInt();
        final EventBatch batch = decoder.decode(frame);
        // What was had before is read all the same, for the strings in it.
        if (sequence <= lastSequence)
        {
            return;
        }
        channel.awaitOpen(epoch, this::isClosed);
        rows += batch.size();
        final RemoteWay way = way(number);
        if (way == null)
        {
            channel.reject(batch.size(), "too-many-sources", "CLU-0413 a member has more sources of the channel " +
                "open than another one keeps apart, member=" + stay + " most=" + MAX_WAYS +
                "; send over fewer connections at once");
        }
        else
        {
            way.accept(batch);
        }
        lastSequence = sequence;
    }

    /** The way of a source; {@code null} while there are too many. */
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

    /** Nobody waits for the time of a source that has closed. */
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

    /** Ends the link for good. */
    void close()
    {
        closed = true;
        Handshake.close(socket);
        channel.changed();
        if (!isRunning)
        {
            forget();
        }
        LOG.debug("nothing more from a member, channel={} stay={}", channel.label(), stay);
    }

    /** Ends the connection; the other side may connect again. */
    void cut()
    {
        Handshake.close(socket);
    }

    /** After the end of its thread: nobody waits for its times any more. */
    private synchronized void forget()
    {
        ways.values().forEach(RemoteWay::close);
        ways.clear();
    }
}
