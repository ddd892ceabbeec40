package dev.millrace.adapter.http.push;

import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.channel.ChannelMessage;
import dev.millrace.adapter.http.channel.MessageId;
import dev.millrace.adapter.http.channel.QueuedSubscriber;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A client that receives the messages of a channel as server-sent events. Called by threads of the server.
 */
final class EventStreamSubscriber extends QueuedSubscriber
{
    private static final byte[] END = "\n\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final ChannelHub hub;
    private final String channel;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final AtomicBoolean isCompleted = new AtomicBoolean();
    /** An event that precedes the next message; {@code null} for none. */
    private volatile String notice;

    EventStreamSubscriber(final ChannelHub hub, final String channel, final Request request, final Response response,
        final Callback callback)
    {
        super(hub.limits(), request.getConnectionMetaData().getConnector().getExecutor(), hub.counters());
        this.hub = hub;
        this.channel = channel;
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    /**
     * Subscribes and sends the head of the response: the client receives all messages from the time it has the head.
     *
     * @param lastId of the last event that the client has received; {@code null} for none
     */
    void open(final String lastId)
    {
        // Heartbeats show whether the client is alive.
        request.addIdleTimeoutListener(silence -> false);
        request.addFailureListener(cause -> end("connection broken: " + cause));
        response.getHeaders().put(new HttpField(HttpHeader.CONTENT_TYPE, "text/event-stream; charset=utf-8"));
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        writeHead();
        hub.subscribe(channel, this, lastId);
        response.write(false, ByteBuffer.wrap(HEARTBEAT),
            Callback.from(this::headWritten, cause -> end("connection broken: " + cause)));
    }

    @Override
    protected void write(final List<ChannelMessage> messages, final WriteResult done)
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final String before = notice;
        if (before != null)
        {
            notice = null;
            bytes.writeBytes(before.getBytes(StandardCharsets.UTF_8));
        }
        for (final ChannelMessage message : messages)
        {
            bytes.writeBytes(("id: " + MessageId.of(log(), message.number()) + "\ndata: ")
                .getBytes(StandardCharsets.UTF_8));
            bytes.writeBytes(message.utf8());
            bytes.writeBytes(END);
        }
        send(bytes.toByteArray(), done);
    }

    private void send(final byte[] bytes, final WriteResult done)
    {
        response.write(false, ByteBuffer.wrap(bytes), Callback.from(done::written, done::failed));
    }

    @Override
    protected void writeHeartbeat(final WriteResult done)
    {
        send(HEARTBEAT, done);
    }

    @Override
    protected void gap(final long missing)
    {
        notice = "event: gap\ndata: {\"missing\":" + (missing < 0 ? "null" : missing) + "}\n\n";
    }

    @Override
    protected void ended()
    {
        hub.unsubscribe(channel, this);
        hub.left();
    }

    @Override
    protected void disconnect(final String reason)
    {
        if (isCompleted.compareAndSet(false, true))
        {
            // The response has no length: a missing last chunk shows that it is incomplete.
            callback.failed(new IllegalStateException(reason));
        }
    }
}
