package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.compiler.janino.ClassCache;
import dev.millrace.cql.compiler.janino.ClassCompiler;
import dev.millrace.cql.compiler.janino.JaninoClassCompiler;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode.TimeKind;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One rule, usually as a flow, in a processor, with input rows of two streams and a relation. */
public final class FlowRun
{
    private static final Map<String, EventType> TYPES = Map.of(
        "S", EventType.tuple("ST", property("sym", CqlType.CHAR), property("price", CqlType.DOUBLE),
            property("q", CqlType.INT)),
        "T", EventType.tuple("TT", property("sym", CqlType.CHAR), property("rate", CqlType.DOUBLE),
            property("b", CqlType.INT)),
        "R", EventType.tuple("RT", property("sym", CqlType.CHAR), property("name", CqlType.CHAR)));
    private static final EventType CACHED =
        EventType.tuple("CT", property("sym", CqlType.CHAR), property("name", CqlType.CHAR));
    private static final CacheSettings SETTINGS = new CacheSettings("C", CACHED, List.of("sym"), 100_000, null);
    private static final long MILLISECOND = 1_000_000L;
    /** Each rule is planned and compiled once for all runs. */
    private static final Map<Planning, ProcessorPlan> PLANS = new ConcurrentHashMap<>();
    private static final ClassCompiler CLASS_MAKER = new JaninoClassCompiler(new RememberedClasses());

    private final List<RuleText> rules = new ArrayList<>();
    private final int workers;
    private final int sources;
    private TimeKind time = TimeKind.APPLICATION;
    private Map<String, String> shared = Map.of();
    private TestWiring wiring;
    private RunningProcessor running;
    /** Inputs of the only source. */
    private final Map<String, EventBatchSink> opened = new HashMap<>();
    private DurableStorage storage;
    private Receiver receiver;
    private Cache cache;

    public FlowRun(final String text, final String order, final String expression, final int workers, final int sources)
    {
        rules.add(new RuleText("q", false, text, null, order, expression));
        this.workers = workers;
        this.sources = sources;
    }

    /**
     * Rows of one channel at one time.
     *
     * @param channel S, T or R; C for changes of the cache, when all earlier rows are processed; snapshot for one
     * @param timeNs  time of all rows
     * @param rows    values
     * @param kinds   one per row
     */
    public record Step(String channel, long timeNs, List<List<Object>> rows, List<Byte> kinds)
    {
    }

    static EventType type(final String channel)
    {
        return TYPES.get(channel);
    }

    private static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    /** Random rows: few values, many equal times, nulls. */
    public static List<Step> steps(final Random random, final int count, final int symbols)
    {
        final List<Step> steps = new ArrayList<>();
        final Map<Object, List<Object>> relation = new HashMap<>();
        long time = 0;
        for (int i = 0; i < count; i++)
        {
            time += random.nextInt(3) * MILLISECOND;
            final int kind = random.nextInt(10);
            final List<List<Object>> rows = new ArrayList<>();
            final List<Byte> kinds = new ArrayList<>();
            for (int row = random.nextInt(4); row >= 0; row--)
            {
                if (kind == 0)
                {
                    change(random, relation, symbols, rows, kinds);
                }
                else
                {
                    rows.add(row(random, symbols));
                    kinds.add(EventBatch.INSERT);
                }
            }
            steps.add(new Step(kind == 0 ? "R" : kind < 4 ? "T" : "S", time, rows, kinds));
        }
        return steps;
    }

    /**
     * The steps and two rows of one price for each symbol: no pattern that waits for rises, falls or an equal number is
     * undecided then, so no complete match of another partition waits for it when the processor stops.
     */
    public static List<Step> calmed(final List<Step> steps, final int symbols)
    {
        final List<Step> all = new ArrayList<>(steps);
        for (int more = 1; more <= 2; more++)
        {
            final List<List<Object>> rows = new ArrayList<>();
            for (int symbol = 0; symbol <= symbols; symbol++)
            {
                rows.add(Arrays.asList(symbol == symbols ? null : "s" + symbol, 9.0, 9));
            }
            all.add(new Step("S", steps.get(steps.size() - 1).timeNs() + more * MILLISECOND, rows,
                Collections.nCopies(rows.size(), EventBatch.INSERT)));
        }
        return all;
    }

    private static List<Object> row(final Random random, final int symbols)
    {
        final List<Object> row = new ArrayList<>();
        final int symbol = random.nextInt(symbols + 1);
        row.add(symbol == symbols ? null : "s" + symbol);
        row.add((double)random.nextInt(10));
        row.add(random.nextInt(4));
        return row;
    }

    private static void change(final Random random, final Map<Object, List<Object>> relation, final int symbols,
        final List<List<Object>> rows, final List<Byte> kinds)
    {
        final Object key = "s" + random.nextInt(symbols);
        final List<Object> old = relation.remove(key);
        if (old != null && random.nextBoolean())
        {
            rows.add(old);
            kinds.add(EventBatch.DELETE);
            return;
        }
        final List<Object> row = List.of(key, "n" + random.nextInt(3));
        relation.put(key, row);
        rows.add(row);
        kinds.add(old == null ? EventBatch.INSERT : EventBatch.UPDATE);
    }

    /** Views that the rule reads, each as name, {@code as} and statement. */
    public FlowRun withViews(final List<String> views)
    {
        for (int i = 0; i < views.size(); i++)
        {
            final String[] parts = views.get(i).split(" as ", 2);
            rules.add(i, new RuleText(parts[0], true, parts[1], null, null, null));
        }
        return this;
    }

    /** A view that the rule reads. */
    public FlowRun withView(final String name, final String text, final String order, final String expression)
    {
        rules.add(rules.size() - 1, new RuleText(name, true, text, null, order, expression));
        return this;
    }

    /** Reads the values of a cache from {@link #newCache}; each step of channel C puts or removes one. */
    public FlowRun withCache(final Cache values)
    {
        cache = values;
        return this;
    }

    /** The type of the values of {@link #newCache}. */
    public static EventType cachedType()
    {
        return CACHED;
    }

    /** The settings of {@link #newCache}. */
    public static CacheSettings cacheSettings()
    {
        return SETTINGS;
    }

    /** A cache without values. */
    public static Cache newCache()
    {
        return new LocalCachingSystem().createCache(SETTINGS);
    }

    /** Puts the name of a symbol into a cache, or removes the symbol if the name is {@code null}. */
    public static void change(final Cache cache, final Object symbol, final Object name)
    {
        if (name == null)
        {
            cache.remove(symbol);
        }
        else
        {
            cache.put(symbol, new TupleEvent(CACHED, symbol, name));
        }
    }

    /** The platform assigns the times of rows. */
    FlowRun withSystemTime()
    {
        time = TimeKind.SYSTEM;
        return this;
    }

    /** The rule as a server plans it, over rows that all have different times: as a pipeline if possible. */
    public FlowRun asPlanned()
    {
        time = TimeKind.APPLICATION_TOTAL_ORDER;
        return this;
    }

    /** The state survives in a storage. */
    public FlowRun storedIn(final DurableStorage there)
    {
        storage = there;
        return this;
    }

    /** The output goes to a receiver that stores the numbers of rows. */
    public FlowRun receivedBy(final Receiver one)
    {
        receiver = one;
        return this;
    }

    /** Channels are partitioned across members by a property. */
    public FlowRun sharedBy(final Map<String, String> channels)
    {
        shared = channels;
        return this;
    }

    /** The inputs that determine a plan. */
    private record Planning(List<RuleText> rules, TimeKind time)
    {
    }

    /** Class files by source text. */
    public static final class RememberedClasses implements ClassCache
    {
        private final Map<List<String>, Map<String, byte[]>> byText = new ConcurrentHashMap<>();

        @Override
        public Map<String, byte[]> find(final String className, final String javaText)
        {
            return byText.get(List.of(className, javaText));
        }

        @Override
        public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
        {
            byText.put(List.of(className, javaText), classFiles);
        }

        @Override
        public void refused(final String className, final String javaText, final Throwable reason)
        {
            throw new AssertionError(className, reason);
        }
    }

    /** Unchanged rules over partitioned channels. */
    private record Shared(Map<String, String> shared) implements ProcessorPlanner
    {
        @Override
        public PlannedRules plan(final ProcessorStage definition, final PlannedRules before)
        {
            throw new UnsupportedOperationException("these tests only start and replace planned rules");
        }

        @Override
        public List<RuleText> texts(final ProcessorStage definition)
        {
            throw new UnsupportedOperationException("these tests only start and replace planned rules");
        }

        @Override
        public ClassCompiler classMaker()
        {
            return CLASS_MAKER;
        }
    }

    public void start() throws DeploymentException
    {
        if (cache == null)
        {
            cache = newCache();
            for (int i = 0; i < 20; i += 2)
            {
                change(cache, "s" + i, "n" + i);
            }
        }
        final ProcessorStage stage = new ProcessorStage("proc", "cql", List.of(),
            Map.of("C", new ProcessorStage.CacheSource(cache, SETTINGS)), 0, List.of(), SourcePosition.NONE);
        final PlannedCqlProcessor planned =
            new PlannedCqlProcessor(new PlannedRules(stage,
                PLANS.computeIfAbsent(new Planning(List.copyOf(rules), time), FlowRun::plan)), new Shared(shared));
        wiring = new TestWiring(workers, sources).storage(storage).receivedBy(receiver);
        opened.clear();
        running = planned.start(wiring);
        running.begin(wiring.dynamicOutputs());
    }

    private static ProcessorPlan plan(final Planning planning)
    {
        final Catalog.Builder catalog = Catalog.builder();
        for (final String name : List.of("S", "T", "R"))
        {
            final boolean relation = name.equals("R");
            catalog.add(new Catalog.ChannelSource(name, TYPES.get(name), relation, planning.time(), false,
                relation ? List.of("sym") : List.of()));
        }
        catalog.cache("C", CACHED, List.of("sym"));
        try
        {
            return (planning.time() == TimeKind.APPLICATION_TOTAL_ORDER ? new RulePlanner() :
                new RulePlanner().flowsOnly()).plan("proc", planning.rules(), catalog.build());
        }
        catch (final CqlException refusal)
        {
            throw new AssertionError(refusal.getMessage(), refusal);
        }
    }

    public TestWiring wiring()
    {
        return wiring;
    }

    public RunningProcessor running()
    {
        return running;
    }

    public EventBatch batch(final String channel)
    {
        return new EventBatch(new BatchSchema(TYPES.get(channel)));
    }

    /** Runs all steps to the end: in order with one source, with one thread per channel for two sources. */
    public List<TestWiring.Row> run(final List<Step> steps) throws Exception
    {
        start();
        if (sources == 1)
        {
            send(steps);
        }
        else
        {
            final List<Thread> senders = new ArrayList<>();
            for (final String channel : TYPES.keySet())
            {
                final List<Step> own = steps.stream().map(step -> step.channel().equals(channel) ? step :
                    new Step(channel, step.timeNs() - 1, List.of(), List.of())).toList();
                senders.add(new Thread(() -> send(own)));
            }
            senders.forEach(Thread::start);
            for (final Thread sender : senders)
            {
                sender.join();
            }
        }
        assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();
        running.stop();
        assertThat(wiring.rejected()).as(() -> "rejected").isZero();
        return wiring.rows("q");
    }

    /** Sends all steps on this thread, and a heartbeat long after the last one. */
    public void send(final List<Step> steps)
    {
        send(steps, true);
    }

    /** Sends all steps on this thread; {@code ends}: and a heartbeat long after the last one. */
    public void send(final List<Step> steps, final boolean ends)
    {
        // Several sources send on their own threads.
        final Map<String, EventBatchSink> inputs = sources == 1 ? opened : new HashMap<>();
        final Map<String, EventBatch> batches = new HashMap<>();
        for (final Step step : steps)
        {
            if (step.channel().equals("C"))
            {
                assertThat(running.drain(TimeUnit.SECONDS.toNanos(60))).isTrue();
                step.rows().forEach(row -> change(cache, row.get(0), row.get(1)));
                continue;
            }
            if (step.channel().equals("snapshot"))
            {
                assertThat(((RunningCqlProcessor)running).snapshot(TimeUnit.SECONDS.toNanos(20))).isTrue();
                continue;
            }
            final EventBatchSink input = inputs.computeIfAbsent(step.channel(), running::openInput);
            deliver(input, fill(batches.computeIfAbsent(step.channel(), this::batch), step, row -> true));
        }
        for (final String channel : TYPES.keySet())
        {
            if (ends && (sources == 1 || inputs.containsKey(channel)))
            {
                final long end = steps.get(steps.size() - 1).timeNs() + 50 * MILLISECOND;
                deliver(inputs.computeIfAbsent(channel, running::openInput), fill(batches.computeIfAbsent(channel,
                    this::batch), new Step(channel, end, List.of(), List.of()), row -> true));
            }
        }
    }

    public static void deliver(final EventBatchSink input, final EventBatch batch)
    {
        try
        {
            input.onBatch(batch);
        }
        catch (final EventRejectedException unexpected)
        {
            throw new IllegalStateException(unexpected);
        }
    }

    /** The rows of a step that satisfy a condition; a heartbeat if no row does. */
    public EventBatch fill(final EventBatch batch, final Step step, final Predicate<List<Object>> condition)
    {
        batch.clear();
        batch.baseTimestampNs(step.timeNs());
        int size = 0;
        for (int row = 0; row < step.rows().size(); row++)
        {
            final List<Object> values = step.rows().get(row);
            if (condition.test(values))
            {
                for (int column = 0; column < values.size(); column++)
                {
                    batch.setValue(column, size, values.get(column));
                }
                batch.useTimestampPerRow()[size] = step.timeNs();
                if (step.channel().equals("R"))
                {
                    batch.useKinds()[size] = step.kinds().get(row);
                }
                size++;
            }
        }
        batch.size(size);
        return batch;
    }
}
