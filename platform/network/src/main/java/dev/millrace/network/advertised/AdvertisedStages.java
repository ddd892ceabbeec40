package dev.millrace.network.advertised;

import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The stages that the applications of a process advertise, and their partners in other applications, by the name of the
 * stage, {@code application:stage}: subscribers that take its rows, and listeners that send rows to it. Owned by what
 * runs the applications. Holds only stages that are advertised or have partners.
 *
 * <p>A partner may be connected before its stage is advertised, and stays connected when the stage is withdrawn or
 * replaced: then no rows pass, and it has a condition.
 *
 * <p>Threads: any; one lock, under which no network is called, and which rows do not need.
 */
public final class AdvertisedStages
{
    /** Stages whose rows others take. */
    private final Map<String, Link<Subscriber>> exits = new HashMap<>();
    /** Channels to which others send rows. */
    private final Map<String, Link<Partner>> entrances = new HashMap<>();
    private final DeclaredTypes types = new DeclaredTypes();

    /** Returns the event types of the same applications, which are shared whether or not a stage is advertised. */
    public DeclaredTypes types()
    {
        return types;
    }

    /**
     * Finds a stage whose rows others can take.
     *
     * @param name {@code application:stage}
     * @return type of its rows; {@code null} if it is not advertised now
     */
    public synchronized EventType find(final String name)
    {
        return type(exits.get(name));
    }

    /**
     * Finds a channel to which others can send rows.
     *
     * @param name {@code application:channel}
     * @return type of its rows; {@code null} if it does not accept rows now
     */
    public synchronized EventType findEntrance(final String name)
    {
        return type(entrances.get(name));
    }

    private static EventType type(final Link<?> link)
    {
        return link == null || link.current() == null ? null : link.current().type();
    }

    /**
     * Returns the names of the stages that are advertised now.
     *
     * @return in alphabetical order
     */
    public synchronized Set<String> names()
    {
        return names(exits);
    }

    /**
     * Returns the names of the channels that accept rows of other applications now.
     *
     * @return in alphabetical order
     */
    public synchronized Set<String> entrances()
    {
        return names(entrances);
    }

    private static <T extends Partner> Set<String> names(final Map<String, Link<T>> links)
    {
        final Set<String> names = new TreeSet<>();
        links.forEach((name, link) ->
        {
            if (link.current() != null)
            {
                names.add(name);
            }
        });
        return names;
    }

    /**
     * Returns the cycle that a connection would create.
     *
     * @param consumer application that receives rows
     * @param producer application that sends them
     * @return names of applications, each of which receives rows of the next one; empty if there would be no cycle
     */
    public synchronized List<String> cycle(final String consumer, final String producer)
    {
        final List<String> path = new ArrayList<>(List.of(consumer));
        return leads(producer, consumer, path, new LinkedHashSet<>()) ? path : List.of();
    }

    private boolean leads(final String from, final String to, final List<String> path, final Set<String> seen)
    {
        path.add(from);
        if (from.equals(to))
        {
            return true;
        }
        if (seen.add(from))
        {
            for (final String next : producersOf(from))
            {
                if (leads(next, to, path, seen))
                {
                    return true;
                }
            }
        }
        path.remove(path.size() - 1);
        return false;
    }

    private Set<String> producersOf(final String consumer)
    {
        final Set<String> producers = new TreeSet<>();
        exits.forEach((name, link) -> link.partners().stream()
            .filter(each -> each.application().equals(consumer))
            .forEach(each -> producers.add(QualifiedName.application(name))));
        entrances.forEach((name, link) ->
        {
            if (QualifiedName.application(name).equals(consumer))
            {
                link.partners().forEach(each -> producers.add(each.application()));
            }
        });
        return producers;
    }

    /** Offers the rows of a stage. */
    synchronized Publication<Subscriber> publish(final String name, final EventType type)
    {
        return publish(exits.computeIfAbsent(name, each -> new Link<>()), new Offer(type, null));
    }

    /** Accepts rows for a channel. */
    synchronized Publication<Partner> accept(final String name, final EventType type, final Entrance entrance)
    {
        return publish(entrances.computeIfAbsent(name, each -> new Link<>()), new Offer(type, entrance));
    }

    private static <T extends Partner> Publication<T> publish(final Link<T> link, final Offer offer)
    {
        link.publish(offer);
        return new Publication<>(link, offer);
    }

    synchronized <T extends Partner> void withdraw(final Publication<T> publication)
    {
        publication.link().withdraw(publication.offer());
        removeUnused();
    }

    /**
     * Lets a subscriber take the rows of a stage.
     *
     * @throws IllegalStateException if applications would take rows of each other
     */
    synchronized void subscribe(final Subscriber subscriber)
    {
        refuseCycle(subscriber.application(), QualifiedName.application(subscriber.name()));
        exits.computeIfAbsent(subscriber.name(), each -> new Link<>()).add(subscriber);
    }

    /**
     * Lets a listener send rows to a channel.
     *
     * @throws IllegalStateException if applications would take rows of each other
     */
    synchronized void connect(final Partner listener)
    {
        refuseCycle(QualifiedName.application(listener.name()), listener.application());
        entrances.computeIfAbsent(listener.name(), each -> new Link<>()).add(listener);
    }

    private void refuseCycle(final String consumer, final String producer)
    {
        final List<String> cycle = cycle(consumer, producer);
        if (!cycle.isEmpty())
        {
            throw new IllegalStateException("applications cannot take rows of each other, cycle=" +
                String.join(" <- ", cycle));
        }
    }

    synchronized void unsubscribe(final Subscriber subscriber)
    {
        remove(exits, subscriber);
    }

    synchronized void disconnect(final Partner listener)
    {
        remove(entrances, listener);
    }

    private <T extends Partner> void remove(final Map<String, Link<T>> links, final T partner)
    {
        final Link<T> link = links.get(partner.name());
        if (link != null)
        {
            link.remove(partner);
            removeUnused();
        }
    }

    private void removeUnused()
    {
        exits.values().removeIf(Link::isUnused);
        entrances.values().removeIf(Link::isUnused);
    }
}
