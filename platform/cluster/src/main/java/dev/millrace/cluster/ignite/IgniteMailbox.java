package dev.millrace.cluster.ignite;

import dev.millrace.cluster.Mailbox;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.IgniteMessaging;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages by Ignite, one topic per mailbox. Thread-safe. */
final class IgniteMailbox implements Mailbox, NodeBound
{
    private static final Logger LOG = LoggerFactory.getLogger(IgniteMailbox.class);

    private final String topic;
    private final Receiver receiver;
    private volatile Bound bound;

    IgniteMailbox(final String name, final Receiver receiver)
    {
        topic = "millrace." + name;
        this.receiver = receiver;
    }

    /** The current node, and the messaging facades per recipient. */
    private record Bound(Ignite ignite, Map<UUID, IgniteMessaging> ways)
    {
    }

    @Override
    public void open(final Ignite ignite)
    {
        bound = new Bound(ignite, new ConcurrentHashMap<>());
        ignite.message().localListen(topic, (from, message) ->
        {
            received(from, (byte[])message);
            return true;
        });
    }

    private void received(final UUID from, final byte[] message)
    {
        try
        {
            receiver.received(from, message);
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0010 a message could not be processed, topic={} from={} bytes={}", topic, from,
                message.length, e);
        }
    }

    @Override
    public void close()
    {
        bound = null;
    }

    @Override
    public boolean send(final UUID member, final byte[] message)
    {
        final Bound here = bound;
        if (here == null)
        {
            return false;
        }
        try
        {
            here.ways.computeIfAbsent(member, id -> here.ignite.message(here.ignite.cluster().forNodeId(id)))
                .send(topic, message);
            return true;
        }
        catch (final IgniteException | IllegalStateException e)
        {
            // The recipient has left, or this node stops; the next view shows which.
            here.ways.remove(member);
            LOG.debug("a message was not sent, topic={} to={}", topic, member, e);
            return false;
        }
    }
}
