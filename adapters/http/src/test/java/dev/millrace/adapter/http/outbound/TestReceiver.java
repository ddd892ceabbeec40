package dev.millrace.adapter.http.outbound;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** A real HTTP server that records requests, and responds with the status that a function determines. */
final class TestReceiver extends Handler.Abstract implements AutoCloseable
{
    /** A request as received. */
    record Received(String method, String type, String key, String authorization, String body)
    {
    }

    final List<Received> requests = new ArrayList<>();
    volatile ToIntFunction<Received> status = received -> 200;
    volatile String answer = "";
    private final Server server = new Server();
    private final ServerConnector connector;
    private final String scheme;

    TestReceiver(final int port) throws Exception
    {
        this(port, null);
    }

    /** @param tls {@code null} for none */
    TestReceiver(final int port, final SSLContext tls) throws Exception
    {
        scheme = tls == null ? "http" : "https";
        if (tls == null)
        {
            connector = new ServerConnector(server, 1, 1);
        }
        else
        {
            final SslContextFactory.Server factory = new SslContextFactory.Server();
            factory.setSslContext(tls);
            connector = new ServerConnector(server, 1, 1,
                new SslConnectionFactory(factory, "http/1.1"), new HttpConnectionFactory());
        }
        connector.setHost("127.0.0.1");
        connector.setPort(port);
        server.addConnector(connector);
        server.setHandler(this);
        server.start();
    }

    int port()
    {
        return connector.getLocalPort();
    }

    String url()
    {
        return scheme + "://127.0.0.1:" + port() + "/in";
    }

    synchronized List<Received> requests()
    {
        return new ArrayList<>(requests);
    }

    @Override
    public boolean handle(final Request request, final Response response, final Callback callback) throws Exception
    {
        final Received received = new Received(request.getMethod(), request.getHeaders().get(HttpHeader.CONTENT_TYPE),
            request.getHeaders().get("Idempotency-Key"), request.getHeaders().get(HttpHeader.AUTHORIZATION),
            Content.Source.asString(request, StandardCharsets.UTF_8));
        synchronized (this)
        {
            requests.add(received);
        }
        final int code = status.applyAsInt(received);
        if (code == 0)
        {
            // No response at all.
            request.getConnectionMetaData().getConnection().getEndPoint().close();
            callback.failed(new IllegalStateException("closed by the test"));
            return true;
        }
        response.setStatus(code);
        Content.Sink.write(response, true, answer, callback);
        return true;
    }

    @Override
    public void close() throws IllegalStateException
    {
        try
        {
            server.stop();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException(e);
        }
    }
}
