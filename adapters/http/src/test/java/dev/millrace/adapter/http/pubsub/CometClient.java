package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.cometd.bayeux.Message;
import org.cometd.client.BayeuxClient;
import org.cometd.client.http.jetty.JettyHttpClientTransport;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** CometD's Java client over long-polling. */
final class CometClient implements Closeable
{
    final BayeuxClient bayeux;
    private final HttpClient http;
    private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();

    /** @param authorization {@code null} for none */
    CometClient(final URI uri, final String authorization) throws Exception
    {
        this(uri, authorization, null);
    }

    /** @param tls {@code null} for the standard one */
    CometClient(final URI uri, final String authorization, final SSLContext tls) throws Exception
    {
        final SslContextFactory.Client ssl = new SslContextFactory.Client();
        if (tls != null)
        {
            ssl.setSslContext(tls);
        }
        final ClientConnector connector = new ClientConnector();
        connector.setSslContextFactory(ssl);
        http = new HttpClient(new HttpClientTransportOverHTTP(connector));
        http.start();
        bayeux = new BayeuxClient(uri.toString(), new JettyHttpClientTransport(new HashMap<>(), http)
        {
            @Override
            protected void customize(final Request request, final org.cometd.bayeux.Promise<Request> promise)
            {
                if (authorization != null)
                {
                    request.headers(headers -> headers.put(HttpHeader.AUTHORIZATION, authorization));
                }
                super.customize(request, promise);
            }
        });
    }

    CometClient(final URI uri) throws Exception
    {
        this(uri, null);
    }

    CometClient connect()
    {
        bayeux.handshake();
        assertThat(bayeux.waitFor(60_000, BayeuxClient.State.CONNECTED)).isTrue();
        return this;
    }

    Message subscribe(final String channel) throws Exception
    {
        final CompletableFuture<Message> reply = new CompletableFuture<>();
        bayeux.getChannel(channel).subscribe((from, message) ->
        {
            // Patterns cover channels of the protocol as well.
            if (message.getData() != null)
            {
                messages.add(message);
            }
        }, reply::complete);
        return reply.get(60, TimeUnit.SECONDS);
    }

    Message publish(final String channel, final Object data) throws Exception
    {
        final CompletableFuture<Message> reply = new CompletableFuture<>();
        bayeux.getChannel(channel).publish(data, reply::complete);
        return reply.get(60, TimeUnit.SECONDS);
    }

    @SuppressWarnings("unchecked")
    Map<String, Object> next() throws InterruptedException
    {
        final Message message = messages.poll(60, TimeUnit.SECONDS);
        assertThat(message).isNotNull();
        return (Map<String, Object>)message.getData();
    }

    @Override
    public void close()
    {
        bayeux.disconnect(5_000);
        try
        {
            http.stop();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException(e);
        }
    }
}
