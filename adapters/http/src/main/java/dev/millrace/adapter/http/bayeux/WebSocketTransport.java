package dev.millrace.adapter.http.bayeux;

import org.cometd.server.BayeuxServerImpl;
import org.cometd.server.websocket.common.AbstractWebSocketTransport;

/** Bayeux over WebSocket, whose requests the server of channels passes on. Thread-safe. */
final class WebSocketTransport extends AbstractWebSocketTransport
{
    WebSocketTransport(final BayeuxServerImpl server)
    {
        super(server);
    }
}
