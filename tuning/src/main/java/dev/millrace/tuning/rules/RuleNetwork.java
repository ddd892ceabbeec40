package dev.millrace.tuning.rules;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.tuning.engine.BenchNetwork;
import dev.millrace.tuning.engine.BenchServices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A network as a server builds it: two feeds, one processor with rules, a sink that counts. Not thread-safe. */
final class RuleNetwork implements AutoCloseable
{
    private final BenchServices services =
        new BenchServices(Clock.SYSTEM, RuleMix.TICK, RuleMix.ORDER, RuleMix.OUT);
    private final BenchNetwork.Feed ticks = new BenchNetwork.Feed();
    private final BenchNetwork.Feed orders = new BenchNetwork.Feed();
    private final AtomicLong rows = new AtomicLong();
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private Network network;

    /** Adds a query to those that {@link #start} deploys. */
    RuleNetwork with(final String id, final String text)
    {
        rules.put(id, query(id, text));
        return this;
    }

    private static Rule query(final String id, final String text)
    {
        return new Rule(id, false, text, List.of(), "ORDERED", null, true, SourcePosition.NONE);
    }

    /** Deploys the rules. */
    RuleNetwork start() throws DeploymentException
    {
        final EventBatchSink sink = batch -> rows.addAndGet(batch.size());
        final List<StageDefinition> stages = new ArrayList<>();
        stages.add(new BeanStage("tickFeed", true, ticks, List.of("ticks"), SourcePosition.NONE));
        stages.add(new BeanStage("orderFeed", true, orders, List.of("orders"), SourcePosition.NONE));
        stages.add(channel("ticks", RuleMix.TICK, "rules"));
        stages.add(channel("orders", RuleMix.ORDER, "rules"));
        stages.add(new ProcessorStage("rules", CqlProcessorProvider.TYPE, List.copyOf(rules.values()), Map.of(), 1,
            List.of("out"), SourcePosition.NONE));
        stages.add(channel("out", RuleMix.OUT, "sink"));
        stages.add(new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE));
        network = Network.build(new NetworkDefinition("bench", services, stages, List.of()), services);
        network.start();
        return this;
    }

    private static ChannelStage channel(final String id, final EventType type, final String listener)
    {
        return new ChannelStage(id, type, false, List.of(), new ChannelStage.Queue(0, 0), false,
            new ChannelStage.Time(null, true, 0), List.of(), List.of(listener), SourcePosition.NONE);
    }

    /** Replaces or adds a query while the network runs. */
    RuleChange replace(final String id, final String text) throws DeploymentException
    {
        rules.put(id, query(id, text));
        return network.rules().change("rules", List.copyOf(rules.values()));
    }

    /** Sends ticks and orders of a few symbols, with prices that rise and fall. */
    void send(final int count)
    {
        for (final BenchNetwork.Feed feed : List.of(orders, ticks))
        {
            final EventBatch batch = new EventBatch(feed.sender().schema());
            for (int i = 0; i < count; i++)
            {
                batch.texts(0).set(i, "S" + i % 10);
                batch.doubles(1)[i] = i * 37 % 101;
                if (feed == ticks)
                {
                    batch.longs(2)[i] = i;
                }
                else
                {
                    batch.ints(2)[i] = i;
                }
            }
            batch.size(count);
            feed.sender().send(batch);
        }
    }

    /** Number of output rows, after everything that was sent is processed. */
    long rows() throws DeploymentException
    {
        network.suspend();
        network.resume();
        return rows.get();
    }

    @Override
    public void close()
    {
        network.stop();
    }
}
