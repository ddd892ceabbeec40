package dev.millrace.cluster.partition;

import dev.millrace.cluster.partition.link.HandshakeRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Incoming links of other members, by the number that each sender assigned. Thread-safe. */
final class InboundLinks
{
    private final PartitionedChannelMember channel;
    private final Map<Long, Known> links = new HashMap<>();
    /** Closed links whose rows may still be in the stages below. */
    private final List<InboundLink> ending = new ArrayList<>();
    private long look;
    private long rowsBefore;

    /**
     * A link and the scan in which it arrived.
     *
     * @param link incoming
     * @param look number of the scan during or before which it arrived
     */
    private record Known(InboundLink link, long look)
    {
    }

    InboundLinks(final PartitionedChannelMember channel)
    {
        this.channel = channel;
    }

    /** Starts a scan of the live members, on the channel's thread. */
    synchronized void beginLook()
    {
        look++;
    }

    /**
     * Returns the link of a member that was in the view.
     *
     * @param hello  handshake request
     * @param isHere whether this member still participates
     * @return {@code null} when it does not
     */
    synchronized InboundLink admit(final HandshakeRequest hello, final BooleanSupplier isHere)
    {
        if (!isHere.getAsBoolean())
        {
            return null;
        }
        return links.computeIfAbsent(hello.link(),
            number -> new Known(new InboundLink(channel, hello.stay()), look)).link();
    }

    /** Ends links of members that have left, except those that arrived during the scan, which may have missed them. */
    void endAllBut(final Set<String> live)
    {
        final List<InboundLink> gone = new ArrayList<>();
        synchronized (this)
        {
            links.values().removeIf(known ->
                known.look() < look && !live.contains(known.link().stay()) && gone.add(known.link()));
        }
        end(gone);
    }

    /** Ends all links. */
    void clear()
    {
        final List<InboundLink> all;
        synchronized (this)
        {
            all = links.values().stream().map(Known::link).toList();
            links.clear();
        }
        end(all);
    }

    private void end(final List<InboundLink> gone)
    {
        gone.forEach(InboundLink::close);
        synchronized (this)
        {
            for (final InboundLink link : gone)
            {
                rowsBefore += link.rows();
                if (link.isRunning())
                {
                    ending.add(link);
                }
            }
        }
    }

    /** Whether no row of a closed link is still being processed. */
    synchronized boolean areThrough()
    {
        ending.removeIf(link -> !link.isRunning());
        return ending.isEmpty();
    }

    /** Closes all connections; senders reconnect. */
    synchronized void cut()
    {
        links.values().forEach(known -> known.link().cut());
    }

    /** The latest epoch for which a member has sent its marker. */
    synchronized long markOf(final String stay)
    {
        return links.values().stream().map(Known::link).filter(link -> link.stay().equals(stay))
            .mapToLong(InboundLink::mark).max().orElse(0);
    }

    /** Rows received, including those of ended links. */
    synchronized long rows()
    {
        return rowsBefore + links.values().stream().mapToLong(known -> known.link().rows()).sum();
    }
}
