package dev.millrace.cql.processor.unit;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.relation.RelationReplica;
import dev.millrace.cql.processor.worker.GroupKey;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.PipelineInstance;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.cql.runtime.state.PartitionSelection;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A running pipeline or flow: the unit that is started and stopped as one.
 *
 * <p>Threads: changed by the thread that changes rules, while no row is in the processor; statistics are read by any
 * thread.
 */
public final class ExecutionUnit
{
    private final PipelinePlan pipeline;
    private final GroupKey key;
    private final RunningFlow flow;
    private final List<PipelineGroup> flowGroups;
    private final List<PipelineInstance> instances;
    private final List<Worker> runners;
    private final List<RelationReplica> copies;
    private final Map<String, List<EventBatchSink>> outputs;
    private final List<MemoryAccount> memory;
    private final Map<String, String> texts = new HashMap<>();
    private final String version;
    private volatile Set<String> live;

    private ExecutionUnit(final PipelinePlan pipeline, final GroupKey key, final RunningFlow flow,
        final List<PipelineGroup> flowGroups, final List<PipelineInstance> instances, final List<Worker> runners,
        final List<RelationReplica> copies, final ExecutionUnitOutputs wiring, final String version)
    {
        this.version = version;
        this.pipeline = pipeline;
        this.key = key;
        this.flow = flow;
        this.flowGroups = flowGroups;
        this.instances = List.copyOf(instances);
        this.runners = runners;
        this.copies = List.copyOf(copies);
        outputs = new LinkedHashMap<>(wiring.outputs());
        memory = List.copyOf(wiring.memory());
        live = Set.copyOf(queries());
    }

    /**
     * Creates the unit of a pipeline.
     *
     * @param key       group that it belongs to
     * @param runners   workers of its instances; an entry is {@code null} for the source's thread
     * @param instances one per runner
     * @param copies    replicas of relations, of all instances
     * @param wiring    resources opened for it
     * @param version   as of {@link #stateName(String, String, String)}
     */
    static ExecutionUnit of(final PipelinePlan plan, final GroupKey key, final List<Worker> runners,
        final List<PipelineInstance> instances, final List<RelationReplica> copies, final ExecutionUnitOutputs wiring,
        final String version)
    {
        return new ExecutionUnit(plan, key, null, List.of(), instances, runners, copies, wiring, version);
    }

    /**
     * Creates the unit of a flow.
     *
     * @param groups  one per source of the flow, in order
     * @param wiring  resources opened for it
     * @param version as of {@link #stateName(String, String, String)}
     */
    static ExecutionUnit of(final RunningFlow flow, final List<PipelineGroup> groups, final ExecutionUnitOutputs wiring,
        final String version)
    {
        final List<PipelineInstance> instances = new ArrayList<>();
        final List<Worker> runners = new ArrayList<>();
        for (final PipelineGroup group : groups)
        {
            for (final PipelineGroup.Member member : group.members())
            {
                for (final PipelineInstance instance : member.instances())
                {
                    instances.add(instance);
                    runners.add(member.worker());
                }
            }
        }
        return new ExecutionUnit(null, null, flow, List.copyOf(groups), instances, runners, List.of(), wiring, version);
    }

    public boolean isPipeline()
    {
        return pipeline != null;
    }

    public PipelinePlan pipeline()
    {
        return pipeline;
    }

    /**
     * Discards partitions of a channel; called while no row is in progress.
     *
     * @param channel    channel id
     * @param property   property by which it is partitioned
     * @param partitions partitions to discard
     */
    public void forget(final String channel, final String property, final PartitionPredicate partitions)
    {
        if (!isPipeline())
        {
            flow.forget(channel, partitions);
        }
        else if (keepsStateOf(channel))
        {
            final PartitionSelection which = choice(property, partitions);
            instances.forEach(instance -> instance.forget(which));
        }
    }

    /** Whether it is a pipeline with state of a channel's rows. */
    public boolean keepsStateOf(final String channel)
    {
        return isPipeline() && pipeline.sourceChannel().equals(channel) && PlanSplitter.keepState(pipeline.roots());
    }

    /** Partitions by a property of a pipeline's source. */
    public PartitionSelection choice(final String property, final PartitionPredicate partitions)
    {
        return PartitionSelection.of(pipeline.sourceType().indexOf(property), partitions);
    }

    public GroupKey key()
    {
        return key;
    }

    public RunningFlow flow()
    {
        return flow;
    }

    public FlowPlan flowPlan()
    {
        return flow.plan();
    }

    public List<PipelineGroup> flowGroups()
    {
        return flowGroups;
    }

    public List<PipelineInstance> instances()
    {
        return instances;
    }

    /** The worker of each instance; an entry is {@code null} for the source's thread. */
    public List<Worker> runners()
    {
        return runners;
    }

    /** The worker of each part of its state; an entry is {@code null} for the source's thread. */
    public List<Worker> workers()
    {
        return isPipeline() ? runners : flow.runners();
    }

    /** A channel that it reads. */
    public String channel()
    {
        return isPipeline() ? pipeline.sourceChannel() : flow.plan().sources().get(0).name();
    }

    /** Name of its state, the same after a restart with the same rules. */
    public String stateName()
    {
        return isPipeline() ? stateName("pipeline", pipeline.name(), version) :
            stateName("flow", flow.plan().name(), version);
    }

    /**
     * Name of the state of a unit.
     *
     * @param kind    pipeline or flow
     * @param name    name in its plan, unique in the rules that were started with it
     * @param version distinguishes the units of rules that were started at different times; empty for the first ones
     */
    static String stateName(final String kind, final String name, final String version)
    {
        return kind + ' ' + name + version;
    }

    /** Writes all state on a worker, by index; called while no row is in progress. */
    public void write(final int runner, final StateOutput to)
    {
        if (isPipeline())
        {
            instances.get(runner).write(to, PartitionSelection.ALL);
        }
        else
        {
            flow.engine(runner).write(to);
        }
    }

    /** The outputs of its queries on a worker, by index. */
    public Map<String, EventBatchSink> outputs(final int runner)
    {
        final Map<String, EventBatchSink> found = new TreeMap<>();
        outputs.forEach((query, sinks) -> found.put(query, sinks.get(runner)));
        return found;
    }

    /** The replicas of caches on a worker, by index, whose changes can be stored. */
    public List<? extends RecordedReplica> replicas(final int runner)
    {
        return isPipeline() ? instances.get(runner).relations() : flow.replicas(runner);
    }

    /** The look-ups on a worker, by index, whose answers are stored. */
    public List<RecordedLookup> lookups(final int runner)
    {
        return isPipeline() ? List.of() : flow.lookups(runner);
    }

    /** Adds instances that join with relations to their workers, which from then on check for changes. */
    public void joinWorkers()
    {
        for (int i = 0; isPipeline() && i < instances.size(); i++)
        {
            if (runners.get(i) != null && instances.get(i).hasRelations())
            {
                runners.get(i).add(instances.get(i));
            }
        }
    }

    public List<RelationReplica> copies()
    {
        return copies;
    }

    private Set<String> queries()
    {
        final Set<String> ids = new LinkedHashSet<>();
        if (isPipeline())
        {
            pipeline.outputs().stream().map(Operator.Output::queryId).forEach(ids::add);
        }
        else
        {
            flow.plan().outputs().stream().map(FlowPlan.Output::queryId).forEach(ids::add);
        }
        return ids;
    }

    /** The queries whose output is still open. */
    public Set<String> live()
    {
        return live;
    }

    /** Closes the output of queries; returns the sinks that are no longer used, to be closed. */
    public List<EventBatchSink> mute(final Set<String> gone)
    {
        final Set<String> left = new LinkedHashSet<>(live);
        left.removeAll(gone);
        live = Set.copyOf(left);
        final Set<EventBatchSink> sinks = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.stream().map(outputs::remove).filter(Objects::nonNull).forEach(sinks::addAll);
        outputs.values().forEach(sinks::removeAll);
        if (isPipeline())
        {
            instances.forEach(instance -> gone.forEach(instance::mute));
        }
        return List.copyOf(sinks);
    }

    /** The memory of its state. */
    public long memoryBytes()
    {
        return memory.stream().mapToLong(MemoryAccount::bytes).sum();
    }

    /** Releases the memory of its state; it does not run any more. */
    public void closeMemory()
    {
        memory.forEach(MemoryAccount::close);
    }

    /** The plan of one query, for comparison. */
    public String text(final String query)
    {
        return texts.computeIfAbsent(query, id -> PlanFingerprint.of(
            isPipeline() ? PlanSplitter.of(pipeline, Set.of(id)) : PlanSplitter.of(flow.plan(), Set.of(id))));
    }
}
