package dev.millrace.embedded.application;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventType;
import dev.millrace.api.time.Clock;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.Network;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.StageDefinition;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.support.GenericApplicationContext;

/** An application in this process. Thread-safe. The owner closes it. */
public final class EmbeddedApplication implements AutoCloseable
{
    private final GenericApplicationContext context;
    private final Network network;
    private final NetworkDefinition definition;
    private final BoundaryStages boundary;
    private final Clock clock;
    private final LocalCachingSystem caches;
    /** {@code null} if it is not connected with other applications. */
    private final AdvertisedStages advertised;

    EmbeddedApplication(final GenericApplicationContext context, final Network network,
        final NetworkDefinition definition, final BoundaryStages boundary, final Clock clock,
        final LocalCachingSystem caches, final AdvertisedStages advertised)
    {
        this.advertised = advertised;
        this.context = context;
        this.network = network;
        this.definition = definition;
        this.boundary = boundary;
        this.clock = clock;
        this.caches = caches;
    }

    /**
     * Starts the network; called once.
     *
     * @throws dev.millrace.network.definition.StartFailedException if a stage cannot start; close the application then
     */
    public void start()
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        try
        {
            thread.setContextClassLoader(context.getClassLoader());
            network.start();
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Returns a feed.
     *
     * @param id of a replaced adapter, or of a channel below exactly one
     * @throws IllegalArgumentException if rows cannot be sent there
     */
    public RowFeed feed(final String id)
    {
        final RowFeed direct = boundary.feeds().get(id);
        final List<RowFeed> above = boundary.feedsOf(id);
        if (direct != null || above.size() == 1)
        {
            return direct == null ? above.get(0) : direct;
        }
        if (above.size() > 1)
        {
            throw new IllegalArgumentException("several adapters feed the channel, channel=" + id + "; name one of " +
                above.stream().map(RowFeed::stage).toList());
        }
        final StageDefinition stage = stage(id);
        throw new IllegalArgumentException(stage instanceof ChannelStage ?
            "no adapter feeds the channel, channel=" + id + "; declare it by input(\"" + id + "\") before the start" :
            stage == null ? "the application has no such stage, id=" + id + "; inputs are " + inputs() :
                "the stage is not replaced by a feed, id=" + id + "; inputs are " + inputs());
    }

    /** Returns the ids of the feeds, in alphabetical order. */
    public Set<String> inputs()
    {
        return new TreeSet<>(boundary.feeds().keySet());
    }

    /** Returns the definition of the application before its adaptation to this process. */
    public NetworkDefinition definition()
    {
        return definition;
    }

    private StageDefinition stage(final String id)
    {
        return definition.stages().stream().filter(each -> each.id().equals(id)).findFirst().orElse(null);
    }

    /**
     * Returns the event type of a channel, or of the first channel that a stage listens to.
     *
     * @param id of the stage
     * @return {@code null} if there is no such channel
     */
    public EventType eventType(final String id)
    {
        return definition.stages().stream().filter(ChannelStage.class::isInstance).map(ChannelStage.class::cast)
            .filter(channel -> channel.id().equals(id) || channel.listeners().contains(id))
            .min(Comparator.comparing(channel -> !channel.id().equals(id))).map(ChannelStage::eventType).orElse(null);
    }

    /**
     * Returns the ids of the stages whose rows an observer can receive: channels, and replaced stages that listen to
     * one. Channels with a partitioner are left out, because each of their rows goes to one listener.
     *
     * @return in alphabetical order
     */
    public Set<String> outputs()
    {
        final Set<String> outputs = new TreeSet<>();
        for (final StageDefinition stage : definition.stages())
        {
            if (stage instanceof ChannelStage channel && channel.partitioner() == null ||
                stage instanceof BeanStage bean && isReplaced(bean) && eventType(bean.id()) != null)
            {
                outputs.add(stage.id());
            }
        }
        return outputs;
    }

    private boolean isReplaced(final BeanStage bean)
    {
        return bean.instance() instanceof ReplacedStage || bean.connection() != null && advertised == null;
    }

    /**
     * Advances the manual clock: entries of caches expire, and idle channels pass the new time to their queries.
     *
     * @param time at least 0; queries see it when it exceeds the heartbeat interval of their channel
     * @throws IllegalStateException if the clock is not a {@link ManualClock}
     */
    public void advance(final Duration time)
    {
        if (!(clock instanceof ManualClock manual))
        {
            throw new IllegalStateException("only a manual clock can be advanced; set one by the builder");
        }
        manual.advance(time.toNanos());
        passTime();
    }

    /**
     * Lets the application see the current time now: entries of caches expire, and idle channels pass the time to their
     * queries. For callers that advance the clock.
     */
    public void passTime()
    {
        caches.expire();
        network.sendHeartbeats();
    }

    /**
     * Returns a cache of the application.
     *
     * @throws IllegalArgumentException if there is no such cache
     */
    public Cache cache(final String id)
    {
        return definition.caches().stream().filter(cache -> cache.id().equals(id)).findFirst().orElseThrow(() ->
            new IllegalArgumentException("the application has no such cache, id=" + id + "; caches are " +
                definition.caches().stream().map(Cache::id).toList()));
    }

    /**
     * Returns a bean of the application.
     *
     * @throws org.springframework.beans.BeansException if no bean has this id and class
     */
    public <T> T bean(final String id, final Class<T> type)
    {
        return context.getBean(id, type);
    }

    /**
     * Returns the network, for its state, statistics and rules.
     *
     * @return owned by this object
     */
    public Network network()
    {
        return network;
    }

    /** Stops the network, then destroys the beans. */
    @Override
    public void close()
    {
        try
        {
            network.stop();
        }
        finally
        {
            if (advertised != null)
            {
                advertised.types().withdraw(context);
            }
            context.close();
        }
    }
}
