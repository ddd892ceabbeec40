package dev.millrace.network.advertised;

import dev.millrace.api.event.EventType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The stages that the applications of a process advertise, and their subscribers in other applications, by the name of
 * the stage, {@code application:stage}. Owned by what runs the applications. Holds only stages that are advertised or
 * have subscribers.
 *
 * <p>A source may subscribe before its stage is advertised, and stays subscribed when the stage is withdrawn or
 * replaced: then it receives no rows, and has a condition.
 *
 * <p>Threads: any; one lock, under which no network is called, and which rows do not need.
 */
public final class AdvertisedStages
{
    /** Separates the name of the application from the id of the stage. */
    public static final char SEPARATOR = ':';

    private final Map<String, Link> links = new HashMap<>();

    /** A stage and its subscribers. Changed under the lock of the registry; subscribers are read without it. */
    private static final class Link
    {
        /** The latest one is the current one: two versions of an application exist during an update. */
        private final List<Publication> published = new ArrayList<>();
        private volatile Subscriber[] subscribers = new Subscriber[0];

        private EventType type()
        {
            return published.isEmpty() ? null : published.get(published.size() - 1).type;
        }

        private void add(final Subscriber subscriber)
        {
            subscribers = Stream.concat(Arrays.stream(subscribers), Stream.of(subscriber)).toArray(Subscriber[]::new);
            subscriber.bind(type());
        }

        private void remove(final Subscriber subscriber)
        {
            subscribers = Arrays.stream(subscribers).filter(each -> each != subscriber).toArray(Subscriber[]::new);
        }

        private void bind()
        {
            for (final Subscriber subscriber : subscribers)
            {
                subscriber.bind(type());
            }
        }
    }

    /** A stage that is advertised. */
    static final class Publication
    {
        private final Link link;
        private final String name;
        private final EventType type;

        private Publication(final Link link, final String name, final EventType type)
        {
            this.link = link;
            this.name = name;
            this.type = type;
        }

        /** The current subscribers; not to be changed. */
        Subscriber[] subscribers()
        {
            return link.subscribers;
        }
    }

    /** Returns the application of a stage's name. */
    public static String application(final String name)
    {
        return name.substring(0, name.indexOf(SEPARATOR));
    }

    /**
     * Finds a stage.
     *
     * @param name {@code application:stage}
     * @return type of its rows; {@code null} if it is not advertised now
     */
    public synchronized EventType find(final String name)
    {
        final Link link = links.get(name);
        return link == null ? null : link.type();
    }

    /**
     * Returns the names of the stages that are advertised now.
     *
     * @return in alphabetical order
     */
    public synchronized Set<String> names()
    {
        final Set<String> names = new TreeSet<>();
        links.forEach((name, link) ->
        {
            if (!link.published.isEmpty())
            {
                names.add(name);
            }
        });
        return names;
    }

    /**
     * Returns the cycle that a subscription would create.
     *
     * @param consumer application that subscribes
     * @param producer application that advertises the stage
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
        links.forEach((name, link) ->
        {
            for (final Subscriber subscriber : link.subscribers)
            {
                if (subscriber.application().equals(consumer))
                {
                    producers.add(application(name));
                }
            }
        });
        return producers;
    }

    synchronized Publication publish(final String name, final EventType type)
    {
        final Link link = links.computeIfAbsent(name, each -> new Link());
        final Publication publication = new Publication(link, name, type);
        link.published.add(publication);
        link.bind();
        return publication;
    }

    synchronized void withdraw(final Publication publication)
    {
        if (publication.link.published.remove(publication))
        {
            publication.link.bind();
            removeUnused(publication.name, publication.link);
        }
    }

    /** @throws IllegalStateException if applications would take rows of each other */
    synchronized void subscribe(final Subscriber subscriber)
    {
        final List<String> cycle = cycle(subscriber.application(), application(subscriber.name()));
        if (!cycle.isEmpty())
        {
            throw new IllegalStateException("applications cannot take rows of each other, cycle=" +
                String.join(" <- ", cycle));
        }
        links.computeIfAbsent(subscriber.name(), each -> new Link()).add(subscriber);
    }

    synchronized void unsubscribe(final Subscriber subscriber)
    {
        final Link link = links.get(subscriber.name());
        if (link != null)
        {
            link.remove(subscriber);
            removeUnused(subscriber.name(), link);
        }
    }

    private void removeUnused(final String name, final Link link)
    {
        if (link.published.isEmpty() && link.subscribers.length == 0)
        {
            links.remove(name);
        }
    }
}
