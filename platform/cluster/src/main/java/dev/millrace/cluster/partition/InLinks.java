package dev.millrace.cluster.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The links of the others that end here, by the number that each gave its link. Safe for all threads. */
final class InLinks
{
    private final ChannelMember channel;
    private final Map<Long, Known> links = new HashMap<>();
    /** Ended while rows of theirs were on their way down. */
    private final List<InLink> ending = new ArrayList<>();
    private long look;
    private long rowsBefore;

    /**
     * A link, and when it came.
     *
     * @param link that came
     * @param look during which it came, or before
     */
    private record Known(InLink link, long look)
    {
    }

    InLinks(final ChannelMember channel)
    {
        this.channel = channel;
    }

    /** From here on the channel's thread looks who is there. */
    synchronized void beginLook()
    {
        look++;
    }

    /**
     * The link of a member that was just seen.
     *
     * @param hello  what it says
     * @param isHere whether it may still come
     * @return {@code null} when it may not
     */
    synchronized InLink admit(final Hello hello, final BooleanSupplier isHere)
    {
        if (!isHere.getAsBoolean())
        {
            return null;
        }
        return links.computeIfAbsent(hello.link(), number -> new Known(new InLink(channel, hello.stay()), look)).link();
    }

    /** Ends those of members that are gone; one that came while the look was under way may not have been seen. */
    void endAllBut(final Set<String> live)
    {
        final List<InLink> gone = new ArrayList<>();
        synchronized (this)
        {
            links.values().removeIf(known ->
                known.look() < look && !live.contains(known.link().stay()) && gone.add(known.link()));
        }
        end(gone);
    }

    /** Ends all. */
    void clear()
    {
        final List<InLink> all;
        synchronized (this)
        {
            all = links.values().stream().map(Known::link).toList();
            links.clear();
        }
        end(all);
    }

    private void end(final List<InLink> gone)
    {
        gone.forEach(InLink::close);
        synchronized (this)
        {
            for (final InLink link : gone)
            {
                rowsBefore += link.rows();
                if (link.isRunning())
                {
                    ending.add(link);
                }
            }
        }
    }

    /** Whether no row of a link that has ended is on its way down any more. */
    synchronized boolean areThrough()
    {
        ending.removeIf(link -> !link.isRunning());
        return ending.isEmpty();
    }

    /** Ends connections, which are made anew. */
    synchronized void cut()
    {
        links.values().forEach(known -> known.link().cut());
    }

    /** The latest epoch of which a member has said that no row of an earlier one follows. */
    synchronized long markOf(final String stay)
    {
        return links.values().stream().map(Known::link).filter(link -> link.stay().equals(stay))
            .mapToLong(InLink::mark).max().orElse(0);
    }

    /** Rows that came, also by links that are gone. */
    synchronized long rows()
    {
        return rowsBefore + links.values().stream().mapToLong(known -> known.link().rows()).sum();
    }
}
