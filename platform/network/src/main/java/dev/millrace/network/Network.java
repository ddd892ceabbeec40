package dev.millrace.network;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.stage.StatisticsSource;
import dev.millrace.api.time.Clock;
import dev.millrace.network.bean.BeanRuntime;
import dev.millrace.network.channel.HeartbeatThread;
import dev.millrace.network.condition.CallMonitor;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.PlaybackSettings;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.RecordingSettings;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Rejections;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.processor.ProcessorRuntime;
import dev.millrace.network.recording.Playbacks;
import dev.millrace.network.recording.Recordings;
import dev.millrace.network.recording.StagePlayback;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.topology.NetworkErrorCode;
import dev.millrace.network.wiring.NetworkBuilder;
import dev.millrace.network.wiring.RecordingCheck;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running event processing network.
 *
 * <p>Threads: life-cycle methods may be called from any thread and are serialized; {@link #state()} and
 * {@link #statistics()} never wait for them. Failure: {@link #build} undoes a partial build. A source that fails later
 * is reported by {@link #state()} and {@link #statistics()} while the other stages continue.
 */
public final class Network
{
    /** How long a suspend or stop waits for sources to end, and then for queued rows to be processed. */
    public static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(Network.class);

    private volatile NetworkDefinition definition;
    private volatile List<StageRuntime> stages;
    private final HeartbeatThread heartbeats;
    private volatile List<Problem> warnings;
    private final NetworkHealth health;
    private volatile boolean pauseFailed;
    private volatile NetworkState state = NetworkState.READY;
    /** Memory scopes of the version that the network was built for and of each version that replaced it. */
    private final List<MemoryScope> memory = new CopyOnWriteArrayList<>();
    private final Recordings recordings;
    private final Playbacks playbacks;
    private final EventStore store;

    Network(final NetworkDefinition definition, final NetworkBuilder builder,
        final HeartbeatThread heartbeats, final Clock clock)
    {
        this.definition = definition;
        this.stages = List.copyOf(builder.stages());
        memory.add(builder.memory());
        recordings = builder.recordings();
        playbacks = builder.playbacks();
        store = builder.eventStore();
        this.health = new NetworkHealth(() -> this.definition, () -> this.stages, recordings::conditions, clock);
        this.heartbeats = heartbeats;
        this.warnings = List.copyOf(builder.warnings());
    }

    /**
     * Returns warnings for the deployer about settings and rules that are allowed but probably not intended.
     *
     * @return problems with their positions, usually none
     */
    public List<Problem> warnings()
    {
        return Stream.concat(warnings.stream(), stages.stream().filter(ProcessorRuntime.class::isInstance)
            .flatMap(stage -> ((ProcessorRuntime)stage).warnings().stream())).toList();
    }

    /**
     * Builds a network: checks it, plans its rules, loads caches, calls the beans' {@code setStageContext},
     * {@code afterPropertiesSet}, senders and {@code afterConfigurationActive} in order of definition, and wires all
     * lanes.
     *
     * @param definition the network to build
     * @param services   services of the server
     * @return the network, ready to be started; it must be stopped even if it is never started
     * @throws DeploymentException with all problems found; everything that was begun is undone
     */
    public static Network build(final NetworkDefinition definition, final NetworkServices services)
        throws DeploymentException
    {
        final HeartbeatThread heartbeats =
            new HeartbeatThread(definition.applicationName(), services.clock(), services.threads());
        final NetworkBuilder builder = new NetworkBuilder(definition, services, heartbeats);
        boolean complete = false;
        try
        {
            builder.plan();
            builder.activate(Predecessor.NONE);
            builder.wire();
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                end(builder.stages());
                builder.memory().close();
            }
        }
        return new Network(definition, builder, heartbeats, services.clock());
    }

    /**
     * Starts the stages and runs the sources.
     *
     * @throws IllegalStateException when it was started or stopped before
     * @throws dev.millrace.network.definition.StartFailedException when a stage cannot start; stop it then
     */
    public synchronized void start()
    {
        if (state != NetworkState.READY)
        {
            throw new IllegalStateException("a network can be started only once, application="
                + definition.applicationName() +
                " state=" + state);
        }
        recordings.startConfigured(stages);
        reversed().forEach(StageRuntime::start);
        heartbeats.start();
        state = NetworkState.RUNNING;
    }

    /**
     * Pauses the sources, waits until queued rows are processed, then pauses the stages below. Does nothing when the
     * network is already suspended.
     *
     * @throws DeploymentException when a stage could not be paused; the other stages are paused
     * @throws IllegalStateException when it is not running
     */
    public synchronized void suspend() throws DeploymentException
    {
        if (state == NetworkState.SUSPENDED)
        {
            return;
        }
        if (state != NetworkState.RUNNING)
        {
            throw new IllegalStateException("only a running network can be suspended, application=" +
                definition.applicationName() + " state=" + state);
        }
        heartbeats.pause(true);
        final List<Problem> problems = new ArrayList<>();
        for (final StageRuntime stage : stages)
        {
            attempt("suspended", stage, problems, () -> stage.pause(Deadline.afterNs(DRAIN_NS)));
        }
        state = NetworkState.SUSPENDED;
        pauseFailed = !problems.isEmpty();
        refuse(problems);
    }

    /**
     * Resumes after {@link #suspend()}; a source that had failed runs again.
     *
     * @throws DeploymentException when a stage could not be resumed; the other stages are resumed
     * @throws IllegalStateException when it is not suspended
     */
    public synchronized void resume() throws DeploymentException
    {
        if (state != NetworkState.SUSPENDED)
        {
            throw new IllegalStateException("only a suspended network can be resumed, application=" +
                definition.applicationName() + " state=" + state);
        }
        final List<Problem> problems = new ArrayList<>();
        for (final StageRuntime stage : reversed())
        {
            attempt("resumed", stage, problems, stage::resume);
        }
        heartbeats.pause(false);
        state = NetworkState.RUNNING;
        refuse(problems);
    }

    /**
     * Closes paused sources whose resources the next version needs, see {@link Predecessor}. {@link #renew} must be
     * called for each of them before it can be resumed.
     *
     * @param stageId a source of the next version
     * @param next    ids of all stages of the next version
     * @return the ids of the sources that this call closed
     */
    public synchronized List<String> release(final String stageId, final Set<String> next)
    {
        return stages.stream().filter(stage -> stage instanceof BeanRuntime bean &&
            (bean.definition().id().equals(stageId) || !next.contains(bean.definition().id())) && bean.release())
            .map(stage -> stage.definition().id()).toList();
    }

    /**
     * Replaces the object of a source that was closed.
     *
     * @param stageId  the source
     * @param instance created in the same way as the previous object
     * @throws DeploymentException when the object refuses to start; the stage then counts as failed
     */
    public synchronized void renew(final String stageId, final Object instance) throws DeploymentException
    {
        for (final StageRuntime stage : stages)
        {
            if (stage instanceof BeanRuntime bean && bean.definition().id().equals(stageId))
            {
                try
                {
                    bean.renew(instance);
                }
                catch (final Exception | LinkageError | AssertionError e)
                {
                    throw new DeploymentException(List.of(new Problem(NetworkErrorCode.CALL_BACK,
                        stage.definition().position(),
                        "stage refused to start, stage=" + stageId + " reason=" + e,
                        "correct what it needs and update the application", "")), e);
                }
            }
        }
    }

    /**
     * Describes the state that queries hold, in words; the network must be suspended.
     *
     * @return descriptions by query, by processor; an empty description when a query holds no state
     */
    public synchronized Map<String, Map<String, String>> heldState()
    {
        final Map<String, Map<String, String>> held = new LinkedHashMap<>();
        for (final StageRuntime stage : stages)
        {
            if (stage instanceof ProcessorRuntime processor)
            {
                held.put(processor.definition().id(), processor.heldState());
            }
        }
        return held;
    }

    /**
     * Returns the outcome of the start for the stored state of durable processors.
     *
     * @return the outcome for each query, by processor; empty before the start
     */
    public Map<String, RuleChange> restored()
    {
        final Map<String, RuleChange> restored = new LinkedHashMap<>();
        for (final StageRuntime stage : stages)
        {
            if (stage instanceof ProcessorRuntime processor && processor.restored() != null)
            {
                restored.put(processor.definition().id(), processor.restored());
            }
        }
        return restored;
    }

    /**
     * Returns the adapters that send events.
     *
     * @return ids, each after those upstream of it
     */
    public List<String> sources()
    {
        return stages.stream().filter(stage -> stage instanceof BeanRuntime bean && bean.definition().adapter() &&
            !bean.definition().listeners().isEmpty()).map(stage -> stage.definition().id()).toList();
    }

    /**
     * Whether {@link #resume()} can be called; true even when a stage could not be suspended.
     *
     * @return false while it is running and after it was stopped
     */
    public boolean isSuspended()
    {
        return state == NetworkState.SUSPENDED;
    }

    /**
     * Runs failed stages again while the others continue: each failed stage is paused and resumed.
     *
     * @return how many stages had failed
     * @throws DeploymentException when a stage could not be resumed; the other stages are resumed
     * @throws IllegalStateException when it is not running
     */
    public synchronized int rerunFailed() throws DeploymentException
    {
        if (state != NetworkState.RUNNING)
        {
            throw new IllegalStateException("only stages of a running network can be run again, application=" +
                definition.applicationName() + " state=" + state);
        }
        final List<Problem> problems = new ArrayList<>();
        int failed = 0;
        for (final StageRuntime stage : reversed())
        {
            if (stage.failure() != null)
            {
                failed++;
                attempt("resumed", stage, problems, () ->
                {
                    stage.pause(Deadline.afterNs(DRAIN_NS));
                    stage.resume();
                });
            }
        }
        refuse(problems);
        return failed;
    }

    /**
     * Stops the network: sources, then queues and processors in topological order, each after its rows are processed or
     * its time limit has passed; then calls {@code destroy} in reverse order. Does nothing when it was stopped before.
     */
    public synchronized void stop()
    {
        if (state != NetworkState.STOPPED)
        {
            state = NetworkState.STOPPED;
            heartbeats.stop();
            end(stages);
            recordings.close();
            memory.forEach(MemoryScope::close);
        }
    }

    static void end(final List<StageRuntime> stages)
    {
        for (final StageRuntime stage : stages)
        {
            try
            {
                stage.stop(Deadline.afterNs(DRAIN_NS));
            }
            catch (final RuntimeException | LinkageError | AssertionError e)
            {
                LOG.error("stage did not stop, stage={}", stage.definition().id(), e);
            }
        }
        final List<StageRuntime> reversed = new ArrayList<>(stages);
        Collections.reverse(reversed);
        reversed.forEach(StageRuntime::destroy);
    }

    /** A life-cycle action of a stage that may fail. */
    private interface Action
    {
        void run() throws Exception;
    }

    private static void attempt(
        final String what, final StageRuntime stage, final List<Problem> problems, final Action action)
    {
        try
        {
            action.run();
        }
        catch (final Exception | LinkageError | AssertionError e)
        {
            LOG.error("stage could not be {}, stage={}", what, stage.definition().id(), e);
            problems.add(new Problem(NetworkErrorCode.PAUSE, stage.definition().position(),
                "stage could not be " + what +
                ", stage=" + stage.definition().id() + " reason=" + e, "the other stages are " + what, ""));
        }
    }

    private static void refuse(final List<Problem> problems) throws DeploymentException
    {
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    NetworkDefinition definition()
    {
        return definition;
    }

    List<StageRuntime> stages()
    {
        return stages;
    }

    HeartbeatThread heartbeats()
    {
        return heartbeats;
    }

    /** The life-cycle state, without health. */
    NetworkState phase()
    {
        return state;
    }

    /** Continues with the beans of the next version. */
    void becomes(final NetworkDefinition next, final List<StageRuntime> nextStages, final NetworkBuilder builder)
    {
        definition = next;
        stages = List.copyOf(nextStages);
        warnings = List.copyOf(builder.warnings());
        memory.add(builder.memory());
    }

    private List<StageRuntime> reversed()
    {
        final List<StageRuntime> reversed = new ArrayList<>(stages);
        Collections.reverse(reversed);
        return reversed;
    }

    /**
     * Replaces the rules of a processor while events flow; queries whose plan is unchanged keep their state.
     *
     * @param processorId id of the processor
     * @param rules       all its rules from now on, bound
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed
     */
    public RuleChange changeRules(final String processorId, final List<ProcessorStage.Rule> rules)
        throws DeploymentException
    {
        return changeRules(processorId, rules, () ->
        {
        });
    }

    /**
     * Replaces the rules of a processor like {@link #changeRules(String, List)}.
     *
     * @param processorId id of the processor
     * @param rules       all its rules from now on, bound
     * @param accepted    called when the new rules are accepted, and before they run, while rows wait
     * @return the outcome for each query
     * @throws DeploymentException with all problems; nothing is changed. A durable processor may fail after the call of
     *     {@code accepted}
     */
    public synchronized RuleChange changeRules(final String processorId, final List<ProcessorStage.Rule> rules,
        final Runnable accepted) throws DeploymentException
    {
        if (state == NetworkState.STOPPED)
        {
            throw new DeploymentException(NetworkErrorCode.NO_PROCESSOR, SourcePosition.NONE,
                "the network was stopped, " +
                "application=" + definition.applicationName(), "start the application");
        }
        return runtime(processorId).changeRules(rules, accepted);
    }

    /**
     * Returns a processor with its current rules.
     *
     * @param processorId id of the processor
     * @return its definition
     * @throws DeploymentException when there is no such processor
     */
    public ProcessorStage processor(final String processorId) throws DeploymentException
    {
        return runtime(processorId).definition();
    }

    /**
     * Starts to record a stage.
     *
     * @param settings what to record
     * @throws DeploymentException if the settings are wrong, the stage is being recorded, or the dataset cannot be
     *     opened
     */
    public synchronized void startRecording(final RecordingSettings settings) throws DeploymentException
    {
        refuseStopped(NetworkErrorCode.RECORDING);
        RecordingCheck.check(settings, definition, store);
        whileHeld(() -> recordings.start(stage(settings.stage()), settings));
    }

    /**
     * Stops recording a stage.
     *
     * @return false if it was not being recorded
     * @throws DeploymentException if rows in the network are not processed in time
     */
    public synchronized boolean stopRecording(final String stageId) throws DeploymentException
    {
        final boolean[] isStopped = {false};
        if (state != NetworkState.STOPPED)
        {
            whileHeld(() -> isStopped[0] = recordings.stop(stageId));
        }
        return isStopped[0];
    }

    /**
     * Returns the configured recording of a stage.
     *
     * @return {@code null} if it has none
     */
    public RecordingSettings configuredRecording(final String stageId)
    {
        return recordings.configured(stageId);
    }

    /**
     * Starts to play back a dataset.
     *
     * @param settings what to play back
     * @throws DeploymentException if the settings are wrong, the stage is playing back, or has no playback-parameters
     */
    public synchronized void startPlayback(final PlaybackSettings settings) throws DeploymentException
    {
        refuseStopped(NetworkErrorCode.PLAYBACK);
        RecordingCheck.check(settings, definition, store);
        if (playbacks.of(settings.stage()) == null)
        {
            throw new DeploymentException(NetworkErrorCode.PLAYBACK, SourcePosition.NONE,
                "the stage is not configured for playback, stage=" + settings.stage(), "add <playback-parameters>" +
                    "<dataset-name>" + settings.dataset() + "</dataset-name></playback-parameters> to its " +
                    "configuration: the lanes of a playback are built with the network");
        }
        playbacks.of(settings.stage()).start(settings);
    }

    /**
     * Stops the playback of a stage.
     *
     * @return false if none was being played
     */
    public boolean stopPlayback(final String stageId)
    {
        return playbacks.of(stageId) != null && playbacks.of(stageId).stop();
    }

    /**
     * Returns the configured playback of a stage.
     *
     * @return {@code null} if it has none
     */
    public PlaybackSettings configuredPlayback(final String stageId)
    {
        return playbacks.of(stageId) == null ? null : playbacks.of(stageId).configured();
    }

    /**
     * Returns state and figures of recordings and playbacks: {@code stage}, and {@code recording} or {@code playback}.
     * Thread-safe.
     *
     * @return in the order of the stages; stages without are left out
     */
    public List<Map<String, Object>> recordingFigures()
    {
        final List<Map<String, Object>> all = new ArrayList<>();
        for (final StageDefinition stage : definition.stages())
        {
            final Map<String, Object> recording = recordings.figures(stage.id());
            final StagePlayback playback = playbacks.of(stage.id());
            if (recording != null)
            {
                all.add(Map.of("stage", stage.id(), "recording", recording));
            }
            if (playback != null)
            {
                all.add(Map.of("stage", stage.id(), "playback", playback.statistics()));
            }
        }
        return all;
    }

    private void refuseStopped(final String code) throws DeploymentException
    {
        if (state == NetworkState.STOPPED || state == NetworkState.READY)
        {
            throw new DeploymentException(code, SourcePosition.NONE, "the network is not running, application=" +
                definition.applicationName(), "start the application");
        }
    }

    private StageRuntime stage(final String id)
    {
        return stages.stream().filter(each -> each.definition().id().equals(id)).findFirst().orElseThrow();
    }

    /** A change of the lanes that can fail. */
    private interface LaneChange
    {
        void run() throws DeploymentException;
    }

    /** Changes lanes while no row is in transit: rows wait where they enter the network. */
    private void whileHeld(final LaneChange change) throws DeploymentException
    {
        final Deadline deadline = Deadline.afterNs(DRAIN_NS);
        try
        {
            boolean isHeld = heartbeats.hold(deadline);
            for (final StageRuntime stage : stages)
            {
                isHeld = isHeld && stage.hold(deadline);
            }
            if (!isHeld)
            {
                throw new DeploymentException(NetworkErrorCode.RECORDING, SourcePosition.NONE,
                    "rows inside the network were not processed in time, application=" + definition.applicationName(),
                    "try again; app status shows a stage that does not return");
            }
            change.run();
        }
        finally
        {
            stages.forEach(StageRuntime::letGo);
            heartbeats.letGo();
        }
    }

    private ProcessorRuntime runtime(final String processorId) throws DeploymentException
    {
        for (final StageRuntime stage : stages)
        {
            if (stage instanceof ProcessorRuntime processor && processor.definition().id().equals(processorId))
            {
                return processor;
            }
        }
        throw new DeploymentException(NetworkErrorCode.NO_PROCESSOR, SourcePosition.NONE,
            "no such processor, application=" +
            definition.applicationName() + " processor=" + processorId, "processors of this application: " +
            String.join(", ", stages.stream().filter(ProcessorRuntime.class::isInstance)
                .map(stage -> stage.definition().id()).toList()));
    }

    /**
     * Returns the state of the network.
     *
     * @return current state; after the start, {@link NetworkState#FAILED} when no source works any more, and
     *     {@link NetworkState#DEGRADED} when there are conditions
     */
    public NetworkState state()
    {
        final NetworkState now = state;
        return now == NetworkState.RUNNING ? health.state() :
            now == NetworkState.SUSPENDED && pauseFailed ? NetworkState.FAILED : now;
    }

    /**
     * Returns the causes for which the network does not do all of its work now: stages that have failed, conditions
     * that stages have raised, rows rejected because of a failure or a limit within {@link Rejections#EPISODE_NS},
     * calls that have not returned for {@link CallMonitor#LIMIT_NS}.
     *
     * @return in order of the stages; empty when the network is healthy or was stopped
     */
    public List<Condition> conditions()
    {
        return state == NetworkState.STOPPED ? List.of() : health.conditions();
    }

    /**
     * Checks for calls that do not return and logs conditions that were raised or cleared. A server calls it about once
     * per second.
     */
    public void inspect()
    {
        if (state != NetworkState.STOPPED)
        {
            health.inspect();
        }
    }

    /**
     * Returns the current statistics of the network: {@code application}, {@code state}, {@code stages} (each with id,
     * kind, rowsIn, rowsOut, rowsRejected, rejectedBy and the statistics of its kind) in topological order,
     * {@code caches}, {@code memory} (stage, rule, part and bytes of each holder, largest first).
     *
     * @return names to numbers, strings, lists or maps of these; a snapshot that is taken without blocking the events
     */
    public Map<String, Object> statistics()
    {
        final List<Map<String, Object>> stageFigures = new ArrayList<>();
        for (final StageRuntime stage : stages)
        {
            final Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("id", stage.definition().id());
            figures.put("kind", stage.kind());
            figures.putAll(stage.meter().figures());
            stage.describe(figures);
            final Map<String, Object> recording = recordings.figures(stage.definition().id());
            if (recording != null)
            {
                figures.put("recording", recording);
            }
            stageFigures.add(figures);
        }
        final List<Map<String, Object>> caches = new ArrayList<>();
        for (final Cache cache : definition.caches())
        {
            final Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("id", cache.id());
            figures.put("size", cache.size());
            if (cache instanceof final StatisticsSource source)
            {
                figures.putAll(source.statistics());
            }
            caches.add(figures);
        }
        final Map<String, Object> result = new LinkedHashMap<>();
        result.put("application", definition.applicationName());
        result.put("state", state().name());
        result.put("causes", conditions().stream().map(Condition::toMap).toList());
        result.put("stages", stageFigures);
        result.put("caches", caches);
        result.put("memory", memory.stream().flatMap(scope -> scope.usages().stream())
            .sorted(Comparator.comparingLong(MemoryBudget.Usage::bytes).reversed()).map(Network::describe).toList());
        return result;
    }

    private static Map<String, Object> describe(final MemoryBudget.Usage usage)
    {
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("stage", usage.holder().stage());
        figures.put("rule", usage.holder().rule());
        figures.put("part", usage.holder().part());
        figures.put("bytes", usage.bytes());
        return figures;
    }
}
