package dev.millrace.adapter.http.bayeux;

import dev.millrace.adapter.http.channel.ChannelCounters;
import dev.millrace.api.http.ChannelLimits;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.cometd.bayeux.server.ServerMessage;
import org.cometd.bayeux.server.ServerSession;

/**
 * Limits the bytes of messages that wait for a client. When the queue is full, the client is disconnected or loses its
 * oldest messages. CometD makes all calls while it holds the lock of the session.
 */
final class QueueLimit implements ServerSession.QueueMaxedListener, ServerSession.QueueListener,
    ServerSession.DeQueueListener
{
    /** The memory of a message without its data. */
    private static final int OVERHEAD_BYTES = 64;

    private final ChannelLimits limits;
    private final ChannelCounters counters;
    private final Executor executor;
    private long bytes;
    private boolean isEnded;

    /** @param executor disconnects clients */
    QueueLimit(final ChannelLimits limits, final ChannelCounters counters, final Executor executor)
    {
        this.limits = limits;
        this.counters = counters;
        this.executor = executor;
    }

    private static long size(final ServerMessage message)
    {
        final Object data = message.getData();
        return data == null ? OVERHEAD_BYTES :
            OVERHEAD_BYTES + data.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public boolean queueMaxed(final ServerSession session, final Queue<ServerMessage> queue,
        final ServerSession sender, final ServerMessage message)
    {
        if (isEnded)
        {
            counters.lost(1);
            return false;
        }
        final long size = size(message);
        if (bytes + size <= limits.queueBytes())
        {
            return true;
        }
        if (limits.isSlowDisconnected())
        {
            isEnded = true;
            counters.slowClient();
            counters.lost(queue.size() + 1);
            queue.clear();
            bytes = 0;
            executor.execute(session::disconnect);
            return false;
        }
        while (!queue.isEmpty() && bytes + size > limits.queueBytes())
        {
            bytes -= size(queue.remove());
            counters.lost(1);
        }
        return true;
    }

    @Override
    public void queued(final ServerSession session, final ServerMessage message)
    {
        bytes += size(message);
    }

    @Override
    public void deQueue(final ServerSession session, final Queue<ServerMessage> queue)
    {
        counters.delivered(queue.size());
        bytes = 0;
    }
}
