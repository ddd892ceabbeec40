package dev.millrace.tuning.statements;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.harness.BatchFeeder;
import dev.millrace.tuning.harness.ResultChecksum;
import java.util.List;
import java.util.Map;

/** A network of a server with many statements over one channel, from source to sink on one thread. Not thread-safe. */
final class StatementsNetwork implements AutoCloseable
{
    static final EventType ALERT = EventType.tuple("Alert", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.INT));

    private final BenchNetwork network = new BenchNetwork(Clock.SYSTEM);
    private final BenchNetwork.Feed feed;
    private final double deploySeconds;

    /**
     * Deploys the statements.
     *
     * @param rules over the channel {@code Market}
     * @param sink  receives their output
     */
    StatementsNetwork(final List<Rule> rules, final EventBatchSink sink)
    {
        feed = network.feed("feed", "Market");
        network.channel("Market", VwapData.MARKET, ChannelStage.Queue.PASS_THROUGH, "statements");
        network.processor("statements", rules, Map.of(), "out");
        network.channel("out", ALERT, ChannelStage.Queue.PASS_THROUGH, "sink");
        network.bean("sink", sink);
        final long startNs = System.nanoTime();
        try
        {
            network.start();
        }
        catch (final DeploymentException e)
        {
            throw new IllegalStateException("the benchmark's network is refused: " + e.problems(), e);
        }
        deploySeconds = (System.nanoTime() - startNs) / 1e9;
    }

    /** Time from the definition until events flow. */
    double deploySeconds()
    {
        return deploySeconds;
    }

    /** Passes through the network; the sink writes to the tally. */
    BatchFeeder passes(final VwapData data, final ResultChecksum tally)
    {
        return new BatchFeeder(data, new EventBatch(feed.sender().schema()), feed.sender()::send, tally);
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
