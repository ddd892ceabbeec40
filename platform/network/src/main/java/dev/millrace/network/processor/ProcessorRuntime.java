package dev.millrace.network.processor;

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
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.RuleChange;
import dev.millrace.network.spi.RunningProcessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running processor: the life cycle of the object that its provider created, between counted inputs and outputs.
 *
 * <p>Threads: wired by the deploying thread; life-cycle methods and changes of the rules are serialized by the network;
 * any thread reads warnings and statistics.
 */
public final class ProcessorRuntime implements StageRuntime
{
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorRuntime.class);

    private volatile ProcessorStage definition;
    private final ProcessorEnvironment environment;
    private final PlannedProcessor plan;
    private final StageMeter meter;
    private final RaisedConditions raised;
    private final ProcessorOutlets outlets;
    private final ProcessorWarnings warnings;
    private long plannedInNs;
    private volatile long startedInNs;
    private volatile RunningProcessor running;
    private volatile RuleChange restored;

    /** @param plan its rules, planned */
    public ProcessorRuntime(
        final ProcessorStage definition, final PlannedProcessor plan, final ProcessorEnvironment environment)
    {
        this.definition = definition;
        this.plan = plan;
        this.environment = environment;
        meter = new StageMeter(environment.qualifiedName(), environment.clock());
        raised = new RaisedConditions(definition.id(), environment.clock());
        outlets = new ProcessorOutlets(meter);
        warnings = new ProcessorWarnings(environment.qualifiedName());
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
        return outlets.all();
    }

    @Override
    public void wire(final List<Upstream> above) throws DeploymentException
    {
        final Map<String, List<Object>> threadsOf = new HashMap<>();
        above.forEach(upstream -> threadsOf.computeIfAbsent(upstream.from().id(), channel -> new ArrayList<>())
            .add(upstream.outlet().thread()));
        final StageWiring wiring = new StageWiring(definition.id(), environment, threadsOf,
            new PlannedOutputs(environment.qualifiedName(), plan.outputs(), outlets, meter), raised, meter);
        final long startNs = environment.clock().epochNs();
        running = plan.start(wiring);
        startedInNs = environment.clock().epochNs() - startNs;
        for (final Upstream upstream : above)
        {
            upstream.outlet().add(new SinkInlet(running.openInput(upstream.from().id()), meter));
        }
        outlets.wired(wiring.onlyThread());
        warnings.wired(plan.outputs(), outlets);
    }

    /**
     * Warnings, with their positions, about combinations of the current rules and the channels below that are allowed
     * but probably not intended.
     */
    public List<Problem> warnings()
    {
        return warnings.list();
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
        outlets.add(channel);
        if (environment.storage() != null && !environment.storage().units().isEmpty())
        {
            channel.continuesRows();
        }
    }

    /** Registers a channel directly above, before anything is wired. */
    public void reads(final ChannelRuntime channel)
    {
        if (environment.storage() != null)
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
        final ChangedOutputs outputs = new ChangedOutputs(definition, next, outlets);
        final RuleChange change = running.change(next, outputs, accepted);
        definition = next;
        return changed(change, outputs);
    }

    /** Logs a change of the rules, and updates the warnings. */
    private RuleChange changed(final RuleChange change, final ChangedOutputs outputs)
    {
        LOG.info("rules changed, stage={} queries={} pausedUs={}", environment.qualifiedName(), change.queries()
            .stream().map(query -> query.id() + '=' + query.action()).toList(), change.pausedNs() / 1_000);
        return warnings.changed(change, outputs);
    }

    /** Describes the state that each query holds, in words; called while no rows arrive. */
    public Map<String, String> heldState()
    {
        return running == null ? Map.of() : running.heldState();
    }

    /** Returns the keeper for the state of partitions of a partitioned channel above. */
    public PartitionStateHolder keeper(final String channelId)
    {
        return new RulePartitions(environment.qualifiedName(), channelId, () -> running);
    }

    @Override
    public void start()
    {
        try
        {
            final ChangedOutputs outputs = new ChangedOutputs(definition, definition, outlets);
            final RuleChange change = running.begin(outputs);
            if (environment.storage() != null)
            {
                restored = change == null ? kept() : change;
            }
            if (change != null)
            {
                warnings.lost(changed(change, outputs), definition);
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

    @Override
    public void pause(final Deadline deadline)
    {
        if (running != null && !running.drain(deadline.remainingNs()))
        {
            LOG.warn("rows were still being processed after the time limit, stage={}", environment.qualifiedName());
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
        figures.put("workers", environment.workers());
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
        outlets.watch(next);
    }
}
