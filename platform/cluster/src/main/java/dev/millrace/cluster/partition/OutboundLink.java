package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.partition.link.Connection;
import dev.millrace.cluster.partition.link.Endpoint;
import dev.millrace.cluster.partition.link.Handshake;
import dev.millrace.cluster.partition.link.Handshake.Refused;
import dev.millrace.cluster.partition.link.Handshake.Welcome;
import dev.millrace.cluster.partition.link.LinkWriter;
import dev.millrace.cluster.partition.link.SendEntry;
import dev.millrace.cluster.partition.link.SendQueue;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one other member, with the queue of rows for it. A broken connection is reestablished, and rows
 * that the other side has not received are sent again, in order. The other side reports its position, so no row is
 * processed twice.
 *
 * <p>Threads: sources append; one thread connects and sends, one reads acknowledgements.
 */
final class OutboundLink
{
    private static final Logger LOG = LoggerFactory.getLogger(OutboundLink.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int RETRIES_UNLOGGED = 30;

    private final PartitionedChannelMember channel;
    private final Endpoint endpoint;
    private final SendQueue queue;
    private final long link = UUID.randomUUID().getMostSignificantBits();
    private final Thread sender;
    private volatile Registration target;
    private volatile boolean refused;
    private volatile Connection connection;
    /** Consecutive failures; confined to the sending thread. */
    private int failures;

    /**
     * Creates a link; nothing is sent before {@link #start}.
     *
     * @param target the other member
     */
    OutboundLink(final PartitionedChannelMember channel, final Registration target, final Endpoint endpoint)
    {
        this.channel = channel;
        this.target = target;
        this.endpoint = endpoint;
        queue = new SendQueue(channel.terms().schema(), channel.terms().timed(), channel.terms().memory().get(),
            channel::changed);
        sender = new Thread(this::run, channel.label() + "/to-" + target.name());
        sender.setDaemon(true);
    }

    void start()
    {
        refused = !target.shape().equals(channel.shape());
        if (refused)
        {
            LOG.error("CLU-0404 the channel has a different event type on another member: rows of its partitions are "
                + "rejected, channel={} member={} here={} there={}; update the application on both", channel.label(),
                target.name(), channel.shape(), target.shape());
            rejectLeft("CLU-0404 the member that owns these rows has a different event type, member=" + target.name() +
                "; update the application on both");
        }
        else
        {
            sender.start();
        }
    }

    /** Starts a link to a member that was in the table before it was in the view; rows for it waited here. */
    void meet(final Registration seen)
    {
        target = seen;
        start();
    }

    Registration target()
    {
        return target;
    }

    /** Whether the member was not in the view when the link was created. */
    boolean isWaitingForTarget()
    {
        return target.port() == 0;
    }

    /**
     * Appends as many rows as the queue can hold.
     *
     * @return number of rows accepted, or rejected because the other side accepts none
     */
    int append(final int way, final long epoch, final EventBatch batch, final int[] rows, final int from,
        final int count)
    {
        if (refused)
        {
            rejectRefused(count);
            return count;
        }
        return queue.append(way, epoch, batch, rows, from, count);
    }

    /** Appends rows of a member that has left, regardless of the queue limit. */
    void appendAgain(final int way, final long epoch, final EventBatch batch, final int[] rows, final int count)
    {
        final int taken = refused ? 0 : queue.appendAgain(way, epoch, batch, rows, count);
        if (taken < count)
        {
            rejectRefused(count - taken);
        }
    }

    private void rejectRefused(final int rows)
    {
        channel.reject(rows, "partition-refused", "CLU-0404 the member that owns these rows has a different event "
            + "type, " +
            "member=" + target.name() + "; update the application on both");
    }

    /** Sends a marker: no row of an earlier epoch follows. */
    void mark(final long epoch)
    {
        if (!refused)
        {
            queue.mark(epoch);
        }
    }

    /** Sends an end marker: no row of this source follows. */
    void end(final int way)
    {
        if (!refused)
        {
            queue.end(way);
        }
    }

    /** Sends the time that a source has reached. */
    void time(final int way, final long timeNs)
    {
        if (!refused)
        {
            queue.time(way, timeNs);
        }
    }

    /** Whether all rows have been acknowledged. */
    boolean isDrained()
    {
        return queue.isDrained();
    }

    /**
     * Ends the link.
     *
     * @return rows without acknowledgement, in order
     */
    List<SendEntry> close()
    {
        final List<SendEntry> left = queue.close();
        final Connection last = connection;
        if (last != null)
        {
            last.cut();
        }
        return left;
    }

    private void run()
    {
        while (!queue.isClosed())
        {
            try
            {
                connect();
            }
            catch (final Refused e)
            {
                refuse(e);
            }
            catch (final IOException | RuntimeException e)
            {
                // Catch everything: rows wait here, so only closing the link may end its thread.
                tellOfFailure(e);
            }
            channel.changed();
            queue.pause(RETRY_NS);
        }
    }

    private void tellOfFailure(final Exception e)
    {
        failures++;
        if (!queue.isClosed() && failures % RETRIES_UNLOGGED == 0)
        {
            LOG.warn("CLU-0402 no connection to another member of a channel, its rows wait, channel={} member={} "
                + "address={}:{} reason={}; retrying until the member is removed", channel.label(), target.name(),
                target.host(), target.port(), e.toString(), e);
        }
    }

    private void connect() throws IOException
    {
        final Connection made = endpoint.connect(target.host(), target.port());
        try
        {
            connection = made;
            if (queue.isClosed())
            {
                // The thread that closed the link has not seen this connection.
                return;
            }
            final Welcome welcome = Handshake.ask(made.socket(), endpoint.secret(), channel.hello(target, link));
            queue.resume(welcome, channel::takeBack);
            failures = 0;
            final Thread reader = new Thread(() -> readAcks(made), sender.getName() + "-acks");
            reader.setDaemon(true);
            reader.start();
            sendOn(made);
        }
        finally
        {
            made.cut();
        }
    }

    /** If the refusal is temporary, retries. If it is final, rejects waiting and future rows. */
    private void refuse(final Refused refusal)
    {
        if (!refusal.isFinal())
        {
            tellOfFailure(refusal);
            return;
        }
        refused = true;
        LOG.error("CLU-0403 another member refuses the link, channel={} member={} reason={}; rows of its partitions "
            + "are rejected", channel.label(), target.name(), refusal.getMessage());
        rejectLeft("CLU-0403 the member that owns these rows refuses them, member=" + target.name() + " reason=" +
            refusal.getMessage());
    }

    private void rejectLeft(final String detail)
    {
        channel.reject(close().stream().mapToInt(slot -> slot.batch.size()).sum(), "partition-refused", detail);
    }

    private void sendOn(final Connection made) throws IOException
    {
        final LinkWriter writer =
            new LinkWriter(made.socket().getOutputStream(), channel.terms().schema(), channel.terms().timed());
        final List<SendEntry> taken = new ArrayList<>();
        final Map<Integer, Long> passed = new HashMap<>();
        while (queue.take(taken, passed, made::isCut))
        {
            for (final SendEntry slot : taken)
            {
                writer.slot(slot);
            }
            for (final Map.Entry<Integer, Long> time : passed.entrySet())
            {
                writer.time(time.getKey(), time.getValue());
            }
            writer.flush();
        }
    }

    private void readAcks(final Connection made)
    {
        try
        {
            final DataInputStream in = new DataInputStream(made.socket().getInputStream());
            while (true)
            {
                queue.acknowledge(in.readLong());
            }
        }
        catch (final IOException e)
        {
            LOG.debug("a link has ended, channel={} member={}", channel.label(), target.name(), e);
            made.cut();
            queue.wake();
        }
    }

    long rowsSent()
    {
        return queue.rowsSent();
    }

    /** Number of sent rows that were sent again because a connection broke. */
    long rowsSentAgain()
    {
        return queue.rowsSentAgain();
    }
}
