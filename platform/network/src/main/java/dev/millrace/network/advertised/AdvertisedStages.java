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
 * The stages that the applications of a process advertise, and their peers in other applications, by the name of the
 * stage, {@code application:stage}: subscribers that take its rows, and listeners that send rows to it. Owned by what
 * runs the applications. Holds only stages that are advertised or have peers.
 *
 * <p>A peer may be connected before its stage is advertised, and stays connected when the stage is withdrawn or
 * replaced: then no rows pass, and it has a condition.
 *
 * <p>Threads: any; one lock, under which no network is called, and which rows do not need.
 */
public final class AdvertisedStages
{
    /** Stages whose rows others take. */
    private final Map<String, AdvertisedStage<Subscriber>> outputs = new HashMap<>();
    /** Channels to which others send rows. */
    private final Map<String, AdvertisedStage<Peer>> inputs = new HashMap<>();
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
        return type(outputs.get(name));
    }

    /**
     * Finds a channel to which others can send rows.
     *
     * @param name {@code application:channel}
     * @return type of its rows; {@code null} if it does not accept rows now
     */
    public synchronized EventType findInput(final String name)
    {
        return type(inputs.get(name));
    }

    private static EventType type(final AdvertisedStage<?> stage)
    {
        return stage == null || stage.current() == null ? null : stage.current().type();
    }

    /**
     * Returns the names of the stages that are advertised now.
     *
     * @return in alphabetical order
     */
    public synchronized Set<String> names()
    {
        return names(outputs);
    }

    /**
     * Returns the names of the channels that accept rows of other applications now.
     *
     * @return in alphabetical order
     */
    public synchronized Set<String> inputs()
    {
        return names(inputs);
    }

    private static <T extends Peer> Set<String> names(final Map<String, AdvertisedStage<T>> byName)
    {
        final Set<String> names = new TreeSet<>();
        byName.forEach((name, stage) ->
        {
            if (stage.current() != null)
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
        outputs.forEach((name, stage) -> stage.peers().stream()
            .filter(each -> each.application().equals(consumer))
            .forEach(each -> producers.add(QualifiedName.application(name))));
        inputs.forEach((name, stage) ->
        {
            if (QualifiedName.application(name).equals(consumer))
            {
                stage.peers().forEach(each -> producers.add(each.application()));
            }
        });
        return producers;
    }

    /** Offers the rows of a stage. */
    synchronized AdvertisementHandle<Subscriber> publish(final String name, final EventType type)
    {
        return publish(outputs.computeIfAbsent(name, each -> new AdvertisedStage<>()), new Advertisement(type, null));
    }

    /** Accepts rows for a channel. */
    synchronized AdvertisementHandle<Peer> accept(final String name, final EventType type, final SharedSender sender)
    {
        return publish(inputs.computeIfAbsent(name, each -> new AdvertisedStage<>()), new Advertisement(type, sender));
    }

    private static <T extends Peer> AdvertisementHandle<T> publish(
        final AdvertisedStage<T> stage, final Advertisement advertisement)
    {
        stage.publish(advertisement);
        return new AdvertisementHandle<>(stage, advertisement);
    }

    synchronized <T extends Peer> void withdraw(final AdvertisementHandle<T> handle)
    {
        handle.stage().withdraw(handle.advertisement());
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
        outputs.computeIfAbsent(subscriber.name(), each -> new AdvertisedStage<>()).add(subscriber);
    }

    /**
     * Lets a listener send rows to a channel.
     *
     * @throws IllegalStateException if applications would take rows of each other
     */
    synchronized void connect(final Peer listener)
    {
        refuseCycle(QualifiedName.application(listener.name()), listener.application());
        inputs.computeIfAbsent(listener.name(), each -> new AdvertisedStage<>()).add(listener);
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
        remove(outputs, subscriber);
    }

    synchronized void disconnect(final Peer listener)
    {
        remove(inputs, listener);
    }

    private <T extends Peer> void remove(final Map<String, AdvertisedStage<T>> byName, final T peer)
    {
        final AdvertisedStage<T> stage = byName.get(peer.name());
        if (stage != null)
        {
            stage.remove(peer);
            removeUnused();
        }
    }

    private void removeUnused()
    {
        outputs.values().removeIf(AdvertisedStage::isUnused);
        inputs.values().removeIf(AdvertisedStage::isUnused);
    }
}
