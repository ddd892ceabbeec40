package dev.millrace.adapter.http.push;

import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.channel.ChannelMessage;
import dev.millrace.adapter.http.channel.JsonValues;
import dev.millrace.adapter.http.channel.QueuedSubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.eclipse.jetty.websocket.api.exceptions.MessageTooLargeException;

/**
 * A client that receives the messages of a channel by plain WebSocket, and may publish to it: each text message is a
 * JSON object, or an array of them. Called by threads of the server; public because they need access to its methods.
 */
public final class WebSocketSubscriber extends QueuedSubscriber implements Session.Listener.AutoDemanding
{
    private static final int MAX_REASON_CHARS = 100;

    private final ChannelHub hub;
    private final String channel;
    private final boolean mayPublish;
    private final boolean isArray;
    private volatile Session session;
    private volatile boolean isAdmitted;

    /**
     * @param mayPublish whether messages of the client are published
     * @param isArray    whether waiting messages are sent as an array
     */
    WebSocketSubscriber(final ChannelHub hub, final Executor executor, final String channel, final boolean mayPublish,
        final boolean isArray)
    {
        super(hub.limits(), executor, hub.counters());
        this.hub = hub;
        this.channel = channel;
        this.mayPublish = mayPublish;
        this.isArray = isArray;
    }

    @Override
    public void onWebSocketOpen(final Session opened)
    {
        session = opened;
        // Pings show whether the client is alive.
        opened.setIdleTimeout(Duration.ZERO);
        opened.setMaxTextMessageSize(hub.limits().messageBytes());
        opened.setMaxBinaryMessageSize(hub.limits().messageBytes());
        isAdmitted = hub.admit();
        if (isAdmitted)
        {
            hub.subscribe(channel, this, null);
        }
        else
        {
            end("too many clients");
        }
    }

    @Override
    public void onWebSocketText(final String text)
    {
        if (!mayPublish)
        {
            reject("not-allowed", StatusCode.POLICY_VIOLATION, "the client may not publish to the channel");
            return;
        }
        final List<String> values;
        try
        {
            values = JsonValues.objects(text);
        }
        catch (final IllegalArgumentException e)
        {
            reject("broken-json", StatusCode.BAD_PAYLOAD, e.getMessage());
            return;
        }
        hub.publish(channel, values);
    }

    @Override
    public void onWebSocketBinary(final ByteBuffer payload, final Callback callback)
    {
        callback.succeed();
        reject("binary", StatusCode.BAD_DATA, "messages are text");
    }

    private void reject(final String reason, final int status, final String detail)
    {
        hub.counters().rejected(channel, reason, detail);
        session.close(status, shorten(detail), Callback.NOOP);
    }

    private static String shorten(final String reason)
    {
        return reason.length() <= MAX_REASON_CHARS ? reason : reason.substring(0, MAX_REASON_CHARS);
    }

    @Override
    public void onWebSocketClose(final int status, final String reason, final Callback callback)
    {
        callback.succeed();
        end("closed by the client");
    }

    @Override
    public void onWebSocketError(final Throwable cause)
    {
        if (cause instanceof MessageTooLargeException)
        {
            hub.counters().rejected(channel, "too-large", cause.getMessage());
        }
        end("connection broken: " + cause);
    }

    @Override
    protected void write(final List<ChannelMessage> messages, final WriteResult done)
    {
        if (isArray)
        {
            send(messages.stream().map(WebSocketSubscriber::elements).collect(Collectors.joining(",", "[", "]")), done);
        }
        else
        {
            new FrameWriter(messages, done).iterate();
        }
    }

    /** A message as elements of an array, which it may be itself. */
    private static String elements(final ChannelMessage message)
    {
        final String json = message.json();
        return json.startsWith("[") ? json.substring(1, json.length() - 1) : json;
    }

    private void send(final String text, final WriteResult done)
    {
        session.sendText(text, Callback.from(done::written, done::failed));
    }

    /** Writes messages one after the other, without recursion. */
    private final class FrameWriter extends IteratingCallback
    {
        private final Iterator<ChannelMessage> messages;
        private final WriteResult done;

        FrameWriter(final List<ChannelMessage> messages, final WriteResult done)
        {
            this.messages = messages.iterator();
            this.done = done;
        }

        @Override
        protected Action process()
        {
            if (!messages.hasNext())
            {
                return Action.SUCCEEDED;
            }
            session.sendText(messages.next().json(), Callback.from(this::succeeded, this::failed));
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteSuccess()
        {
            done.written();
        }

        @Override
        protected void onCompleteFailure(final Throwable cause)
        {
            done.failed(cause);
        }
    }

    @Override
    protected void writeHeartbeat(final WriteResult done)
    {
        session.sendPing(ByteBuffer.allocate(0), Callback.from(done::written, done::failed));
    }

    @Override
    protected void gap(final long missing)
    {
        throw new IllegalStateException("clients of plain WebSocket receive messages from now on");
    }

    @Override
    protected void ended()
    {
        if (isAdmitted)
        {
            hub.unsubscribe(channel, this);
            hub.left();
        }
    }

    @Override
    protected void disconnect(final String reason)
    {
        final Session open = session;
        if (open != null)
        {
            open.close(StatusCode.TRY_AGAIN_LATER, shorten(reason),
                Callback.from(() -> { }, failed -> open.disconnect()));
        }
    }
}
