package dev.millrace.cql.processor.simulation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode.TimeKind;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.processor.FlowRun;
import dev.millrace.cql.processor.PlannedCqlProcessor;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.cql.processor.worker.SteppedWorker;
import dev.millrace.cql.processor.worker.ThreadWorker;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A processor with all that surrounds it in one process. The thread of the test does the work of all its threads:
 * sources, workers, and the one that writes snapshots.
 */
final class SimulatedProcess
{
    static final List<String> CHANNELS = List.of("S", "T");

    private static final EventType TYPE = EventType.tuple("ROW", property("sym", CqlType.CHAR),
        property("price", CqlType.DOUBLE), property("q", CqlType.INT));
    private static final ClassCompiler COMPILER = new JaninoClassCompiler();
    private static final Map<Rules, ProcessorPlan> PLANS = new ConcurrentHashMap<>();

    private final Rules rules;
    private final Cache cache = FlowRun.newCache();
    private final Map<String, EventBatchSink> inputs = new HashMap<>();
    private final Map<String, EventBatch> batches = new HashMap<>();
    private final List<SteppedWorker> workers = new ArrayList<>();
    private RunningCqlProcessor running;

    /**
     * The rules and how time is given.
     *
     * @param time whether several rows of a channel may have the same time
     */
    record Rules(List<Statement> statements, TimeKind time)
    {
    }

    /**
     * What the process uses.
     *
     * @param workers     number of workers
     * @param isOneThread whether all channels have the same thread
     * @param storage     {@code null} if the processor is not durable
     * @param outputs     opens the sink of a query
     * @param onWait      called while a thread waits for space
     * @param onReject    receives what is rejected
     */
    record Environment(SimulatedHost host, int workers, boolean isOneThread, DurableStorage storage,
        Function<String, EventBatchSink> outputs, Runnable onWait, Consumer<String> onReject)
    {
    }

    SimulatedProcess(final Rules rules)
    {
        this.rules = rules;
    }

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    private static ProcessorPlan plan(final Rules rules)
    {
        final Catalog.Builder catalog = Catalog.builder();
        CHANNELS.forEach(name ->
            catalog.add(new Catalog.ChannelSource(name, TYPE, false, rules.time(), false, List.of())));
        catalog.cache("C", FlowRun.cachedType(), List.of("sym"));
        try
        {
            return new RulePlanner().plan("proc", rules.statements().stream().map(each -> new RuleText(each.name(),
                false, each.text(), null, "PARTITION_ORDERED", each.partition())).toList(), catalog.build());
        }
        catch (final CqlException refusal)
        {
            throw new IllegalStateException(refusal.getMessage(), refusal);
        }
    }

    /** Starts the processor, which replays its journals. */
    void start(final Environment environment) throws DeploymentException
    {
        final ProcessorStage stage = new ProcessorStage("proc", "cql", List.of(),
            Map.of("C", new ProcessorStage.CacheSource(cache, FlowRun.cacheSettings())), 0, List.of(),
            SourcePosition.NONE);
        final PlannedRules planned = new PlannedRules(stage, PLANS.computeIfAbsent(rules, SimulatedProcess::plan));
        running = (RunningCqlProcessor)new PlannedCqlProcessor(planned, new Planner())
            .start(new Wiring(environment, workers));
        // The rules do not change, so no output is opened or closed.
        running.begin(null);
    }

    /** The rules do not change. */
    private static final class Planner implements ProcessorPlanner
    {
        @Override
        public PlannedRules plan(final ProcessorStage definition, final PlannedRules before)
        {
            throw new UnsupportedOperationException("the rules do not change");
        }

        @Override
        public List<RuleText> texts(final ProcessorStage definition)
        {
            throw new UnsupportedOperationException("the rules do not change");
        }

        @Override
        public ClassCompiler classMaker()
        {
            return COMPILER;
        }
    }

    private EventBatchSink input(final String channel)
    {
        return inputs.computeIfAbsent(channel, running::openInput);
    }

    /** The number of the last row of a producer that is stored. */
    long receivedFrom(final String channel, final String producer)
    {
        return ((SequencedSink)input(channel)).receivedFrom(producer);
    }

    /** Sends rows of one channel as one batch, or one heartbeat. */
    void send(final List<Item> items)
    {
        final String channel = items.get(0).channel();
        final EventBatch batch = batches.computeIfAbsent(channel, id -> new EventBatch(new BatchSchema(TYPE)));
        batch.clear();
        batch.baseTimestampNs(items.get(0).timeNs());
        int row = 0;
        for (final Item item : items)
        {
            if (!item.isHeartbeat())
            {
                batch.texts(0).set(row, item.symbol());
                batch.doubles(1)[row] = item.price();
                batch.ints(2)[row] = item.q();
                batch.useTimestampPerRow()[row] = item.timeNs();
                batch.useSequences()[row] = RowSequence.of(Producers.id(item.producerName()), item.number());
                row++;
            }
        }
        batch.size(row);
        try
        {
            input(channel).onBatch(batch);
        }
        catch (final EventRejectedException unexpected)
        {
            throw new IllegalStateException(unexpected);
        }
        workers.forEach(SteppedWorker::run);
    }

    /** Puts the name of a symbol into the cache. */
    void name(final String symbol, final String name)
    {
        FlowRun.change(cache, symbol, name);
    }

    /** Writes a snapshot; false if the receiver has not stored all rows before it. */
    boolean snapshot()
    {
        return running.snapshot(0);
    }

    /** The stop begins while a thread waits for space. */
    void stopWaiting()
    {
        running.stopWaiting();
    }

    /** Stops the processor in an orderly way. */
    void stop()
    {
        running.stop(0);
    }

    /** What the network provides. */
    private record Wiring(Environment environment, List<SteppedWorker> steppedWorkers) implements ProcessorWiring
    {
        @Override
        public String qualifiedName()
        {
            return "simulation/proc";
        }

        @Override
        public Clock clock()
        {
            return environment.host()::nowNs;
        }

        @Override
        public ThreadFactory threads()
        {
            return task ->
            {
                if (task instanceof ThreadWorker worker)
                {
                    steppedWorkers.add(new SteppedWorker(worker));
                }
                return new Thread(task)
                {
                    @Override
                    public void start()
                    {
                        // The thread of the test does its work.
                    }
                };
            };
        }

        @Override
        public int workers()
        {
            return environment.workers();
        }

        @Override
        public int sourceThreads(final String channelId)
        {
            return 1;
        }

        @Override
        public List<String> channels()
        {
            return CHANNELS;
        }

        @Override
        public Object sourceThread(final String channelId)
        {
            return environment.isOneThread() ? "one" : channelId;
        }

        @Override
        public DurableStorage storage()
        {
            return environment.storage();
        }

        @Override
        public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
        {
            final Map<String, EventBatchSink> opened = new HashMap<>();
            queryIds.forEach(query -> opened.put(query, environment.outputs().apply(query)));
            return opened;
        }

        @Override
        public StageConditions conditions()
        {
            return new StageConditions()
            {
                @Override
                public void raise(final String code, final String text)
                {
                    environment.onWait().run();
                }

                @Override
                public void clear(final String code)
                {
                    // The thread that waited continues.
                }
            };
        }

        @Override
        public void reject(final int rows, final String reason, final String detail)
        {
            environment.onReject().accept(reason + ": " + detail);
        }
    }
}
