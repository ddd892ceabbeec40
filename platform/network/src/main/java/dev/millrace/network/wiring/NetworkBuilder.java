package dev.millrace.network.wiring;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.condition.StageConditions;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.EventTypeRepository;
import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.stage.BatchRelationSink;
import dev.millrace.api.stage.BatchStreamSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.EventObjects;
import dev.millrace.api.stage.RelationSink;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StreamSink;
import dev.millrace.api.time.Clock;
import dev.millrace.network.bean.BeanRuntime;
import dev.millrace.network.build.DryRunWiring;
import dev.millrace.network.cache.PreloadedCache;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.channel.HeartbeatThread;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.conversion.EventCodec;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.definition.UserFault;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.SourceLanes;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.lane.StageRuntime.Upstream;
import dev.millrace.network.processor.ProcessorEnvironment;
import dev.millrace.network.processor.ProcessorRuntime;
import dev.millrace.network.recording.Playbacks;
import dev.millrace.network.recording.Recordings;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import dev.millrace.network.spi.ProcessorProvider.TimeKind;
import dev.millrace.network.topology.NetworkErrorCode;
import dev.millrace.network.topology.Topology;
import dev.millrace.network.topology.TypePropagation;
import java.net.BindException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the stages of a network in three steps: plan (checks, plans, loads caches), activate (calls the beans), wire
 * (compiles, and connects lanes from top to bottom). When a step fails, the caller must end all {@link #stages()}
 * created so far.
 */
public final class NetworkBuilder
{
    private static final Logger LOG = LoggerFactory.getLogger(NetworkBuilder.class);

    private final NetworkDefinition definition;
    private final NetworkServices services;
    private final HeartbeatThread heartbeats;
    private final List<StageRuntime> stages = new ArrayList<>();
    private final Map<String, StageRuntime> byId = new HashMap<>();
    private final Map<String, PlannedProcessor> plans = new HashMap<>();
    private final Map<String, Long> plannedInNs = new HashMap<>();
    private final List<Problem> warnings = new ArrayList<>();
    private final MemoryScope memory;
    private Topology topology;
    private Playbacks playbacks;
    /** The stages of the definition, and those that emit the rows of playbacks. */
    private List<StageDefinition> all;

    /**
     * @param services   of the server
     * @param heartbeats receives the lanes and queues that need heartbeats
     */
    public NetworkBuilder(
        final NetworkDefinition definition, final NetworkServices services, final HeartbeatThread heartbeats)
    {
        this.definition = definition;
        this.services = services;
        this.heartbeats = heartbeats;
        memory = new MemoryScope(services.memory(), definition.applicationName());
    }

    /**
     * The memory that the network charges to the instance's budget; close it when nothing of the network is running any
     * more.
     */
    public MemoryScope memory()
    {
        return memory;
    }

    /** The stages created so far, each after those above it. */
    public List<StageRuntime> stages()
    {
        return stages;
    }

    /** Where stages record events; {@code null} if the server has no event store. */
    public EventStore eventStore()
    {
        return services.eventStore();
    }

    /** The playbacks of the stages; complete after {@link #plan}. */
    public Playbacks playbacks()
    {
        return playbacks;
    }

    /** The recordings of the stages, none of which has been started. */
    public Recordings recordings()
    {
        return new Recordings(definition, services.eventStore(), services.clock());
    }

    /** Warnings, with their positions, about settings and rules that are allowed but probably not intended. */
    public List<Problem> warnings()
    {
        return warnings;
    }

    /**
     * Checks the network, plans its rules and loads caches. No bean is called.
     *
     * @throws DeploymentException with all problems found
     */
    public void plan() throws DeploymentException
    {
        definition.warnings().forEach(warning -> warn("a setting may not do what is intended", warning));
        NetworkCheck.check(definition, services);
        topology = new Topology(definition.stages());
        RecordingCheck.check(definition, topology, services.eventStore());
        playbacks = new Playbacks(definition, services.eventStore(), services.clock());
        all = Stream.concat(definition.stages().stream(), playbacks.stages().stream()).toList();
        topology = new Topology(all);
        planRules();
        new TypePropagation(definition.applicationName(), topology, plans).check();
        checkBeanClasses();
        loadCaches();
    }

    /**
     * Compiles the rules and discards the result; called after {@link #plan}.
     *
     * @throws DeploymentException with all problems found
     */
    public void tryRules() throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        for (final StageDefinition stage : topology.order())
        {
            if (stage instanceof ProcessorStage processor)
            {
                try
                {
                    plans.get(stage.id()).start(new DryRunWiring(
                        definition.applicationName() + '/' + stage.id(), services, workers(processor))).stop();
                }
                catch (final DeploymentException e)
                {
                    problems.addAll(e.problems());
                }
                catch (final RuntimeException | LinkageError | AssertionError e)
                {
                    throw internal(stage, e);
                }
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    /**
     * Creates all stages and activates the beans; called after {@link #plan}.
     *
     * @param before called when a bean finds its port taken
     * @throws DeploymentException when a bean refuses
     */
    public void activate(final Predecessor before) throws DeploymentException
    {
        for (final StageDefinition stage : topology.order())
        {
            final StageRuntime runtime = make(stage);
            stages.add(runtime);
            byId.put(stage.id(), runtime);
        }
        activateBeans(before);
    }

    private void planRules() throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        for (final StageDefinition stage : topology.order())
        {
            if (stage instanceof ProcessorStage processor)
            {
                final Map<String, InputChannel> inputs = new LinkedHashMap<>();
                for (final ChannelStage channel : topology.channelsAbove(stage.id()))
                {
                    inputs.put(channel.id(), input(channel));
                }
                try
                {
                    final long startNs = services.clock().epochNs();
                    plans.put(stage.id(), services.processorProvider(processor.provider()).plan(processor, inputs));
                    plannedInNs.put(stage.id(), services.clock().epochNs() - startNs);
                }
                catch (final DeploymentException e)
                {
                    problems.addAll(e.problems());
                }
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
        plans.values().forEach(plan -> plan.warnings().forEach(
            warning -> warn("rules may not do what is intended", warning)));
    }

    private void warn(final String fact, final Problem warning)
    {
        warnings.add(warning);
        LOG.warn("{}, application={} {}", fact, definition.applicationName(), warning.format());
    }

    private InputChannel input(final ChannelStage channel)
    {
        final boolean isSilent = channel.changes().silent() == null ?
            topology.above(channel.id()).stream().noneMatch(ProcessorStage.class::isInstance) :
            channel.changes().silent();
        return new InputChannel(channel.id(), channel.eventType(), channel.relation(), timeKind(channel),
            channel.relation() && isSilent, channel.primaryKey(),
            channel.sharing() == null ? null : channel.sharing().property(), timeProperty(channel));
    }

    /** Each lane into a channel checks the order of the rows of that lane only, so there must be exactly one. */
    private String timeProperty(final ChannelStage channel)
    {
        final List<StageDefinition> above = topology.above(channel.id());
        return channel.sharing() == null && above.size() == 1 && above.get(0) instanceof BeanStage ?
            channel.time().timestampProperty() : null;
    }

    /**
     * Whether no two rows have the same time: promised for application time, ensured by the channel for the times it
     * assigns.
     */
    private TimeKind timeKind(final ChannelStage channel)
    {
        if (channel.time().timestampProperty() != null)
        {
            // Rows of several members are in order only per member.
            return channel.time().totalOrder() && channel.sharing() == null ?
                TimeKind.APPLICATION_TOTAL_ORDER : TimeKind.APPLICATION;
        }
        final List<StageDefinition> above = topology.above(channel.id());
        if (above.size() == 1 && above.get(0) instanceof ChannelStage upper)
        {
            return timeKind(upper);
        }
        return above.stream().allMatch(BeanStage.class::isInstance) ? TimeKind.SYSTEM : TimeKind.APPLICATION;
    }

    private void checkBeanClasses() throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        for (final StageDefinition stage : topology.order())
        {
            if (stage instanceof BeanStage bean)
            {
                final EventType sent = TypePropagation.sentType(bean, topology);
                if (sent != null && !(bean.instance() instanceof EventBatchSource))
                {
                    EventCodec.of(new BatchSchema(sent)).writeProblems().forEach(text -> add(problems, bean, text));
                }
                for (final ChannelStage channel : topology.channelsAbove(bean.id()))
                {
                    if (!(bean.instance() instanceof EventBatchSink))
                    {
                        EventCodec.of(new BatchSchema(channel.eventType())).readProblems()
                            .forEach(text -> add(problems, bean, text));
                        noteInsertsOnly(bean, channel);
                    }
                }
            }
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private static void add(final List<Problem> problems, final BeanStage bean, final String text)
    {
        problems.add(new Problem(NetworkErrorCode.BEAN_CLASS, bean.position(), text + " stage=" + bean.id(),
            "make the event class public, with a public constructor without parameters, getters and setters", ""));
    }

    private void noteInsertsOnly(final BeanStage bean, final ChannelStage channel)
    {
        final boolean takesInsertsOnly = bean.instance() instanceof StreamSink stream ?
            !(stream instanceof RelationSink) : bean.instance() instanceof BatchStreamSink batch &&
            !(batch instanceof BatchRelationSink);
        if (channel.relation() && takesInsertsOnly)
        {
            LOG.info("a stream sink below a relation receives its insertions only, application={} stage={} channel={}",
                definition.applicationName(), bean.id(), channel.id());
        }
    }

    private void loadCaches() throws DeploymentException
    {
        for (final Cache cache : definition.caches())
        {
            if (cache instanceof PreloadedCache preloaded)
            {
                try
                {
                    preloaded.preload();
                }
                catch (final DeploymentException e)
                {
                    // Its message already includes what to do.
                    throw e;
                }
                catch (final Exception | Error e)
                {
                    final UserFault fault = new UserFault(e, null);
                    throw new DeploymentException(List.of(new Problem(NetworkErrorCode.CACHE_LOAD, SourcePosition.NONE,
                        "cache could not be loaded, cache=" + cache.id() + " reason=" + fault.reason(),
                        fault.hint("correct what the loader reads, or the cache's settings"), "")), e);
                }
            }
        }
    }

    private StageRuntime make(final StageDefinition stage)
    {
        final String qualifiedName = definition.applicationName() + '/' + stage.id();
        final Clock clock = services.clock();
        if (stage instanceof ChannelStage channel)
        {
            final int threads = channel.queue().maxThreads();
            return new ChannelRuntime(channel, qualifiedName, new BatchSchema(channel.eventType()),
                topology.feedsProcessor(channel) ? Math.min(1, threads) : threads, clock, services.threads(),
                heartbeats, services.partitionedChannels(), memory);
        }
        if (stage instanceof ProcessorStage processor)
        {
            final ProcessorRuntime runtime = new ProcessorRuntime(processor, plans.get(stage.id()),
                new ProcessorEnvironment(qualifiedName, workers(processor), memory, clock, services.threads(),
                    processor.durable() ? services.durableStorage(definition.applicationName(), stage.id()) : null));
            runtime.plannedIn(plannedInNs.get(stage.id()));
            return runtime;
        }
        final BeanStage bean = (BeanStage)stage;
        final StageMeter meter = new StageMeter(qualifiedName, clock);
        final EventType sent = TypePropagation.sentType(bean, topology);
        return make(bean, meter, sent == null ? null : new SourceLanes(qualifiedName, new BatchSchema(sent), meter));
    }

    /**
     * Creates the stage of a bean that is added to a running network.
     *
     * @param bean   of the next version
     * @param before the stage whose lanes and statistics it takes over; {@code null} for a new bean, which sends
     *               nothing
     * @return stage, to be activated
     */
    public BeanRuntime make(final BeanStage bean, final BeanRuntime before)
    {
        return before == null ?
            make(bean, new StageMeter(definition.applicationName() + '/' + bean.id(), services.clock()), null) :
            make(bean, before.meter(), before.lanes());
    }

    private BeanRuntime make(final BeanStage bean, final StageMeter meter, final SourceLanes lanes)
    {
        final RaisedConditions raised = new RaisedConditions(bean.id(), services.clock());
        return new BeanRuntime(bean, definition.applicationName() + '/' + bean.id(),
            new Context(definition.applicationName(), bean.id(), definition.eventTypes(), services.clock(), raised,
                memory),
            raised, lanes, meter, services.outputPermit(), services.threads());
    }

    private int workers(final ProcessorStage processor)
    {
        final int channelThreads = topology.channelsAbove(processor.id()).stream()
            .mapToInt(channel -> channel.queue().maxThreads()).max().orElse(0);
        final int asked = Math.max(processor.workers(), channelThreads);
        return Math.max(1, asked == 0 ? services.defaultWorkers() : asked);
    }

    private void activateBeans(final Predecessor before) throws DeploymentException
    {
        for (final StageDefinition stage : all)
        {
            if (byId.get(stage.id()) instanceof BeanRuntime bean)
            {
                activate(bean, before);
            }
        }
    }

    /**
     * Activates a bean.
     *
     * @param bean   created by {@link #make}
     * @param before called when the bean finds its port taken
     * @throws DeploymentException when the bean refuses
     */
    public void activate(final BeanRuntime bean, final Predecessor before) throws DeploymentException
    {
        try
        {
            activateOrRelease(bean, before);
        }
        catch (final Exception | Error e)
        {
            final Object object = bean.definition().instance();
            final UserFault fault = new UserFault(e, object.getClass().getClassLoader());
            throw new DeploymentException(List.of(new Problem(NetworkErrorCode.CALL_BACK, bean.definition().position(),
                "stage refused to start, stage=" + bean.definition().id() + " class=" + object.getClass().getName() +
                " reason=" + fault.reason(), fault.hint("correct its properties or what it needs"), "")), e);
        }
    }

    /** The previous version keeps its ports until this one needs them, because it may have to continue. */
    private void activateOrRelease(final BeanRuntime bean, final Predecessor before) throws Exception
    {
        try
        {
            bean.activate();
        }
        catch (final Exception taken)
        {
            if (!isPortTaken(taken) || !before.release(bean.definition().id(),
                definition.stages().stream().map(StageDefinition::id).collect(Collectors.toSet())))
            {
                throw taken;
            }
            bean.activate();
        }
    }

    private static boolean isPortTaken(final Throwable failure)
    {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof BindException))
        {
            cause = cause.getCause();
        }
        return cause != null;
    }

    /** Channels and processors are registered with each other before lanes are opened. */
    private void introduce()
    {
        for (final StageRuntime stage : stages)
        {
            if (stage instanceof ChannelRuntime channel)
            {
                topology.above(channel.definition().id()).stream().filter(ProcessorStage.class::isInstance)
                    .forEach(processor ->
                    {
                        channel.expect(processor.id());
                        ((ProcessorRuntime)byId.get(processor.id())).feeds(channel);
                    });
            }
            else if (stage instanceof ProcessorRuntime processor)
            {
                topology.channelsAbove(stage.definition().id()).forEach(channel ->
                    processor.reads((ChannelRuntime)byId.get(channel.id())));
            }
        }
    }

    /**
     * Wires all lanes; called after {@link #activate}.
     *
     * @throws DeploymentException when rules cannot be compiled
     */
    public void wire() throws DeploymentException
    {
        introduce();
        for (final StageRuntime stage : stages)
        {
            final List<Upstream> above = new ArrayList<>();
            for (final StageDefinition upper : topology.above(stage.definition().id()))
            {
                for (final Outlet outlet : byId.get(upper.id()).outlets())
                {
                    above.add(new Upstream(upper, outlet));
                }
            }
            try
            {
                stage.wire(above);
            }
            catch (final RuntimeException | LinkageError | AssertionError e)
            {
                throw internal(stage.definition(), e);
            }
        }
        for (final StageRuntime stage : stages)
        {
            if (stage instanceof ProcessorRuntime processor)
            {
                topology.channelsAbove(stage.definition().id()).forEach(channel ->
                    ((ChannelRuntime)byId.get(channel.id())).addKeeper(processor.keeper(channel.id())));
            }
        }
    }

    private static DeploymentException internal(final StageDefinition stage, final Throwable e)
    {
        return new DeploymentException(List.of(new Problem(NetworkErrorCode.INTERNAL, stage.position(),
            "stage could not be started, stage=" + stage.id() + " reason=" + e,
            "this is an internal error; please report it with the server's log", "")), e);
    }

    private record Context(String applicationName, String stageId, EventTypeRepository eventTypes, Clock clock,
        StageConditions conditions, MemoryScope scope) implements StageContext
    {
        @Override
        public MemoryAccount memory(final String part)
        {
            return scope.open(stageId, "", part);
        }

        @Override
        public EventObjects objects(final BatchSchema schema)
        {
            return EventCodec.of(schema, eventTypes);
        }
    }
}
