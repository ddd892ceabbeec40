package dev.millrace.adapter.http.pubsub;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.cometd.bayeux.Channel;
import org.cometd.bayeux.Message;
import org.cometd.bayeux.Promise;
import org.cometd.bayeux.client.ClientSessionChannel;
import org.cometd.client.BayeuxClient;
import org.cometd.client.http.jetty.JettyHttpClientTransport;
import org.cometd.client.transport.ClientTransport;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The connection of a stage to a Bayeux server, which CometD's client keeps up: it connects again with growing delay.
 * Opened, checked and closed by one thread at a time; listeners are called by threads of the client.
 */
final class RemoteServer implements AutoCloseable
{
    /** The server has not responded yet, which is no trouble for some time after the start. */
    static final String PENDING = "the server has not responded yet";

    /** The client describes its connections in messages of failures. */
    private static final int MAX_REASON_CHARS = 120;
    private static final int MAX_THREADS = 8;
    private static final int MIN_THREADS = 2;
    private static final int FIRST_DELAY_MS = 100;

    private final ConnectionSettings settings;
    private final Runnable connected;
    private final HttpClient http = new HttpClient();
    private final BayeuxClient client;
    /** {@code null} while the server responds. */
    private volatile String trouble = PENDING;

    /** @param connected is called after each handshake, when subscriptions have to be made */
    RemoteServer(final ConnectionSettings settings, final Runnable connected)
    {
        this.settings = settings;
        this.connected = connected;
        final QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
        threads.setName(settings.stageName() + "/bayeux");
        threads.setDaemon(true);
        threads.setReservedThreads(0);
        http.setExecutor(threads);
        http.setConnectTimeout(settings.timeoutMillis());
        http.setUserAgentField(null);
        final Map<String, Object> options = new HashMap<>();
        options.put(ClientTransport.MAX_NETWORK_DELAY_OPTION, settings.timeoutMillis());
        options.put(BayeuxClient.BACKOFF_INCREMENT_OPTION, FIRST_DELAY_MS);
        options.put(BayeuxClient.MAX_BACKOFF_OPTION, settings.maxRetryMillis());
        client = new BayeuxClient(settings.serverUrl().toString(), new AuthorizedTransport(options));
        client.setOption(BayeuxClient.BACKOFF_INCREMENT_OPTION, FIRST_DELAY_MS);
        client.setOption(BayeuxClient.MAX_BACKOFF_OPTION, settings.maxRetryMillis());
        client.getChannel(Channel.META_HANDSHAKE).addListener((ClientSessionChannel.MessageListener)this::onReply);
        client.getChannel(Channel.META_CONNECT).addListener((ClientSessionChannel.MessageListener)this::onReply);
    }

    /** Long-polling with the credentials of the stage. */
    private final class AuthorizedTransport extends JettyHttpClientTransport
    {
        AuthorizedTransport(final Map<String, Object> options)
        {
            super(options, http);
        }

        @Override
        protected void customize(final Request request, final Promise<Request> promise)
        {
            if (settings.authorization() != null)
            {
                request.headers(headers -> headers.put(HttpHeader.AUTHORIZATION, settings.authorization()));
            }
            super.customize(request, promise);
        }
    }

    private void onReply(final ClientSessionChannel channel, final Message message)
    {
        if (!message.isSuccessful())
        {
            trouble = reason(message);
            return;
        }
        trouble = null;
        if (channel.getId().equals(Channel.META_HANDSHAKE))
        {
            connected.run();
        }
    }

    /** Why a message was not successful. */
    static String reason(final Message message)
    {
        final Object error = message.get(Message.ERROR_FIELD);
        if (error != null)
        {
            return String.valueOf(error);
        }
        final Object failure = message.get("failure");
        final String text = failure instanceof final Map<?, ?> details ?
            String.valueOf(details.containsKey("exception") ? details.get("exception") : details) :
            "the request failed";
        return text.length() <= MAX_REASON_CHARS ? text : text.substring(0, MAX_REASON_CHARS);
    }

    /** Whether a message failed before the server responded to it. */
    static boolean isFailure(final Message message)
    {
        return message.containsKey("failure");
    }

    /** Begins to connect. */
    void open() throws IOException
    {
        try
        {
            http.start();
        }
        catch (final Exception e)
        {
            throw new IOException("the HTTP client does not start", e);
        }
        client.handshake();
    }

    BayeuxClient client()
    {
        return client;
    }

    /** Why the server does not respond; {@code null} if it does. Begins again if the server has ended the session. */
    String check()
    {
        if (client.isDisconnected())
        {
            final String reason = trouble == null ? "the server has ended the session" : trouble;
            client.handshake();
            return reason;
        }
        return trouble;
    }

    @Override
    public void close()
    {
        client.disconnect(settings.timeoutMillis());
        try
        {
            http.stop();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("the HTTP client does not stop", e);
        }
    }
}
