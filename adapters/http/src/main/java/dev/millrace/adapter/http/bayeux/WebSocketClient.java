package dev.millrace.adapter.http.bayeux;

import java.time.Duration;
import org.cometd.bayeux.Promise;
import org.cometd.bayeux.server.BayeuxContext;
import org.cometd.bayeux.server.ServerSession;
import org.cometd.server.websocket.common.AbstractWebSocketEndPoint;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/**
 * A client that speaks Bayeux over WebSocket. Called by threads of the server; public because they need access to its
 * methods.
 */
public final class WebSocketClient extends AbstractWebSocketEndPoint implements Session.Listener
{
    private final int maxMessageBytes;
    private final Duration idleTimeout;
    private volatile Session session;

    WebSocketClient(final WebSocketTransport transport, final BayeuxContext context, final int maxMessageBytes,
        final Duration idleTimeout)
    {
        super(transport, context);
        this.maxMessageBytes = maxMessageBytes;
        this.idleTimeout = idleTimeout;
    }

    @Override
    public void onWebSocketOpen(final Session opened)
    {
        session = opened;
        opened.setIdleTimeout(idleTimeout);
        opened.setMaxTextMessageSize(maxMessageBytes);
        opened.demand();
    }

    @Override
    public void onWebSocketText(final String text)
    {
        onMessage(text, Promise.from(nothing -> session.demand(),
            failure -> close(StatusCode.BAD_PAYLOAD, "invalid message")));
    }

    @Override
    public void onWebSocketClose(final int status, final String reason, final Callback callback)
    {
        onClose(status, reason);
        callback.succeed();
    }

    @Override
    public void onWebSocketError(final Throwable cause)
    {
        onError(cause);
    }

    @Override
    protected void send(final ServerSession client, final String text, final Promise<Void> promise)
    {
        session.sendText(text, Callback.from(() -> promise.succeed(null), promise::fail));
    }

    @Override
    public void close(final int status, final String reason)
    {
        session.close(status, reason, Callback.NOOP);
    }
}
