package dev.millrace.tuning.ticks;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.engine.BenchServices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A network as a server builds it: one feed with a number of threads, one processor with a number of workers, one sink.
 * Created, drained and stopped by one thread; each sender is confined to a thread of the feed.
 */
final class WorkerNetwork implements AutoCloseable
{
    private static final String CHANNEL = "StockTickStream";
    private static final int LARGEST_CACHE = 1_000_000;

    private final Feed feed;
    private final BenchServices services;
    private final Network network;

    /**
     * Builds and starts it.
     *
     * @param rules   bound to the channel {@code StockTickStream} and the cache {@code symbolsRelation}
     * @param output  type of the query's output
     * @param cached  symbols in the cache
     * @param workers of the processor
     * @param sources threads of the feed
     * @param sink    receives the rows, called by one thread at a time
     */
    WorkerNetwork(final List<ProcessorStage.Rule> rules, final EventType output, final List<String> cached,
        final int workers, final int sources, final SequenceTally sink) throws DeploymentException
    {
        services = new BenchServices(Clock.SYSTEM, BenchQueries.TICK, BenchQueries.SYMBOL, output);
        feed = new Feed(sources);
        final CacheSettings settings =
            new CacheSettings("symbols", BenchQueries.SYMBOL, List.of("symbol"), LARGEST_CACHE, null);
        final Cache cache = new LocalCachingSystem().createCache(settings);
        cached.forEach(symbol -> cache.put(symbol, new TupleEvent(BenchQueries.SYMBOL, symbol)));
        final List<StageDefinition> stages = new ArrayList<>();
        stages.add(new BeanStage("feed", true, feed, List.of(CHANNEL), SourcePosition.NONE));
        stages.add(channel(CHANNEL, BenchQueries.TICK, "rules"));
        stages.add(new ProcessorStage("rules", CqlProcessorProvider.TYPE, rules,
            Map.of("symbolsRelation", new ProcessorStage.CacheSource(cache, settings)), workers, List.of("out"),
            SourcePosition.NONE));
        stages.add(channel("out", output, "sink"));
        stages.add(new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE));
        network = Network.build(new NetworkDefinition("bench", services, stages, List.of()), services);
        network.start();
    }

    /** Has a sender for each of its threads. */
    private static final class Feed implements EventBatchSource
    {
        private final int sources;
        private final List<EventBatchSender> senders = new ArrayList<>();

        Feed(final int sources)
        {
            this.sources = sources;
        }

        @Override
        public void setBatchSender(final EventBatchSender first)
        {
            senders.add(first);
            while (senders.size() < sources)
            {
                senders.add(first.another());
            }
        }
    }

    private static ChannelStage channel(final String id, final EventType type, final String listener)
    {
        return new ChannelStage(id, type, false, List.of(), ChannelStage.Queue.PASS_THROUGH, false,
            new ChannelStage.Time(null, true, 0), List.of(), List.of(listener), SourcePosition.NONE);
    }

    EventBatchSender sender(final int source)
    {
        return feed.senders.get(source);
    }

    EventBatch newBatch()
    {
        return new EventBatch(feed.senders.get(0).schema());
    }

    /** Threads of the workers, none when the source's thread does the work. */
    List<Thread> workerThreads()
    {
        return services.made();
    }

    /** Waits until everything that was sent is processed. */
    void drain()
    {
        try
        {
            network.suspend();
            network.resume();
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("rows are stuck in the benchmark's network", e);
        }
    }

    @Override
    public void close()
    {
        network.stop();
    }
}
