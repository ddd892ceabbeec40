package dev.millrace.network;

import dev.millrace.api.memory.MemoryScope;
import dev.millrace.api.time.Clock;
import dev.millrace.network.channel.HeartbeatThread;
import dev.millrace.network.condition.CallMonitor;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.lane.Deadline;
import dev.millrace.network.lane.Rejections;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.recording.Recordings;
import dev.millrace.network.spi.NetworkServices;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.network.wiring.NetworkBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running event processing network: its life cycle and its health. Rules, sources and recordings have their own
 * classes; their changes are serialized with the life cycle.
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

    private final RunningStages running;
    private final NetworkHealth health;
    private final NetworkStatistics statistics;
    private final NetworkSources sources;
    private final NetworkRules rules;
    private final NetworkRecordings recordings;
    private final Recordings stageRecordings;
    private volatile List<Problem> warnings;
    private volatile boolean pauseFailed;
    /** Memory scopes of the version that the network was built for and of each version that replaced it. */
    private final List<MemoryScope> memory = new CopyOnWriteArrayList<>();

    Network(final NetworkDefinition definition, final NetworkBuilder builder,
        final HeartbeatThread heartbeats, final Clock clock)
    {
        running = new RunningStages(definition, builder.stages(), heartbeats);
        memory.add(builder.memory());
        warnings = List.copyOf(builder.warnings());
        stageRecordings = builder.recordings();
        health = new NetworkHealth(running, stageRecordings, clock);
        statistics = new NetworkStatistics(running, stageRecordings, memory);
        sources = new NetworkSources(this, running);
        rules = new NetworkRules(this, running);
        recordings = new NetworkRecordings(this, running, stageRecordings, builder.playbacks(), builder.eventStore(),
            DRAIN_NS);
    }

    /**
     * Returns warnings for the deployer about settings and rules that are allowed but probably not intended.
     *
     * @return problems with their positions, usually none
     */
    public List<Problem> warnings()
    {
        return Stream.concat(warnings.stream(), running.processors().flatMap(stage -> stage.warnings().stream()))
            .toList();
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

    /** The sources. */
    public NetworkSources sources()
    {
        return sources;
    }

    /** The rules of the processors. */
    public NetworkRules rules()
    {
        return rules;
    }

    /** Recordings and playbacks. */
    public NetworkRecordings recordings()
    {
        return recordings;
    }

    /**
     * Starts the stages and runs the sources.
     *
     * @throws IllegalStateException when it was started or stopped before
     * @throws dev.millrace.network.definition.StartFailedException when a stage cannot start; stop it then
     */
    public synchronized void start()
    {
        if (running.phase() != NetworkState.READY)
        {
            throw new IllegalStateException("a network can be started only once, application=" +
                running.application() + " state=" + running.phase());
        }
        stageRecordings.startConfigured(running.all());
        running.reversed().forEach(StageRuntime::start);
        running.heartbeats().start();
        running.phase(NetworkState.RUNNING);
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
        if (running.phase() == NetworkState.SUSPENDED)
        {
            return;
        }
        if (running.phase() != NetworkState.RUNNING)
        {
            throw new IllegalStateException("only a running network can be suspended, application=" +
                running.application() + " state=" + running.phase());
        }
        running.heartbeats().pause(true);
        final StageCalls calls = new StageCalls("suspended");
        running.all().forEach(stage -> calls.attempt(stage, () -> stage.pause(Deadline.afterNs(DRAIN_NS))));
        running.phase(NetworkState.SUSPENDED);
        pauseFailed = calls.hasFailed();
        calls.refuse();
    }

    /**
     * Resumes after {@link #suspend()}; a source that had failed runs again.
     *
     * @throws DeploymentException when a stage could not be resumed; the other stages are resumed
     * @throws IllegalStateException when it is not suspended
     */
    public synchronized void resume() throws DeploymentException
    {
        if (running.phase() != NetworkState.SUSPENDED)
        {
            throw new IllegalStateException("only a suspended network can be resumed, application=" +
                running.application() + " state=" + running.phase());
        }
        final StageCalls calls = new StageCalls("resumed");
        running.reversed().forEach(stage -> calls.attempt(stage, stage::resume));
        running.heartbeats().pause(false);
        running.phase(NetworkState.RUNNING);
        calls.refuse();
    }

    /**
     * Whether {@link #resume()} can be called; true even when a stage could not be suspended.
     *
     * @return false while it is running and after it was stopped
     */
    public boolean isSuspended()
    {
        return running.phase() == NetworkState.SUSPENDED;
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
        if (running.phase() != NetworkState.RUNNING)
        {
            throw new IllegalStateException("only stages of a running network can be run again, application=" +
                running.application() + " state=" + running.phase());
        }
        final StageCalls calls = new StageCalls("resumed");
        int failed = 0;
        for (final StageRuntime stage : running.reversed())
        {
            if (stage.failure() != null)
            {
                failed++;
                calls.attempt(stage, () ->
                {
                    stage.pause(Deadline.afterNs(DRAIN_NS));
                    stage.resume();
                });
            }
        }
        calls.refuse();
        return failed;
    }

    /**
     * Stops the network: sources, then queues and processors in topological order, each after its rows are processed or
     * its time limit has passed; then calls {@code destroy} in reverse order. Does nothing when it was stopped before.
     */
    public synchronized void stop()
    {
        if (running.phase() != NetworkState.STOPPED)
        {
            running.phase(NetworkState.STOPPED);
            running.heartbeats().stop();
            end(running.all());
            stageRecordings.close();
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

    RunningStages running()
    {
        return running;
    }

    /** Continues with the beans of the next version. */
    void becomes(final NetworkDefinition next, final List<StageRuntime> stages, final NetworkBuilder builder)
    {
        running.exchange(next, stages);
        warnings = List.copyOf(builder.warnings());
        memory.add(builder.memory());
    }

    /**
     * Returns the state of the network.
     *
     * @return current state; after the start, {@link NetworkState#FAILED} when no source works any more, and
     *     {@link NetworkState#DEGRADED} when there are conditions
     */
    public NetworkState state()
    {
        final NetworkState now = running.phase();
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
        return running.phase() == NetworkState.STOPPED ? List.of() : health.conditions();
    }

    /**
     * Checks for calls that do not return and logs conditions that were raised or cleared. A server calls it about once
     * per second.
     */
    public void inspect()
    {
        if (running.phase() != NetworkState.STOPPED)
        {
            health.inspect();
        }
    }

    /**
     * Sends heartbeats on idle channels now, on the calling thread, instead of when the network's thread does. For
     * networks whose clock the caller advances.
     */
    public void sendHeartbeats()
    {
        if (running.phase() == NetworkState.RUNNING)
        {
            running.heartbeats().beat();
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
        return statistics.collect(state(), conditions());
    }
}
