package dev.millrace.tuning.signal;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.engine.BenchQueries;
import dev.millrace.tuning.harness.TickData;
import java.util.List;
import java.util.Map;

/** The Signal Generation network of a server, with its cache, from source to sink on one thread. Not thread-safe. */
final class PairNetwork implements AutoCloseable
{
    static final EventType SIGNAL = EventType.tuple("Signal", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("lastPrice", CqlType.DOUBLE), new EventProperty("percLastPrice", CqlType.DOUBLE));

    private final BenchNetwork network = new BenchNetwork(Clock.SYSTEM);
    private final BenchNetwork.Feed feed;

    /**
     * Builds and starts it.
     *
     * @param data its symbols
     * @param sink receives signals
     */
    PairNetwork(final TickData data, final EventBatchSink sink) throws DeploymentException
    {
        final CacheSettings settings =
            new CacheSettings("symbols", BenchQueries.SYMBOL, List.of("symbol"), TickData.SYMBOLS, null);
        final Cache cache = new LocalCachingSystem().createCache(settings);
        for (int i = 0; i < TickData.SYMBOLS; i++)
        {
            if (TickData.isCached(i))
            {
                cache.put(data.names[i], new TupleEvent(BenchQueries.SYMBOL, data.names[i]));
            }
        }
        feed = network.feed("feed", "StockTickStream");
        network.channel("StockTickStream", BenchQueries.TICK, ChannelStage.Queue.PASS_THROUGH, "signals");
        network.processor("signals", List.of(rule(BenchQueries.VIEW), rule(BenchQueries.PAIR)),
            Map.of("symbolsRelation", new ProcessorStage.CacheSource(cache, settings)), "out");
        network.channel("out", SIGNAL, ChannelStage.Queue.PASS_THROUGH, "sink");
        network.bean("sink", sink);
        network.start();
    }

    private static Rule rule(final RuleText text)
    {
        return new Rule(text.id(), text.view(), text.text(), text.schema(), text.orderingConstraint(),
            text.partitionExpression(), true, SourcePosition.NONE);
    }

    /** A batch for {@link #send}. */
    EventBatch batch()
    {
        return new EventBatch(feed.sender().schema());
    }

    /** Sends a batch; returns when its signals are emitted. */
    void send(final EventBatch batch)
    {
        feed.sender().send(batch);
    }

    /** Rows that any stage has rejected. */
    long rejectedRows()
    {
        return network.rejectedRows();
    }

    @Override
    public void close()
    {
        network.close();
    }
}
