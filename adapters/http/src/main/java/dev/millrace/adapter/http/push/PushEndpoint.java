package dev.millrace.adapter.http.push;

import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.channel.ChannelPolicy;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelNames;
import dev.millrace.api.http.ChannelTransport;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/**
 * Serves the paths {@code ws/CHANNEL} for plain WebSocket and {@code sse/CHANNEL} for server-sent events. Thread-safe.
 */
public final class PushEndpoint
{
    /** The path of plain WebSocket, followed by the name of a channel. */
    public static final String WEBSOCKET = "/ws";
    /** The path of server-sent events, followed by the name of a channel. */
    public static final String EVENTS = "/sse";

    private final ChannelHub hub;
    private final ChannelPolicy policy;
    private final Set<ChannelTransport> transports;
    private final ServerWebSocketContainer webSockets;

    public PushEndpoint(final ChannelHub hub, final ChannelPolicy policy, final Set<ChannelTransport> transports,
        final ServerWebSocketContainer webSockets)
    {
        this.hub = hub;
        this.policy = policy;
        this.transports = Set.copyOf(transports);
        this.webSockets = webSockets;
    }

    /** Whether a path below that of the server of channels is one of this class. */
    public static boolean isServed(final String path)
    {
        return path.startsWith(WEBSOCKET + '/') || path.startsWith(EVENTS + '/');
    }

    /**
     * Serves a request.
     *
     * @param path below that of the server of channels
     * @param role of the client
     * @throws RefusedRequest if it is refused
     */
    public void handle(final String path, final String role, final Request request, final Response response,
        final Callback callback) throws RefusedRequest
    {
        final boolean isWebSocket = path.startsWith(WEBSOCKET + '/');
        if (!transports.contains(isWebSocket ? ChannelTransport.WEBSOCKET : ChannelTransport.EVENT_STREAM))
        {
            throw noTransport();
        }
        final String channel = path.substring((isWebSocket ? WEBSOCKET : EVENTS).length());
        if (!ChannelNames.isName(channel) || !hub.exists(channel))
        {
            throw new RefusedRequest(RefusedRequest.NOT_FOUND, HttpErrorCode.NO_CHANNEL, "there is no such channel",
                "compare it with the channels of the adapters, or declare it in config.xml");
        }
        policy.check(role, Operation.SUBSCRIBE, channel);
        if (!HttpMethod.GET.is(request.getMethod()))
        {
            response.getHeaders().put(HttpHeader.ALLOW, "GET");
            throw new RefusedRequest(RefusedRequest.METHOD_NOT_ALLOWED, HttpErrorCode.METHOD,
                "messages are received by GET", "use GET");
        }
        if (isWebSocket)
        {
            webSocket(channel, role, request, response, callback);
        }
        else
        {
            if (!hub.admit())
            {
                throw tooMany();
            }
            new EventStreamSubscriber(hub, channel, request, response, callback)
                .open(request.getHeaders().get("Last-Event-ID"));
        }
    }

    /** The refusal of a transport that the configuration does not list. */
    public static RefusedRequest noTransport()
    {
        return new RefusedRequest(RefusedRequest.NOT_FOUND, HttpErrorCode.NO_TRANSPORT,
            "the server of channels does not offer this transport", "list it in supported-transport in config.xml");
    }

    private static RefusedRequest tooMany()
    {
        return new RefusedRequest(RefusedRequest.UNAVAILABLE, HttpErrorCode.TOO_MANY_CLIENTS,
            "there are too many clients", "try again later, or increase max-clients in config.xml");
    }

    private void webSocket(final String channel, final String role, final Request request, final Response response,
        final Callback callback) throws RefusedRequest
    {
        if (hub.isFull())
        {
            throw tooMany();
        }
        final boolean isArray = "array".equals(Request.extractQueryParameters(request).getValue("messages"));
        if (!webSockets.upgrade((upgrade, answer, failed) -> new WebSocketSubscriber(hub,
            request.getConnectionMetaData().getConnector().getExecutor(), channel,
            policy.allows(role, Operation.PUBLISH, channel), isArray), request, response, callback))
        {
            throw new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.BAD_REQUEST,
                "the request does not upgrade to WebSocket", "use a URL with ws: or wss: and a client of WebSocket");
        }
    }
}
