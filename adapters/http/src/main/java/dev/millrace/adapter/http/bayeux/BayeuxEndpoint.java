package dev.millrace.adapter.http.bayeux;

import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.channel.ChannelPolicy;
import dev.millrace.adapter.http.channel.JsonValues;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.JsonResponse;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.ChannelTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.cometd.bayeux.Promise;
import org.cometd.bayeux.server.BayeuxServer;
import org.cometd.bayeux.server.ServerChannel;
import org.cometd.bayeux.server.ServerMessage;
import org.cometd.bayeux.server.ServerSession;
import org.cometd.bayeux.server.ServerTransport;
import org.cometd.server.AbstractServerTransport;
import org.cometd.server.BayeuxServerImpl;
import org.cometd.server.HttpException;
import org.cometd.server.http.AbstractHttpTransport;
import org.cometd.server.http.JSONHttpTransport;
import org.cometd.server.http.JSONPHttpTransport;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ajax.JSON;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/**
 * Serves Bayeux clients of a server of channels: passes what they publish to the hub, and messages of the hub to those
 * that have subscribed. Opened and closed by one thread; requests come from threads of the HTTP server.
 */
public final class BayeuxEndpoint implements ChannelHub.Listener, BayeuxServer.SessionListener,
    ServerChannel.MessageListener, AutoCloseable
{
    private static final String EVERY_CHANNEL = "/**";
    private static final int FIRST_SERVER_ERROR = 500;
    private static final String ADMITTED = "admitted";

    private final ChannelServer description;
    private final ChannelHub hub;
    private final ServerPool.Registration http;
    private final ServerWebSocketContainer webSockets;
    private final BayeuxServerImpl server = new BayeuxServerImpl();
    private final WebSocketTransport webSocketTransport = new WebSocketTransport(server);
    private final Set<ServerSession> sessions = ConcurrentHashMap.newKeySet();

    /** @param http the HTTP server that receives the requests */
    public BayeuxEndpoint(final ChannelServer description, final ChannelHub hub, final ChannelPolicy policy,
        final ServerPool.Registration http)
    {
        this.description = description;
        this.hub = hub;
        this.http = http;
        webSockets = http.webSockets();
        server.setExecutor(http.executor());
        server.setScheduler(http.scheduler());
        server.setOption(AbstractServerTransport.TIMEOUT_OPTION, description.limits().pollMillis());
        server.setOption(AbstractServerTransport.MAX_INTERVAL_OPTION, description.limits().clientTimeoutMillis());
        server.setOption(AbstractServerTransport.MAX_MESSAGE_SIZE_OPTION, description.limits().messageBytes());
        // The listener of a queue is called whenever it is not empty, and applies the limit in bytes.
        server.setOption(AbstractServerTransport.MAX_QUEUE_OPTION, 1);
        server.setTransports(transports());
        server.setSecurityPolicy(
            new ChannelSecurity(hub, policy, description.access().isPublishWithoutConnectAllowed()));
        server.addListener(this);
    }

    private List<ServerTransport> transports()
    {
        final List<ServerTransport> transports = new ArrayList<>();
        if (description.transports().contains(ChannelTransport.WEBSOCKET))
        {
            transports.add(webSocketTransport);
        }
        if (description.transports().contains(ChannelTransport.LONG_POLLING))
        {
            transports.add(new JSONHttpTransport(server));
        }
        if (description.transports().contains(ChannelTransport.CALLBACK_POLLING))
        {
            transports.add(new JSONPHttpTransport(server));
        }
        return transports;
    }

    /** Begins to accept clients. */
    public void open()
    {
        if (server.getTransports().isEmpty())
        {
            return;
        }
        try
        {
            server.start();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("the Bayeux server does not start", e);
        }
        server.createChannelIfAbsent(EVERY_CHANNEL, channel -> channel.setPersistent(true)).getReference()
            .addListener(this);
        hub.add(this);
    }

    /**
     * Serves a request.
     *
     * @param role of the client
     * @throws RefusedRequest if it is refused
     */
    public void handle(final String role, final Request request, final Response response, final Callback callback)
        throws RefusedRequest
    {
        final RequestContext context = RequestContext.of(request, role);
        if (isWebSocket(request))
        {
            upgrade(context, request, response, callback);
            return;
        }
        if (request.getLength() > description.limits().messageBytes())
        {
            hub.counters().rejected("/meta", "too-large", "bytes=" + request.getLength());
            throw new RefusedRequest(RefusedRequest.TOO_LARGE, HttpErrorCode.TOO_LARGE, "the messages are too large",
                "send fewer messages in a request, or increase max-message-bytes in config.xml");
        }
        final BayeuxRequest bayeuxRequest = new BayeuxRequest(request);
        final AbstractHttpTransport transport = AbstractHttpTransport.find(server, bayeuxRequest);
        if (transport == null)
        {
            throw new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.NO_TRANSPORT,
                "the request is not one of the transports of the server", "post JSON, or list the transport in " +
                "supported-transport in config.xml");
        }
        // Requests of this protocol wait for messages.
        request.addIdleTimeoutListener(silence -> false);
        transport.handle(context, bayeuxRequest, new BayeuxResponse(response),
            Promise.from(nothing -> callback.succeeded(), failure -> fail(failure, response, callback)));
    }

    private static boolean isWebSocket(final Request request)
    {
        return "websocket".equalsIgnoreCase(request.getHeaders().get("Upgrade"));
    }

    private void upgrade(final RequestContext context, final Request request, final Response response,
        final Callback callback) throws RefusedRequest
    {
        if (!description.transports().contains(ChannelTransport.WEBSOCKET) ||
            !webSockets.upgrade((upgrade, answer, failed) -> new WebSocketClient(webSocketTransport, context,
            description.limits().messageBytes(), idleTimeout()), request, response, callback))
        {
            throw new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.NO_TRANSPORT,
                "the request does not upgrade to WebSocket", "list websocket in supported-transport in config.xml");
        }
    }

    private Duration idleTimeout()
    {
        return Duration.ofMillis(description.limits().pollMillis() + (long)description.limits().clientTimeoutMillis());
    }

    private void fail(final Throwable failure, final Response response, final Callback callback)
    {
        if (response.isCommitted())
        {
            callback.failed(failure);
            return;
        }
        final int status = failure instanceof final HttpException http && http.getCode() < FIRST_SERVER_ERROR ?
            http.getCode() : RefusedRequest.BAD_REQUEST;
        hub.counters().rejected("/meta", "bad-request", String.valueOf(failure));
        JsonResponse.refuse(response, callback, new RefusedRequest(status, HttpErrorCode.BAD_MESSAGE,
            "the request contains no messages of the Bayeux protocol", "send a JSON array of messages of at most " +
            "max-message-bytes"));
    }

    @Override
    public void sessionAdded(final ServerSession session, final ServerMessage message)
    {
        if (session.isLocalSession())
        {
            return;
        }
        if (hub.admit())
        {
            session.setAttribute(ADMITTED, true);
            sessions.add(session);
            session.addListener(new QueueLimit(description.limits(), hub.counters(), http.executor()));
        }
        else
        {
            http.executor().execute(session::disconnect);
        }
    }

    @Override
    public void sessionRemoved(final ServerSession session, final ServerMessage message, final boolean isTimeout)
    {
        if (session.removeAttribute(ADMITTED) != null)
        {
            sessions.remove(session);
            hub.left();
        }
    }

    /** Passes what a client publishes to the hub; Bayeux clients receive it from CometD. */
    @Override
    public boolean onMessage(final ServerSession from, final ServerChannel channel,
        final ServerMessage.Mutable message)
    {
        if (from == null || !channel.isBroadcast())
        {
            return true;
        }
        final String data = server.getJSONContext().getGenerator().generate(message.getData());
        try
        {
            hub.publish(message.getChannel(), JsonValues.objects(data), this);
            return true;
        }
        catch (final IllegalArgumentException e)
        {
            hub.counters().rejected(message.getChannel(), "broken-json", e.getMessage());
            return false;
        }
    }

    @Override
    public void published(final String channel, final List<String> values)
    {
        if (sessions.isEmpty())
        {
            return;
        }
        final ServerChannel target = server.createChannelIfAbsent(channel).getReference();
        // Each client is woken up once for all messages.
        final List<ServerSession> receivers = List.copyOf(sessions);
        receivers.forEach(ServerSession::startBatch);
        try
        {
            values.forEach(value -> target.publish(null, new JSON.Literal(value), Promise.noop()));
        }
        finally
        {
            receivers.forEach(ServerSession::endBatch);
        }
    }

    @Override
    public void close()
    {
        hub.remove(this);
        sessions.forEach(ServerSession::disconnect);
        try
        {
            server.stop();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("the Bayeux server does not stop", e);
        }
    }
}
