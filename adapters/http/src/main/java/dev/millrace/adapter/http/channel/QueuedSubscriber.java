package dev.millrace.adapter.http.channel;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.api.http.ChannelLimits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A client that receives messages as fast as it reads, from a queue with a limit in bytes. When the queue is full, the
 * client is disconnected or loses its oldest messages. Thread-safe; subclasses write one group of messages at a time.
 */
public abstract class QueuedSubscriber
{
    /** Size of a group of messages that is written at once. */
    private static final int GROUP_BYTES = 32 << 10;

    private final ChannelLimits limits;
    private final Executor executor;
    private final ChannelCounters counters;
    private final Deque<ChannelMessage> queue = new ArrayDeque<>();
    private long bytes;
    private boolean isWriting;
    private boolean isEnded;
    /** Whether the client will be disconnected as soon as possible. */
    private boolean isSlow;
    /** Until which the client must have read what is being written. */
    private Deadline writeDeadline;
    private volatile String log = "";

    /** @param executor on which groups are written */
    protected QueuedSubscriber(final ChannelLimits limits, final Executor executor, final ChannelCounters counters)
    {
        this.limits = limits;
        this.executor = executor;
        this.counters = counters;
    }

    /**
     * Writes messages without blocking.
     *
     * @param done is called once when they are written
     */
    protected abstract void write(List<ChannelMessage> messages, WriteResult done);

    /** Writes a sign of life; called only while no messages are written. */
    protected abstract void writeHeartbeat(WriteResult done);

    /** Tells the client that messages before the next one are missing; -1 for an unknown number. */
    protected abstract void gap(long missing);

    /** Closes the connection; called once. */
    protected abstract void disconnect(String reason);

    /** Receives the result of writing. */
    public interface WriteResult
    {
        /** The bytes were passed to the operating system. */
        void written();

        /** The connection is broken. */
        void failed(Throwable cause);
    }

    /** The id of the log of its channel. */
    protected final String log()
    {
        return log;
    }

    final void channel(final String id)
    {
        log = id;
    }

    /** Adds a message to the queue; {@link #flush} writes it. */
    final void add(final ChannelMessage message)
    {
        synchronized (this)
        {
            if (isEnded)
            {
                return;
            }
            if (isSlow)
            {
                counters.lost(1);
                return;
            }
            if (bytes + message.sizeBytes() <= limits.queueBytes())
            {
                enqueue(message);
                return;
            }
            if (!limits.isSlowDisconnected())
            {
                counters.lost(makeRoom(message));
                return;
            }
            isSlow = true;
            counters.slowClient();
            counters.lost(queue.size() + 1);
            queue.clear();
            bytes = 0;
        }
        executor.execute(() -> end("too slow: the queue of " + limits.queueBytes() + " bytes is full"));
    }

    private void enqueue(final ChannelMessage message)
    {
        queue.addLast(message);
        bytes += message.sizeBytes();
    }

    /** Removes the oldest messages until the new one fits, and adds it; returns how many were lost. */
    private int makeRoom(final ChannelMessage message)
    {
        int lost = 0;
        while (!queue.isEmpty() && bytes + message.sizeBytes() > limits.queueBytes())
        {
            bytes -= queue.removeFirst().sizeBytes();
            lost++;
        }
        if (message.sizeBytes() > limits.queueBytes())
        {
            return lost + 1;
        }
        enqueue(message);
        return lost;
    }

    /** Adds a retained message, of which there are at most as many bytes as the channel retains. */
    final synchronized void replay(final ChannelMessage message)
    {
        enqueue(message);
        counters.replayed();
    }

    /** Starts to write the queue unless that is in progress. */
    final void flush()
    {
        synchronized (this)
        {
            if (isWriting || isEnded || queue.isEmpty())
            {
                return;
            }
            begin();
        }
        executor.execute(this::writeNext);
    }

    /** Lets messages wait in the queue until {@link #headWritten} is called. */
    protected final synchronized void writeHead()
    {
        begin();
    }

    /** Continues with the messages that wait. */
    protected final void headWritten()
    {
        executor.execute(this::writeNext);
    }

    private void begin()
    {
        isWriting = true;
        writeDeadline = Deadline.afterMillis(limits.clientTimeoutMillis());
    }

    private void writeNext()
    {
        final List<ChannelMessage> group = new ArrayList<>();
        synchronized (this)
        {
            int size = 0;
            while (!queue.isEmpty() && (size == 0 || size + queue.getFirst().sizeBytes() <= GROUP_BYTES))
            {
                final ChannelMessage message = queue.removeFirst();
                size += message.sizeBytes();
                group.add(message);
            }
            bytes -= size;
            if (group.isEmpty() || isEnded)
            {
                isWriting = false;
                return;
            }
            writeDeadline = Deadline.afterMillis(limits.clientTimeoutMillis());
        }
        write(group, new WriteResult()
        {
            @Override
            public void written()
            {
                counters.delivered(group.size());
                executor.execute(QueuedSubscriber.this::writeNext);
            }

            @Override
            public void failed(final Throwable cause)
            {
                counters.lost(group.size());
                end("connection broken: " + cause);
            }
        });
    }

    /** Sends a heartbeat if nothing is being written; ends a client that has not read for too long. */
    final void check()
    {
        synchronized (this)
        {
            if (isEnded)
            {
                return;
            }
            if (!isWriting)
            {
                begin();
            }
            else if (writeDeadline.hasPassed())
            {
                counters.slowClient();
                executor.execute(() -> end("too slow: nothing was read for " + limits.clientTimeoutMillis() + " ms"));
                return;
            }
            else
            {
                return;
            }
        }
        writeHeartbeat(new WriteResult()
        {
            @Override
            public void written()
            {
                executor.execute(QueuedSubscriber.this::writeNext);
            }

            @Override
            public void failed(final Throwable cause)
            {
                end("connection broken: " + cause);
            }
        });
    }

    /** Ends the subscription and closes the connection; the first call counts. */
    public final void end(final String reason)
    {
        synchronized (this)
        {
            if (isEnded)
            {
                return;
            }
            isEnded = true;
            queue.clear();
            bytes = 0;
        }
        ended();
        disconnect(reason);
    }

    /** Unsubscribes; called once, before the connection is closed. */
    protected abstract void ended();

    final synchronized boolean isEnded()
    {
        return isEnded;
    }

    /** Bytes that wait for the client. */
    final synchronized long queuedBytes()
    {
        return bytes;
    }
}
