package dev.millrace.adapter.http.channel;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A channel with its plain subscribers and its last messages, which a client can request after it has reconnected.
 * Thread-safe: messages reach all subscribers in the order of their numbers.
 */
final class ChannelLog
{
    private final String name;
    private final int retainedBytes;
    /** Distinguishes numbers of this log from those of an earlier one of the same name. */
    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final Deque<ChannelMessage> retained = new ArrayDeque<>();
    private final Set<QueuedSubscriber> subscribers = new LinkedHashSet<>();
    private long bytes;
    private long lastNumber;
    /** Number of stages that use the channel; guarded by the hub. */
    int stages;

    ChannelLog(final String name, final int retainedBytes)
    {
        this.name = name;
        this.retainedBytes = retainedBytes;
    }

    /** Numbers messages and adds them to the queues of the subscribers. */
    void publish(final Collection<String> values)
    {
        final List<QueuedSubscriber> receivers;
        synchronized (this)
        {
            for (final String value : values)
            {
                final ChannelMessage message = new ChannelMessage(name, ++lastNumber, value);
                retain(message);
                subscribers.forEach(subscriber -> subscriber.add(message));
            }
            receivers = List.copyOf(subscribers);
        }
        receivers.forEach(QueuedSubscriber::flush);
    }

    private void retain(final ChannelMessage message)
    {
        retained.addLast(message);
        bytes += message.sizeBytes();
        while (bytes > retainedBytes)
        {
            bytes -= retained.removeFirst().sizeBytes();
        }
    }

    /**
     * Adds a subscriber, which first receives the messages after the one that it has received last.
     *
     * @param lastId id of that message; {@code null} for messages from now on
     */
    void subscribe(final QueuedSubscriber subscriber, final String lastId)
    {
        synchronized (this)
        {
            subscriber.channel(id);
            if (lastId != null)
            {
                replay(subscriber, lastId);
            }
            subscribers.add(subscriber);
        }
        subscriber.flush();
    }

    private void replay(final QueuedSubscriber subscriber, final String lastId)
    {
        final long last = MessageId.number(lastId, id);
        final long oldest = retained.isEmpty() ? lastNumber + 1 : retained.getFirst().number();
        if (last < 0 || last > lastNumber)
        {
            subscriber.gap(-1);
            return;
        }
        if (last + 1 < oldest)
        {
            subscriber.gap(oldest - last - 1);
        }
        retained.stream().filter(message -> message.number() > last).forEach(subscriber::replay);
    }

    synchronized void unsubscribe(final QueuedSubscriber subscriber)
    {
        subscribers.remove(subscriber);
    }

    synchronized boolean hasSubscribers()
    {
        return !subscribers.isEmpty();
    }
}
