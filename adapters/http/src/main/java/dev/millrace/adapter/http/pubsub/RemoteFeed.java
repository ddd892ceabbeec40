package dev.millrace.adapter.http.pubsub;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.cometd.bayeux.Message;
import org.cometd.bayeux.client.ClientSessionChannel;
import org.cometd.common.JettyJSONContextClient;

/**
 * The messages of a channel of a remote server. While the queue is full, the client's thread waits and does not poll,
 * so that messages wait at the server.
 */
final class RemoteFeed implements MessageFeed
{
    private final ConnectionSettings settings;
    private final ReceivedQueue queue;
    private final SourceCounters counters;
    private final RemoteServer server;
    private final JettyJSONContextClient json = new JettyJSONContextClient();
    private final ClientSessionChannel.MessageListener listener = this::onMessage;
    private volatile boolean isSubscribed;
    /** Why the server has refused the last subscription; {@code null} if it has not. */
    private volatile String refusal;

    RemoteFeed(final ConnectionSettings settings, final ReceivedQueue queue, final SourceCounters counters)
    {
        this.settings = settings;
        this.queue = queue;
        this.counters = counters;
        server = new RemoteServer(settings, this::subscribe);
    }

    @Override
    public void open() throws IOException
    {
        server.open();
    }

    private void subscribe()
    {
        isSubscribed = false;
        refusal = null;
        server.client().getChannel(settings.channel()).subscribe(listener, reply ->
        {
            isSubscribed = reply.isSuccessful();
            if (isSubscribed)
            {
                counters.subscribed();
            }
            else
            {
                refusal = "the subscription is refused: " + RemoteServer.reason(reply);
            }
        });
    }

    private void onMessage(final ClientSessionChannel channel, final Message message)
    {
        // A pattern covers channels of the protocol as well.
        if (message.isMeta() || message.getData() == null)
        {
            return;
        }
        counters.message();
        try
        {
            if (!queue.put(json.getGenerator().generate(message.getData()).getBytes(StandardCharsets.UTF_8)))
            {
                counters.lost();
            }
        }
        catch (final InterruptedException e)
        {
            counters.lost();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String check()
    {
        final String trouble = server.check();
        final String refused = refusal;
        if (trouble != null || refused == null)
        {
            return trouble != null ? trouble : isSubscribed ? null : RemoteServer.PENDING;
        }
        // The channel may exist, or be permitted, later.
        server.client().getChannel(settings.channel()).unsubscribe();
        subscribe();
        return refused;
    }

    @Override
    public void close()
    {
        server.close();
    }
}
