package dev.millrace.adapter.http.channel;

import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.http.ChannelNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Passes messages of channels to their subscribers without waiting for any of them. A channel exists for clients if
 * the configuration declares it or a stage uses it. Thread-safe.
 */
public final class ChannelHub
{
    /** Receives the messages of all channels. */
    @FunctionalInterface
    public interface Listener
    {
        /** Called by the thread that publishes; must not block. */
        void published(String channel, List<String> values);
    }

    private final ChannelLimits limits;
    private final List<String> declared;
    private final ChannelCounters counters = new ChannelCounters();
    /** Channels with subscribers or stages; guarded by this for changes. */
    private final Map<String, ChannelLog> logs = new ConcurrentHashMap<>();
    /** Patterns that stages use; guarded by this. */
    private final List<String> usedPatterns = new ArrayList<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final Set<QueuedSubscriber> clients = ConcurrentHashMap.newKeySet();
    private int clientCount;

    /** @param declared names and patterns that exist although no stage uses them */
    public ChannelHub(final ChannelLimits limits, final List<String> declared)
    {
        this.limits = limits;
        this.declared = List.copyOf(declared);
    }

    /** The figures of the hub. */
    public ChannelCounters counters()
    {
        return counters;
    }

    /** The limits of clients. */
    public ChannelLimits limits()
    {
        return limits;
    }

    /** Adds a listener, which receives the messages of all channels. */
    public void add(final Listener listener)
    {
        listeners.add(listener);
    }

    /** Removes a listener. */
    public void remove(final Listener listener)
    {
        listeners.remove(listener);
    }

    /** Publishes messages in order to all subscribers. */
    public void publish(final String channel, final List<String> values)
    {
        publish(channel, values, null);
    }

    /**
     * Publishes messages in order to all subscribers.
     *
     * @param except a listener that has them already; {@code null} for none
     */
    public void publish(final String channel, final List<String> values, final Listener except)
    {
        counters.published(values.size());
        final ChannelLog log = logs.get(channel);
        if (log != null)
        {
            log.publish(values);
        }
        for (final Listener listener : listeners)
        {
            if (listener != except)
            {
                listener.published(channel, values);
            }
        }
    }

    /** Declares that a stage uses a channel, so that it exists and retains messages. */
    public synchronized void use(final String channel)
    {
        if (ChannelNames.isWild(channel))
        {
            usedPatterns.add(channel);
        }
        else
        {
            log(channel).stages++;
        }
    }

    /** Ends the use of a channel by a stage. */
    public synchronized void release(final String channel)
    {
        if (ChannelNames.isWild(channel))
        {
            usedPatterns.remove(channel);
        }
        else
        {
            logs.get(channel).stages--;
            dropUnused(channel);
        }
    }

    private ChannelLog log(final String channel)
    {
        return logs.computeIfAbsent(channel, name -> new ChannelLog(name, limits.retainedBytes()));
    }

    private void dropUnused(final String channel)
    {
        final ChannelLog log = logs.get(channel);
        if (log != null && log.stages == 0 && !log.hasSubscribers())
        {
            logs.remove(channel);
        }
    }

    /** Whether a channel, or one that a pattern covers, exists for clients. */
    public synchronized boolean exists(final String channelOrPattern)
    {
        return Stream.concat(declared.stream(), usedPatterns.stream())
            .anyMatch(each -> ChannelNames.overlap(each, channelOrPattern)) ||
            logs.entrySet().stream().anyMatch(each -> each.getValue().stages > 0 &&
            ChannelNames.covers(channelOrPattern, each.getKey()));
    }

    /** Counts a client; returns false if there are too many. */
    public synchronized boolean admit()
    {
        if (clientCount >= limits.clients())
        {
            counters.refusedClient();
            return false;
        }
        clientCount++;
        return true;
    }

    /** Whether no client is admitted at present; counts a client that is refused for it. */
    public synchronized boolean isFull()
    {
        final boolean isFull = clientCount >= limits.clients();
        if (isFull)
        {
            counters.refusedClient();
        }
        return isFull;
    }

    /** Counts a client that has left. */
    public synchronized void left()
    {
        clientCount--;
    }

    /** Number of connected clients. */
    public synchronized int clients()
    {
        return clientCount;
    }

    /**
     * Subscribes a client.
     *
     * @param lastId id of the last message that it has received; {@code null} for none
     */
    public void subscribe(final String channel, final QueuedSubscriber client, final String lastId)
    {
        synchronized (this)
        {
            log(channel).subscribe(client, lastId);
        }
        // From now on it is counted: it receives all further messages.
        clients.add(client);
        if (client.isEnded())
        {
            unsubscribe(channel, client);
        }
    }

    /** Ends the subscription of a client. */
    public void unsubscribe(final String channel, final QueuedSubscriber client)
    {
        clients.remove(client);
        synchronized (this)
        {
            final ChannelLog log = logs.get(channel);
            if (log != null)
            {
                log.unsubscribe(client);
                dropUnused(channel);
            }
        }
    }

    /** Sends heartbeats and ends stalled clients; called periodically. */
    public void check()
    {
        clients.forEach(QueuedSubscriber::check);
    }

    /** Ends all clients. */
    public void close(final String reason)
    {
        final Collection<QueuedSubscriber> all = new ArrayList<>(clients);
        all.forEach(client -> client.end(reason));
    }

    /** The figures by name. */
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("clients", clients());
        figures.put("subscribers", clients.size());
        figures.putAll(counters.snapshot());
        figures.put("queuedBytes", clients.stream().mapToLong(QueuedSubscriber::queuedBytes).sum());
        return figures;
    }
}
