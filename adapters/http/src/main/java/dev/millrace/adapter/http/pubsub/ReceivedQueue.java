package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.source.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Messages between the threads that receive them and the thread of the source, with a limit in bytes. Thread-safe. */
final class ReceivedQueue
{
    private static final long NANOS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final long maxBytes;
    private final Deque<byte[]> messages = new ArrayDeque<>();
    private long bytes;
    private boolean isOpen = true;

    ReceivedQueue(final long maxBytes)
    {
        this.maxBytes = maxBytes;
    }

    /** Adds a message unless the queue is full; returns whether it was added. */
    synchronized boolean offer(final byte[] message)
    {
        if (!isOpen || bytes > 0 && bytes + message.length > maxBytes)
        {
            return false;
        }
        messages.addLast(message);
        bytes += message.length;
        notifyAll();
        return true;
    }

    /** Adds a message; waits while the queue is full. Returns false if it was closed. */
    synchronized boolean put(final byte[] message) throws InterruptedException
    {
        while (isOpen && bytes > 0 && bytes + message.length > maxBytes)
        {
            wait();
        }
        return offer(message);
    }

    /** Takes a message; {@code null} if none arrives in time. */
    synchronized byte[] poll(final long millis) throws InterruptedException
    {
        final Deadline deadline = Deadline.afterMillis(millis);
        while (messages.isEmpty())
        {
            if (deadline.hasPassed())
            {
                return null;
            }
            wait(Math.max(0, deadline.remainingNs()) / NANOS_PER_MS + 1);
        }
        final byte[] message = messages.removeFirst();
        bytes -= message.length;
        notifyAll();
        return message;
    }

    /** Opens or closes the queue; messages that wait remain in it. */
    synchronized void open(final boolean open)
    {
        isOpen = open;
        notifyAll();
    }

    synchronized int size()
    {
        return messages.size();
    }
}
