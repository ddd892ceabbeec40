package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.api.http.ChannelNames;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The messages of a channel of this instance. The publisher does not wait: messages are lost if the queue is full. */
final class LocalFeed implements MessageFeed, ChannelHub.Listener
{
    private final ChannelHub hub;
    private final String channel;
    private final ReceivedQueue queue;
    private final SourceCounters counters;

    LocalFeed(final ChannelHub hub, final String channel, final ReceivedQueue queue, final SourceCounters counters)
    {
        this.hub = hub;
        this.channel = channel;
        this.queue = queue;
        this.counters = counters;
    }

    @Override
    public void open()
    {
        counters.subscribed();
        hub.add(this);
    }

    @Override
    public void published(final String to, final List<String> values)
    {
        if (!ChannelNames.covers(channel, to))
        {
            return;
        }
        for (final String value : values)
        {
            counters.message();
            if (!queue.offer(value.getBytes(StandardCharsets.UTF_8)))
            {
                counters.lost();
            }
        }
    }

    @Override
    public String check()
    {
        return null;
    }

    @Override
    public void close()
    {
        hub.remove(this);
    }
}
