package dev.millrace.tuning.engine;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DurationFormat;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PatternAttempts;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.CacheSource;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.UserObjects;
import dev.millrace.network.spi.DurableStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A network as a server builds it, assembled by a benchmark: feeds, channels, processors, sinks. Created and closed by
 * one thread; events enter through {@link Feed} on the thread of the caller.
 */
public final class BenchNetwork implements AutoCloseable
{
    private final BenchServices services;
    private final List<StageDefinition> stages = new ArrayList<>();
    private final List<Cache> caches = new ArrayList<>();
    private boolean durable;
    private Network network;

    /** Entry of events: batches on the caller's thread, one thread at a time. */
    public static final class Feed implements EventBatchSource
    {
        private EventBatchSender sender;

        @Override
        public void setBatchSender(final EventBatchSender toUse)
        {
            sender = toUse;
        }

        /** The sender of the network; available once it was started. */
        public EventBatchSender sender()
        {
            return sender;
        }
    }

    /**
     * @param clock time of its events
     */
    public BenchNetwork(final Clock clock)
    {
        services = new BenchServices(clock);
    }

    /**
     * Processors that are added later are durable.
     *
     * @param storage of their state
     */
    public BenchNetwork durable(final DurableStorage storage)
    {
        services.storage(storage);
        durable = true;
        return this;
    }

    /**
     * Adds a source.
     *
     * @param id      of the stage
     * @param channel downstream
     * @return the entry for the benchmark
     */
    public Feed feed(final String id, final String channel)
    {
        final Feed feed = new Feed();
        stages.add(new BeanStage(id, true, feed, List.of(channel), SourcePosition.NONE));
        return feed;
    }

    /**
     * Adds a bean: a sink, or a sink that is also a source.
     *
     * @param id        of the stage
     * @param listeners downstream stages
     */
    public BenchNetwork bean(final String id, final Object instance, final String... listeners)
    {
        stages.add(new BeanStage(id, false, instance, List.of(listeners), SourcePosition.NONE));
        return this;
    }

    /**
     * Adds a channel whose events get the time of their arrival, or keep their own.
     *
     * @param id        of the stage
     * @param queue     pass-through or queue
     * @param listeners downstream stages
     */
    public BenchNetwork channel(
        final String id, final EventType type, final ChannelStage.Queue queue, final String... listeners)
    {
        services.add(type);
        stages.add(new ChannelStage(id, type, false, List.of(), queue, false, ChannelStage.Time.SYSTEM, List.of(),
            List.of(listeners), SourcePosition.NONE));
        return this;
    }

    /**
     * Adds a CQL processor with one worker.
     *
     * @param id        of the stage
     * @param rules     views and queries
     * @param relations caches by the names that the rules use
     * @param listeners downstream channels
     */
    public BenchNetwork processor(final String id, final List<Rule> rules, final Map<String, CacheSource> relations,
        final String... listeners)
    {
        relations.values().forEach(source ->
        {
            caches.add(source.cache());
            services.add(source.settings().valueType());
        });
        stages.add(new ProcessorStage(id, CqlProcessorProvider.TYPE, rules, relations, UserObjects.NONE, 1,
            DurationFormat.NONE, PatternAttempts.DEFAULT, durable, List.of(listeners), SourcePosition.NONE));
        return this;
    }

    /**
     * A query for {@link #processor}.
     *
     * @param text its statement
     */
    public static Rule query(final String id, final String text)
    {
        return new Rule(id, false, text, List.of(), "ORDERED", null, true, SourcePosition.NONE);
    }

    /**
     * Builds and starts the network.
     *
     * @throws DeploymentException lists all errors
     */
    public BenchNetwork start() throws DeploymentException
    {
        network = Network.build(new NetworkDefinition("bench", services, stages, caches), services);
        network.start();
        return this;
    }

    /** Current statistics of a stage, as the management endpoint returns them. */
    public Map<?, ?> statistics(final String id)
    {
        return stageFigures().stream().filter(stage -> id.equals(stage.get("id"))).findFirst().orElseThrow();
    }

    /** Rows that any stage has rejected so far; a benchmark with rejected rows reports no figures. */
    public long rejectedRows()
    {
        return stageFigures().stream().mapToLong(stage -> ((Number)stage.get("rowsRejected")).longValue()).sum();
    }

    private List<Map<?, ?>> stageFigures()
    {
        final List<Map<?, ?>> all = new ArrayList<>();
        ((List<?>)network.statistics().get("stages")).forEach(stage -> all.add((Map<?, ?>)stage));
        return all;
    }

    @Override
    public void close()
    {
        if (network != null)
        {
            network.stop();
        }
    }
}
