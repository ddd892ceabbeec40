package dev.millrace.adapter.http.pubsub;

import java.util.List;
import java.util.Map;

/** Publishes to a channel of this instance, without waiting for its subscribers. Thread-safe. */
final class LocalPublisher implements MessagePublisher
{
    private final ChannelServerPool.Use use;
    private final String channel;

    LocalPublisher(final ChannelServerPool.Use use, final String channel)
    {
        this.use = use;
        this.channel = channel;
    }

    @Override
    public void publish(final List<String> messages)
    {
        use.hub().publish(channel, messages);
    }

    /** The port of the server, in the order of its description. */
    int port(final int index)
    {
        return use.port(index);
    }

    @Override
    public Map<String, Object> statistics()
    {
        return use.hub().statistics();
    }

    @Override
    public void close()
    {
        use.close();
    }
}
