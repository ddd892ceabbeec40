package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.partition.Handshake.Refused;
import dev.millrace.cluster.partition.Handshake.Welcome;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to one other member, and the queue of what is for it. A connection that breaks is made anew, and what
 * the other side has not had is sent again, in order; it tells how far it is, so that nothing is taken twice.
 *
 * <p>Threads: sources append; one thread makes connections and sends, one reads acknowledgements.
 */
final class OutLink
{
    private static final Logger LOG = LoggerFactory.getLogger(OutLink.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int RETRIES_UNLOGGED = 30;

    private final ChannelMember channel;
    private final Endpoint endpoint;
    private final OutQueue queue;
    private final long link = UUID.randomUUID().getMostSignificantBits();
    private final Thread sender;
    private volatile Registration target;
    private volatile boolean refused;
    private volatile Connection connection;
    /** In a row; for the thread that sends. */
    private int failures;

    /**
     * Makes it; nothing is sent before {@link #start}.
     *
     * @param channel  of this member
     * @param target   the other member
     * @param endpoint to reach it by
     */
    OutLink(final ChannelMember channel, final Registration target, final Endpoint endpoint)
    {
        this.channel = channel;
        this.target = target;
        this.endpoint = endpoint;
        queue = new OutQueue(channel.terms().schema(), channel.terms().timed(), channel.terms().memory().get(),
            channel::changed);
        sender = new Thread(this::run, channel.label() + "/to-" + target.name());
        sender.setDaemon(true);
    }

    void start()
    {
        refused = !target.shape().equals(channel.shape());
        if (refused)
        {
            LOG.error("CLU-0404 the channel has another event type on another member: rows of its partitions are "
                + "rejected, channel={} member={} here={} there={}; update the application on both", channel.label(),
                target.name(), channel.shape(), target.shape());
            rejectLeft("CLU-0404 the member that owns these rows has another event type, member=" + target.name() +
                "; update the application on both");
        }
        else
        {
            sender.start();
        }
    }

    /** Begins with a member that stood in the table before it was seen; rows for it wait here. */
    void meet(final Registration seen)
    {
        target = seen;
        start();
    }

    Registration target()
    {
        return target;
    }

    /** Whether nobody was there to be connected to. */
    boolean isWaitingForTarget()
    {
        return target.port() == 0;
    }

    /**
     * Appends rows, as many as there is room for.
     *
     * @return how many were taken, or rejected because the other side takes none
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

    /** Appends rows of a member that is gone, whether there is room or not. */
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
        channel.reject(rows, "partition-refused", "CLU-0404 the member that owns these rows has another event type, " +
            "member=" + target.name() + "; update the application on both");
    }

    /** Says that no row of an earlier epoch follows. */
    void mark(final long epoch)
    {
        if (!refused)
        {
            queue.mark(epoch);
        }
    }

    /** Says that no row of a way follows. */
    void end(final int way)
    {
        if (!refused)
        {
            queue.end(way);
        }
    }

    /** Says how far the time of a way has come. */
    void time(final int way, final long timeNs)
    {
        if (!refused)
        {
            queue.time(way, timeNs);
        }
    }

    /** Whether the other side has had all rows. */
    boolean isDrained()
    {
        return queue.isDrained();
    }

    /** Ends the link and gives the rows that the other side may not have had, in order. */
    List<Slot> close()
    {
        final List<Slot> left = queue.close();
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
                // Whatever it was, rows wait here: only the end of the link may end its thread.
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
                + "address={}:{} reason={}; tried on until it is given up", channel.label(), target.name(),
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
                // Whoever closed the link has not seen this connection.
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

    /** For a while: it is asked again. For good: what waits is rejected, and what comes. */
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
        final SlotWriter writer =
            new SlotWriter(made.socket().getOutputStream(), channel.terms().schema(), channel.terms().timed());
        final List<Slot> taken = new ArrayList<>();
        final Map<Integer, Long> passed = new HashMap<>();
        while (queue.take(taken, passed, made::isCut))
        {
            for (final Slot slot : taken)
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

    /** Of those that were sent, how many more than once, because a connection broke. */
    long rowsSentAgain()
    {
        return queue.rowsSentAgain();
    }
}
