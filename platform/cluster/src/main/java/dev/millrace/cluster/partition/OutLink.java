package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.partition.Handshake.Refused;
import dev.millrace.cluster.partition.Handshake.Welcome;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows on their way to one other member: queued, then sent, then kept until it has acknowledged them. A connection
 * that breaks is made anew, and what the other side has not had is sent again, in order; it tells how far it is, so
 * that nothing is taken twice.
 *
 * <p>Bounded: at most {@value #MAX_SLOTS} batches; whoever finds it full waits elsewhere and comes back. Only rows of a
 * member that is gone are taken beyond that.
 *
 * <p>Threads: sources append; one thread sends and makes connections, one reads acknowledgements.
 */
final class OutLink
{
    /** Batches that are queued or not acknowledged. */
    static final int MAX_SLOTS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(OutLink.class);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int RETRIES_UNLOGGED = 30;

    private final ChannelMember channel;
    private final Registration target;
    private final Endpoint endpoint;
    private final boolean timed;
    private final long link = UUID.randomUUID().getMostSignificantBits();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Deque<Slot> queued = new ArrayDeque<>();
    private final Deque<Slot> unacknowledged = new ArrayDeque<>();
    private final Deque<Slot> spare = new ArrayDeque<>();
    private final Map<Integer, Long> times = new HashMap<>();
    private final Thread sender;
    private long lastSequence;
    private boolean wasFull;
    private boolean closed;
    private boolean refused;
    private Socket socket;
    private long rowsSent;
    private long rowsSentAgain;

    OutLink(final ChannelMember channel, final Registration target, final Endpoint endpoint)
    {
        this.channel = channel;
        this.target = target;
        this.endpoint = endpoint;
        timed = channel.terms().timed();
        refused = !target.shape().equals(channel.shape());
        if (refused)
        {
            tellOfOtherShape(target.shape());
        }
        sender = new Thread(this::send, channel.label() + "/to-" + target.name());
        sender.setDaemon(true);
    }

    private void tellOfOtherShape(final String theirs)
    {
        LOG.error("CLU-0404 the channel has another event type on another member: rows of its partitions are rejected,"
            + " channel={} member={} here={} there={}; update the application on both", channel.label(), target.name(),
            channel.shape(), theirs);
    }

    void start()
    {
        if (!refused)
        {
            sender.start();
        }
    }

    Registration target()
    {
        return target;
    }

    /**
     * Appends rows, as many as there is room for.
     *
     * @return how many were taken
     */
    int append(final int way, final long epoch, final EventBatch batch, final int[] rows, final int from,
        final int count)
    {
        lock.lock();
        try
        {
            if (refused)
            {
                channel.reject(count, "partition-refused", "CLU-0404 the member that owns these rows has another " +
                    "event type, member=" + target.name() + "; update the application on both");
                return count;
            }
            int done = 0;
            while (done < count && !closed)
            {
                final Slot slot = slotFor(way, epoch);
                if (slot == null)
                {
                    wasFull = true;
                    break;
                }
                final int size = slot.batch.size();
                final int taken = Math.min(count - done, EventBatch.CAPACITY - size);
                slot.batch.copySelected(batch, rows, from + done, size, taken);
                slot.batch.size(size + taken);
                done += taken;
            }
            if (done > 0)
            {
                work.signal();
            }
            return done;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** The last slot while it has room, else a new one; {@code null} when there are enough. */
    private Slot slotFor(final int way, final long epoch)
    {
        final Slot last = queued.peekLast();
        if (last != null && !last.isMark && last.sequence == 0 && last.epoch == epoch && last.way == way &&
            last.batch.size() < EventBatch.CAPACITY)
        {
            return last;
        }
        return queued.size() + unacknowledged.size() < MAX_SLOTS ? newSlot(epoch, way, false) : null;
    }

    private Slot newSlot(final long epoch, final int way, final boolean isMark)
    {
        final Slot known = spare.poll();
        final Slot slot = (known == null ? new Slot(channel.terms().schema()) : known).begin(epoch, way, isMark, timed);
        queued.add(slot);
        return slot;
    }

    /** Appends rows of a member that is gone, whether there is room or not. */
    void appendAgain(final int way, final long epoch, final EventBatch batch, final int[] rows, final int count)
    {
        int done = 0;
        while (done < count)
        {
            lock.lock();
            try
            {
                final int taken = append(way, epoch, batch, rows, done, count - done);
                if (taken == 0)
                {
                    newSlot(epoch, way, false);
                }
                done += taken;
                if (closed)
                {
                    return;
                }
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    /** Says that no row of an earlier epoch follows. */
    void mark(final long epoch)
    {
        lock.lock();
        try
        {
            if (!closed && !refused)
            {
                newSlot(epoch, 0, true);
                work.signal();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Says how far the time of a way has come. */
    void time(final int way, final long timeNs)
    {
        lock.lock();
        try
        {
            times.merge(way, timeNs, Math::max);
            work.signal();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Whether the other side has had all rows. */
    boolean isDrained()
    {
        lock.lock();
        try
        {
            return Stream.concat(unacknowledged.stream(), queued.stream()).allMatch(slot -> slot.isMark);
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Ends the link and gives the rows that the other side may not have had, in order. */
    List<Slot> close()
    {
        lock.lock();
        try
        {
            closed = true;
            work.signalAll();
            Handshake.close(socket);
            final List<Slot> left = new ArrayList<>(unacknowledged);
            left.addAll(queued);
            unacknowledged.clear();
            queued.clear();
            left.removeIf(slot -> slot.isMark);
            return left;
        }
        finally
        {
            lock.unlock();
        }
    }

    private boolean isClosed()
    {
        lock.lock();
        try
        {
            return closed;
        }
        finally
        {
            lock.unlock();
        }
    }

    private void send()
    {
        int failures = 0;
        while (!isClosed())
        {
            try (Socket connected = endpoint.connect(target.host(), target.port()))
            {
                final Welcome welcome = Handshake.ask(connected, endpoint.secret(), channel.hello(target, link));
                resume(welcome, connected);
                failures = 0;
                final Thread reader = new Thread(() -> readAcks(connected), sender.getName() + "-acks");
                reader.setDaemon(true);
                reader.start();
                sendOn(connected);
            }
            catch (final Refused e)
            {
                refuse(e);
            }
            catch (final IOException | RuntimeException e)
            {
                // Whatever it was, rows wait here: only the end of the link may end its thread.
                failures++;
                if (!isClosed() && failures % RETRIES_UNLOGGED == 0)
                {
                    LOG.warn("CLU-0402 no connection to another member of a channel, its rows wait, channel={} "
                        + "member={} address={}:{} reason={}; tried on until it is given up", channel.label(),
                        target.name(), target.host(), target.port(), e.toString(), e);
                }
            }
            channel.changed();
            pause();
        }
    }

    private void pause()
    {
        lock.lock();
        try
        {
            if (!closed)
            {
                work.awaitNanos(RETRY_NS);
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            lock.unlock();
        }
    }

    private void refuse(final Refused refusal)
    {
        if (!refusal.isFinal())
        {
            LOG.debug("not taken yet, channel={} member={}", channel.label(), target.name(), refusal);
            return;
        }
        final int rows;
        lock.lock();
        try
        {
            refused = true;
            rows = close().stream().mapToInt(slot -> slot.batch.size()).sum();
        }
        finally
        {
            lock.unlock();
        }
        LOG.error("CLU-0403 another member refuses the link, channel={} member={} reason={}; rows of its partitions "
            + "are rejected", channel.label(), target.name(), refusal.getMessage());
        channel.reject(rows, "partition-refused", "CLU-0403 the member that owns these rows refuses them, member=" +
            target.name() + " reason=" + refusal.getMessage());
    }

    /** What the other side has had is done; what it will not take any more goes back; the rest is sent anew. */
    private void resume(final Welcome welcome, final Socket connected)
    {
        final List<Slot> back = new ArrayList<>();
        lock.lock();
        try
        {
            acknowledge(welcome.lastSequence());
            while (!unacknowledged.isEmpty())
            {
                final Slot slot = unacknowledged.pollLast();
                rowsSentAgain += slot.batch.size();
                queued.addFirst(slot);
            }
            queued.removeIf(slot -> !slot.isMark && slot.epoch < welcome.floor() && back.add(slot));
            socket = connected;
            if (closed)
            {
                Handshake.close(connected);
            }
            // Under the lock: whoever sees the link drained must find them there.
            channel.takeBack(back);
        }
        finally
        {
            lock.unlock();
        }
    }

    private void sendOn(final Socket connected) throws IOException
    {
        final SlotWriter writer = new SlotWriter(connected.getOutputStream(), channel.terms().schema(), timed);
        final List<Slot> taken = new ArrayList<>();
        final Map<Integer, Long> passed = new HashMap<>();
        while (take(taken, passed))
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

    /** Waits for something to send. A slot that was taken gets no more rows. */
    private boolean take(final List<Slot> taken, final Map<Integer, Long> passed)
    {
        taken.clear();
        passed.clear();
        lock.lock();
        try
        {
            while (queued.isEmpty() && times.isEmpty() && !closed && !socket.isClosed())
            {
                work.await();
            }
            while (!queued.isEmpty() && taken.size() < MAX_SLOTS)
            {
                final Slot slot = queued.poll();
                if (slot.sequence == 0)
                {
                    slot.sequence = ++lastSequence;
                    rowsSent += slot.batch.size();
                }
                unacknowledged.add(slot);
                taken.add(slot);
            }
            if (queued.isEmpty())
            {
                passed.putAll(times);
                times.clear();
            }
            return !closed && !socket.isClosed();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return false;
        }
        finally
        {
            lock.unlock();
        }
    }

    private void readAcks(final Socket connected)
    {
        try
        {
            final DataInputStream in = new DataInputStream(connected.getInputStream());
            while (true)
            {
                final long sequence = in.readLong();
                lock.lock();
                try
                {
                    acknowledge(sequence);
                }
                finally
                {
                    lock.unlock();
                }
            }
        }
        catch (final IOException e)
        {
            LOG.debug("a link has ended, channel={} member={}", channel.label(), target.name(), e);
            Handshake.close(connected);
            lock.lock();
            try
            {
                work.signalAll();
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    private void acknowledge(final long sequence)
    {
        while (!unacknowledged.isEmpty() && unacknowledged.peek().sequence <= sequence)
        {
            spare.add(unacknowledged.poll());
        }
        while (spare.size() > MAX_SLOTS)
        {
            spare.poll();
        }
        if (wasFull || unacknowledged.isEmpty() && queued.isEmpty())
        {
            wasFull = false;
            channel.changed();
        }
    }

    /** Rows sent, and of these those that were sent more than once because a connection broke. */
    long[] rows()
    {
        lock.lock();
        try
        {
            return new long[] {rowsSent, rowsSentAgain};
        }
        finally
        {
            lock.unlock();
        }
    }
}
