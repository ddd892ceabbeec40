package dev.millrace.api.http;

/** How clients of channels receive messages. */
public enum ChannelTransport
{
    /** Bayeux over requests whose responses wait for messages. */
    LONG_POLLING,
    /** Bayeux as scripts, for old browsers and pages of other origins. */
    CALLBACK_POLLING,
    /** Bayeux over WebSocket, and plain WebSocket. */
    WEBSOCKET,
    /** Server-sent events. */
    EVENT_STREAM
}
