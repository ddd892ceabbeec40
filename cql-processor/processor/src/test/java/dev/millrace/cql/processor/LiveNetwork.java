package dev.millrace.cql.processor;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A real network of a feed, a processor and channels that collect: {@code counts} accepts queries whose id begins with
 * {@code count}, and similarly for others by selectors; {@code all} accepts every query.
 */
final class LiveNetwork implements AutoCloseable
{
    static final EventType TICK = EventType.tuple("Tick", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("seq", CqlType.BIGINT));
    static final EventType OUT = EventType.tuple("Out", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("n", CqlType.BIGINT), new EventProperty("price", CqlType.DOUBLE));

    private final TestServices services = new TestServices(TICK, OUT);
    private final Feed feed = new Feed();
    private final Map<String, Sink> sinks = new LinkedHashMap<>();
    private final Map<String, Rule> rules = new LinkedHashMap<>();
    private final int workers;
    private final int queueThreads;
    private Network network;

    /** A tick. */
    record Tick(String symbol, double price, long seq)
    {
    }

    /** Sends ticks on the caller's thread. */
    static final class Feed implements EventBatchSource
    {
        private EventBatchSender sender;
        private EventBatch batch;
        private long sent;

        @Override
        public void setBatchSender(final EventBatchSender toUse)
        {
            sender = toUse;
            batch = new EventBatch(sender.schema());
        }

        void send(final List<Tick> ticks)
        {
            batch.clear();
            for (int i = 0; i < ticks.size(); i++)
            {
                batch.texts(0).set(i, ticks.get(i).symbol());
                batch.doubles(1)[i] = ticks.get(i).price();
                batch.longs(2)[i] = ticks.get(i).seq();
            }
            batch.size(ticks.size());
            sender.send(batch);
            sent += ticks.size();
        }

        long sent()
        {
            return sent;
        }
    }

    /** Stores rows as lists of values. */
    static final class Sink implements EventBatchSink
    {
        private final List<List<Object>> rows = new ArrayList<>();

        @Override
        public synchronized void onBatch(final EventBatch batch)
        {
            for (int row = 0; row < batch.size(); row++)
            {
                final List<Object> values = new ArrayList<>();
                for (int column = 0; column < batch.schema().columnCount(); column++)
                {
                    values.add(batch.value(column, row));
                }
                rows.add(values);
            }
        }

        synchronized List<List<Object>> rows()
        {
            return new ArrayList<>(rows);
        }
    }

    /**
     * @param workers      workers of the processor
     * @param queueThreads threads that empty the downstream channels; 0 = none
     */
    LiveNetwork(final int workers, final int queueThreads)
    {
        this.workers = workers;
        this.queueThreads = queueThreads;
    }

    static Rule query(final String id, final String text)
    {
        return new Rule(id, false, text, List.of(), "ORDERED", null, true, SourcePosition.NONE);
    }

    static Rule view(final String id, final String text)
    {
        return new Rule(id, true, text, List.of(), "ORDERED", null, true, SourcePosition.NONE);
    }

    static Rule partitioned(final String id, final boolean view, final String text)
    {
        return new Rule(id, view, text, List.of(), "PARTITION_ORDERED", "symbol", true, SourcePosition.NONE);
    }

    static Rule stopped(final Rule rule)
    {
        return new Rule(rule.id(), rule.view(), rule.text(), rule.schema(), rule.orderingConstraint(),
            rule.partitionExpression(), false, rule.position());
    }

    LiveNetwork start(final List<String> selected, final Rule... first) throws DeploymentException
    {
        for (final Rule rule : first)
        {
            rules.put(rule.id(), rule);
        }
        final List<StageDefinition> stages = new ArrayList<>();
        final List<String> below = new ArrayList<>(selected);
        below.add("all");
        stages.add(new BeanStage("feed", true, feed, List.of("ticks"), SourcePosition.NONE));
        stages.add(channel("ticks", TICK, 0, List.of(), "rules"));
        stages.add(new ProcessorStage(
            "rules", "cql", List.copyOf(rules.values()), Map.of(), workers, below, SourcePosition.NONE));
        for (final String channel : below)
        {
            sinks.put(channel, new Sink());
            stages.add(channel(channel, OUT, queueThreads, channel.equals("all") ? List.of() : List.of(channel),
                channel + "Sink"));
            stages.add(new BeanStage(channel + "Sink", false, sinks.get(channel), List.of(), SourcePosition.NONE));
        }
        network = Network.build(new NetworkDefinition("app", services, stages, List.of()), services);
        network.start();
        return this;
    }

    private static ChannelStage channel(final String id, final EventType type, final int threads,
        final List<String> selector, final String listener)
    {
        return new ChannelStage(id, type, false, List.of(), new ChannelStage.Queue(threads, 10_000), false,
            new ChannelStage.Time(null, true, 0), selector, List.of(listener), SourcePosition.NONE);
    }

    /** Adds or replaces a rule. */
    RuleChange put(final Rule rule) throws DeploymentException
    {
        final Map<String, Rule> next = new LinkedHashMap<>(rules);
        next.put(rule.id(), rule);
        return change(next);
    }

    RuleChange remove(final String id) throws DeploymentException
    {
        final Map<String, Rule> next = new LinkedHashMap<>(rules);
        next.remove(id);
        return change(next);
    }

    private RuleChange change(final Map<String, Rule> next) throws DeploymentException
    {
        final RuleChange change = network.rules().change("rules", List.copyOf(next.values()));
        rules.clear();
        rules.putAll(next);
        return change;
    }

    /** The effect on the queries, as {@code id=ACTION} or {@code id=ACTION lost}. */
    static List<String> words(final RuleChange change)
    {
        return change.queries().stream().map(query -> query.id() + '=' + query.action() +
            (query.lostState().isEmpty() ? "" : " lost " + query.lostState())).toList();
    }

    Feed feed()
    {
        return feed;
    }

    /** Sends ticks in batches of random sizes. */
    void send(final List<Tick> ticks, final Random random)
    {
        for (int from = 0; from < ticks.size();)
        {
            final int size = Math.min(ticks.size() - from, 1 + random.nextInt(40));
            feed.send(ticks.subList(from, from + size));
            from += size;
        }
    }

    static List<Tick> ticks(final Random random, final int count, final long firstSeq)
    {
        final List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            ticks.add(new Tick("S" + random.nextInt(10), random.nextInt(100), firstSeq + i));
        }
        return ticks;
    }

    /** Rows of a channel, after everything that was sent has been emitted. */
    List<List<Object>> rows(final String channel) throws DeploymentException
    {
        network.suspend();
        network.resume();
        return sinks.get(channel).rows();
    }

    /** Rows by their first column, in order. */
    static Map<Object, List<List<Object>>> bySymbol(final List<List<Object>> rows)
    {
        return rows.stream().collect(Collectors.groupingBy(row -> row.get(0)));
    }

    Network network()
    {
        return network;
    }

    @SuppressWarnings("unchecked") // The statistics are nested maps of strings to values by contract.
    Map<String, Object> figures(final String stage)
    {
        return ((List<Map<String, Object>>)network.statistics().get("stages")).stream()
            .filter(each -> each.get("id").equals(stage)).findFirst().orElseThrow();
    }

    @Override
    public void close()
    {
        network.stop();
    }
}
