package dev.millrace.network.processor;

import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventType;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.channel.PartitionStateHolder;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StartFailedException;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.SinkInlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.DynamicOutputs;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.spi.RunningProcessor;
import dev.millrace.network.topology.NetworkErrorCode;
import dev.millrace.network.topology.TypePropagation;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running processor: the object that its provider created, between counted inputs and outputs. */
public final class ProcessorRuntime implements StageRuntime
{
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorRuntime.class);
    private static final long FORGET_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private volatile ProcessorStage definition;
    private final String qualifiedName;
    private final PlannedProcessor plan;
    private final int workers;
    private final DurableStorage storage;
    private final MemoryScope memory;
    private final Clock clock;
    private final ThreadFactory threads;
    private final StageMeter meter;
    private final RaisedConditions raised;
    private final List<Outlet> outlets = new ArrayList<>();
    private final List<ChannelRuntime> below = new ArrayList<>();
    private long plannedInNs;
    private volatile long startedInNs;
    private boolean wired;
    private volatile RunningProcessor running;
    /** Sees lanes that are opened and closed with rules; {@code null} for none. Guarded by the network. */
    private OutletWatcher watcher;
    /** Warnings about channels that discard deletions, by query. */
    private volatile Map<String, List<Problem>> deletionsLeftOut = Map.of();
    /** Warnings about state of durable rules that were changed while the application did not run. */
    private volatile List<Problem> lostAtStart = List.of();
    private volatile RuleChange restored;

    /**
     * @param qualifiedName {@code application/stage}
     * @param plan          its rules, planned
     * @param workers       threads that may share a rule
     * @param threads       creates workers
     * @param storage       {@code null} unless it is durable
     */
    public ProcessorRuntime(
        final ProcessorStage definition,
        final String qualifiedName,
        final PlannedProcessor plan,
        final int workers,
        final MemoryScope memory,
        final Clock clock,
        final ThreadFactory threads,
        final DurableStorage storage)
    {
        this.storage = storage;
        this.definition = definition;
        this.qualifiedName = qualifiedName;
        this.plan = plan;
        this.workers = workers;
        this.memory = memory;
        this.clock = clock;
        this.threads = threads;
        meter = new StageMeter(qualifiedName, clock);
        raised = new RaisedConditions(definition.id(), clock);
    }

    @Override
    public ProcessorStage definition()
    {
        return definition;
    }

    @Override
    public String kind()
    {
        return "processor";
    }

    @Override
    public StageMeter meter()
    {
        return meter;
    }

    @Override
    public List<Condition> conditions(final long nowNs)
    {
        final List<Condition> all = new ArrayList<>(raised.list());
        all.addAll(StageRuntime.super.conditions(nowNs));
        return all;
    }

    @Override
    public List<Outlet> outlets()
    {
        synchronized (outlets)
        {
            return List.copyOf(outlets);
        }
    }

    @Override
    public void wire(final List<Upstream> above) throws DeploymentException
    {
        final Map<String, List<Object>> threadsOf = new HashMap<>();
        above.forEach(upstream -> threadsOf.computeIfAbsent(upstream.from().id(), channel -> new ArrayList<>())
            .add(upstream.outlet().thread()));
        final long startNs = clock.epochNs();
        running = plan.start(new Wiring(threadsOf));
        startedInNs = clock.epochNs() - startNs;
        for (final Upstream upstream : above)
        {
            upstream.outlet().add(new SinkInlet(running.openInput(upstream.from().id()), meter));
        }
        final Object one = threadsOf.values().stream().allMatch(threads -> threads.size() == 1) &&
            threadsOf.values().stream().flatMap(List::stream).distinct().count() == 1 && workers == 1 ?
            threadsOf.values().iterator().next().get(0) : null;
        synchronized (outlets)
        {
            if (one != null)
            {
                outlets.forEach(outlet -> outlet.runsOn(one));
            }
            wired = true;
        }
        final Map<String, List<Problem>> leftOut = new LinkedHashMap<>();
        plan.outputs().forEach(output ->
            leftOut.put(output.queryId(), deletionsLeftOut(output, channel -> channel.takes(output.queryId()))));
        deletionsLeftOut = leftOut;
        warnings().forEach(this::warn);
    }

    private List<Problem> deletionsLeftOut(final QueryOutput output, final Predicate<ChannelRuntime> takes)
    {
        return below.stream().filter(takes)
            .flatMap(channel -> TypePropagation.deletionsLeftOut(output, channel.definition()).stream()).toList();
    }

    private void warn(final Problem warning)
    {
        LOG.warn("rules may not do what is intended, stage={} {}", qualifiedName, warning.format());
    }

    /**
     * Warnings, with their positions, about combinations of the current rules and the channels below that are allowed
     * but probably not intended.
     */
    public List<Problem> warnings()
    {
        return Stream.concat(lostAtStart.stream(), deletionsLeftOut.values().stream().flatMap(List::stream)).toList();
    }

    /** Records the time it took to plan the rules, in nanoseconds; called before it is wired. */
    public void plannedIn(final long ns)
    {
        plannedInNs = ns;
    }

    /**
     * Registers a channel directly below that receives rows of the processor; called before anything is wired into it.
     */
    public void feeds(final ChannelRuntime channel)
    {
        below.add(channel);
        if (storage != null && !storage.units().isEmpty())
        {
            channel.continuesRows();
        }
    }

    /** Registers a channel directly above, before anything is wired. */
    public void reads(final ChannelRuntime channel)
    {
        if (storage != null)
        {
            channel.storedIn(() -> running.storedRelation(channel.definition().id()));
        }
    }

    /**
     * Replaces the rules while events flow. Called by one managing thread at a time, not after {@link #stop}.
     *
     * @param rules    all rules from now on, bound
     * @param accepted as in {@link RunningProcessor#change}
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed
     */
    public RuleChange changeRules(final List<ProcessorStage.Rule> rules, final Runnable accepted)
        throws DeploymentException
    {
        return change(definition.withRules(rules), accepted);
    }

    /**
     * Replaces the rules and the objects that they use while events flow, like {@link #changeRules}. Queries that use
     * an object that was replaced restart without state.
     *
     * @param next the processor with the same sources
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed
     */
    public RuleChange change(final ProcessorStage next) throws DeploymentException
    {
        return change(next, () ->
        {
        });
    }

    private RuleChange change(final ProcessorStage next, final Runnable accepted) throws DeploymentException
    {
        final Outputs outputs = new Outputs(next);
        final RuleChange change = running.change(next, outputs, accepted);
        definition = next;
        return changed(change, outputs);
    }

    /** Updates the warnings after a change of the rules. */
    private RuleChange changed(final RuleChange change, final Outputs outputs)
    {
        LOG.info("rules changed, stage={} queries={} pausedUs={}", qualifiedName, change.queries().stream()
            .map(query -> query.id() + '=' + query.action()).toList(), change.pausedNs() / 1_000);
        final Map<String, List<Problem>> before = deletionsLeftOut;
        final Map<String, List<Problem>> after = new LinkedHashMap<>();
        final List<String> notes = new ArrayList<>(change.notes());
        for (final RuleChange.QueryChange query : change.queries())
        {
            if (query.action() == RuleChange.Action.KEPT)
            {
                after.put(query.id(), before.getOrDefault(query.id(), List.of()));
            }
            else if (query.action() != RuleChange.Action.STOPPED)
            {
                final List<Problem> warnings = outputs.deletionsLeftOut.getOrDefault(query.id(), List.of());
                after.put(query.id(), warnings);
                warnings.forEach(this::warn);
                warnings.forEach(warning -> notes.add(warning.code() + ' ' + warning.text() + "; " + warning.hint()));
            }
        }
        deletionsLeftOut = after;
        return new RuleChange(change.queries(), notes, change.pausedNs());
    }

    /** Describes the state that each query holds, in words; called while no rows arrive. */
    public Map<String, String> heldState()
    {
        return running == null ? Map.of() : running.heldState();
    }

    /** Returns the keeper for the state of partitions of a partitioned channel above. */
    public PartitionStateHolder keeper(final String channelId)
    {
        return new PartitionStateHolder()
        {
            @Override
            public boolean forget(final BitSet partitions, final BiConsumer<String, byte[]> to)
            {
                return told(channelId, running.forget(channelId, partitions, FORGET_TIMEOUT_NS,
                    state -> to.accept(qualifiedName, state)));
            }

            @Override
            public boolean takeOver(final BitSet partitions, final String stage, final byte[] state)
            {
                return !stage.equals(qualifiedName) ||
                    told(channelId, running.takeOver(channelId, partitions, state, FORGET_TIMEOUT_NS));
            }
        };
    }

    private boolean told(final String channelId, final boolean isDone)
    {
        if (!isDone)
        {
            LOG.warn("partitions cannot be released or taken over yet, because rows inside are not processed, stage={} "
                + "channel={}; tried again, check the stages below", qualifiedName, channelId);
        }
        return isDone;
    }

    @Override
    public void start()
    {
        try
        {
            final Outputs outputs = new Outputs(definition);
            final RuleChange change = running.begin(outputs);
            if (storage != null)
            {
                restored = change == null ? kept() : change;
            }
            if (change != null)
            {
                lostAtStart = lost(changed(change, outputs));
                lostAtStart.forEach(lost -> LOG.warn("state was lost, stage={} {}", qualifiedName, lost.format()));
            }
        }
        catch (final DeploymentException refused)
        {
            throw new StartFailedException(refused);
        }
    }

    private RuleChange kept()
    {
        return new RuleChange(running.heldState().keySet().stream().sorted()
            .map(query -> new RuleChange.QueryChange(query, RuleChange.Action.KEPT, "")).toList(), List.of(), 0);
    }

    /** The outcome of the start for the stored state; {@code null} unless it is durable and has started. */
    public RuleChange restored()
    {
        return restored;
    }

    private List<Problem> lost(final RuleChange change)
    {
        return change.queries().stream().filter(query -> !query.lostState().isEmpty()).map(query -> new Problem(
            NetworkErrorCode.STATE_LOST, definition.position(), "the rules differ from those before the start, so " +
            "the state of a query was lost, processor=" + definition.id() + " query=" + query.id() + " action=" +
            query.action() + " state=" + query.lostState(), "none: its rows are complete from now on", "")).toList();
    }

    @Override
    public void pause(final Deadline deadline)
    {
        if (running != null && !running.drain(deadline.remainingNs()))
        {
            LOG.warn("rows were still being processed after the time limit, stage={}", qualifiedName);
        }
    }

    @Override
    public boolean hold(final Deadline deadline)
    {
        return running == null || running.drain(deadline.remainingNs());
    }

    @Override
    public void resume()
    {
        // Never paused: its sources were.
    }

    @Override
    public void stop(final Deadline deadline)
    {
        if (running != null)
        {
            pause(deadline);
            running.stop();
        }
    }

    @Override
    public void destroy()
    {
        // Released everything when it stopped.
    }

    @Override
    public void describe(final Map<String, Object> figures)
    {
        figures.put("workers", workers);
        figures.put("plannedInMicros", plannedInNs / 1_000);
        figures.put("startedInMicros", startedInNs / 1_000);
        if (running != null)
        {
            figures.put("own", running.statistics());
        }
    }

    @Override
    public void watchOutlets(final OutletWatcher next)
    {
        watcher = next;
        if (next != null)
        {
            outlets().forEach(outlet -> next.opened(outlet, typesBelow(outlet.queryId(), ChannelRuntime::takes)));
        }
    }

    private List<EventType> typesBelow(final String queryId, final BiPredicate<ChannelRuntime, String> takes)
    {
        return below.stream().filter(channel -> takes.test(channel, queryId))
            .map(channel -> channel.definition().eventType()).distinct().toList();
    }

    /** Opens one outlet for queries. */
    private Outlet openTogether(final List<String> queries, final Map<String, BatchSchema> schemas,
        final Function<String, QueryOutput> planned, final Map<String, EventBatchSink> opened)
    {
        final String first = queries.get(0);
        final Outlet outlet = new Outlet(schemas.get(first), first, null, meter.openOut());
        outlet.uniqueBy(queries.size() == 1 ? planned.apply(first).unique() : null);
        synchronized (outlets)
        {
            outlets.add(outlet);
        }
        queries.forEach(query -> opened.put(query, outlet));
        return outlet;
    }

    /** The surroundings of this processor. */
    private final class Wiring implements ProcessorWiring
    {
        private final Map<String, List<Object>> threadsOf;

        Wiring(final Map<String, List<Object>> threadsOf)
        {
            this.threadsOf = threadsOf;
        }

        @Override
        public String qualifiedName()
        {
            return qualifiedName;
        }

        @Override
        public MemoryAccount openMemory(final String rule, final String part)
        {
            return memory.open(definition.id(), rule, part);
        }

        @Override
        public Clock clock()
        {
            return clock;
        }

        @Override
        public ThreadFactory threads()
        {
            return threads;
        }

        @Override
        public int workers()
        {
            return workers;
        }

        @Override
        public DurableStorage storage()
        {
            return storage;
        }

        @Override
        public Collection<String> channels()
        {
            return threadsOf.keySet();
        }

        @Override
        public int sourceThreads(final String channelId)
        {
            return threadsOf.getOrDefault(channelId, List.of()).size();
        }

        @Override
        public Object sourceThread(final String channelId)
        {
            final List<Object> threads = threadsOf.getOrDefault(channelId, List.of());
            return threads.size() == 1 ? threads.get(0) : null;
        }

        @Override
        public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
        {
            synchronized (outlets)
            {
                if (wired)
                {
                    throw new IllegalStateException("outputs are opened before the first event, stage=" +
                        qualifiedName + " queries=" + queryIds);
                }
            }
            final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
            queryIds.forEach(query -> schemas.put(query, new BatchSchema(planned(query).type())));
            final Map<String, EventBatchSink> opened = new HashMap<>();
            new OutletSharing(below, ChannelRuntime::takes).of(schemas)
                .forEach(together -> openTogether(together, schemas, this::planned, opened));
            return opened;
        }

        @Override
        public Map<String, EventBatchSink> openEarlierOutputs(final List<QueryOutput> queries)
        {
            final Map<String, QueryOutput> byId = new LinkedHashMap<>();
            queries.forEach(output -> byId.put(output.queryId(), output));
            final Map<String, BatchSchema> schemas = new LinkedHashMap<>();
            final Map<String, EventBatchSink> opened = new HashMap<>();
            byId.forEach((query, output) ->
            {
                final BatchSchema schema = new BatchSchema(output.type());
                if (below.stream().filter(channel -> channel.takes(query))
                    .allMatch(channel -> accepts(channel, output)))
                {
                    schemas.put(query, schema);
                }
                else
                {
                    LOG.warn("rows that an earlier rule emits when it is restored are dropped, because the channels " +
                        "below cannot accept them, stage={} query={}", qualifiedName, query);
                    opened.put(query, new Outlet(schema, query, null, meter.openOut()));
                }
            });
            new OutletSharing(below, ChannelRuntime::takes).of(schemas)
                .forEach(together -> openTogether(together, schemas, byId::get, opened));
            return opened;
        }

        private boolean accepts(final ChannelRuntime channel, final QueryOutput output)
        {
            try
            {
                TypePropagation.check(output, channel.definition());
                return true;
            }
            catch (final DeploymentException unfit)
            {
                LOG.info("an earlier rule does not fit, stage={} {}", qualifiedName, unfit.getMessage());
                return false;
            }
        }

        private QueryOutput planned(final String queryId)
        {
            return plan.outputs().stream().filter(output -> output.queryId().equals(queryId)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                    "no such query output, stage=" + qualifiedName + " query=" + queryId));
        }

        @Override
        public StageConditions conditions()
        {
            return raised;
        }

        @Override
        public void reject(final int rows, final String reason, final String detail)
        {
            meter.rejections().count(rows, reason, detail, null);
        }
    }

    /** The outputs of queries that start and stop while the network is running. */
    private final class Outputs implements DynamicOutputs
    {
        private final ProcessorStage next;
        private final Map<String, List<Problem>> deletionsLeftOut = new HashMap<>();
        private final Map<String, QueryOutput> planned = new HashMap<>();

        Outputs(final ProcessorStage next)
        {
            this.next = next;
        }

        /** A selector may name a query with bindings by the id in the configuration file. */
        private boolean takes(final ChannelRuntime channel, final String queryId)
        {
            return channel.takes(queryId) || next.rules().stream()
                .anyMatch(rule -> rule.id().equals(queryId) && channel.takes(rule.writtenId()));
        }

        @Override
        public void check(final QueryOutput output) throws DeploymentException
        {
            final List<Problem> problems = new ArrayList<>();
            planned.put(output.queryId(), output);
            deletionsLeftOut.put(output.queryId(), ProcessorRuntime.this.deletionsLeftOut(output,
                channel -> takes(channel, output.queryId())));
            for (final ChannelRuntime channel : below)
            {
                try
                {
                    if (takes(channel, output.queryId()))
                    {
                        TypePropagation.check(output, channel.definition());
                    }
                }
                catch (final DeploymentException unfit)
                {
                    problems.addAll(unfit.problems());
                }
            }
            if (!problems.isEmpty())
            {
                throw new DeploymentException(problems);
            }
        }

        @Override
        public List<String> takers(final String queryId)
        {
            return below.stream().filter(channel -> takes(channel, queryId))
                .map(channel -> channel.definition().id()).toList();
        }

        @Override
        public Map<String, EventBatchSink> open(final Map<String, BatchSchema> queries)
        {
            final Map<String, EventBatchSink> opened = new HashMap<>();
            for (final List<String> together : new OutletSharing(below, this::takes).of(queries))
            {
                final Outlet outlet = openTogether(together, queries, planned::get, opened);
                below.stream().filter(channel -> takes(channel, together.get(0)))
                    .forEach(channel -> channel.attach(new Upstream(definition, outlet)));
                if (watcher != null)
                {
                    watcher.opened(outlet, typesBelow(together.get(0), this::takes));
                }
            }
            return opened;
        }

        @Override
        public void close(final EventBatchSink output)
        {
            final Outlet outlet = (Outlet)output;
            synchronized (outlets)
            {
                outlets.remove(outlet);
            }
            below.forEach(channel -> channel.detach(outlet));
            outlet.close();
            if (watcher != null)
            {
                watcher.closed(outlet);
            }
            meter.close(outlet.counters());
        }
    }
}
