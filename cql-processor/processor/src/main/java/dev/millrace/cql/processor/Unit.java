package dev.millrace.cql.processor;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.runtime.state.PartitionChoice;
import dev.millrace.cql.runtime.state.PartitionTest;
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

/**
 * A running pipeline or flow: the unit that is started and stopped as one.
 *
 * <p>Threads: changed by the thread that changes rules, while no row is in the processor; statistics are read by any
 * thread.
 */
final class Unit
{
    private final PipelinePlan pipeline;
    private final GroupKey key;
    private final StartedFlow flow;
    private final List<PipelineGroup> flowGroups;
    private final List<PipelineInstance> instances;
    private final List<Worker> runners;
    private final List<RelationCopy> copies;
    private final Map<String, List<EventBatchSink>> outputs;
    private final List<MemoryAccount> memory;
    private final Map<String, String> texts = new HashMap<>();
    private volatile Set<String> live;

    private Unit(final PipelinePlan pipeline, final GroupKey key, final StartedFlow flow,
        final List<PipelineGroup> flowGroups, final List<PipelineInstance> instances, final List<Worker> runners,
        final List<RelationCopy> copies, final UnitWiring wiring)
    {
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
     */
    static Unit of(final PipelinePlan plan, final GroupKey key, final List<Worker> runners,
        final List<PipelineInstance> instances, final List<RelationCopy> copies, final UnitWiring wiring)
    {
        return new Unit(plan, key, null, List.of(), instances, runners, copies, wiring);
    }

    /**
     * Creates the unit of a flow.
     *
     * @param groups one per source of the flow, in order
     * @param wiring resources opened for it
     */
    static Unit of(final StartedFlow flow, final List<PipelineGroup> groups, final UnitWiring wiring)
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
        return new Unit(null, null, flow, List.copyOf(groups), instances, runners, List.of(), wiring);
    }

    boolean isPipeline()
    {
        return pipeline != null;
    }

    PipelinePlan pipeline()
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
    void forget(final String channel, final String property, final PartitionTest partitions)
    {
        if (!isPipeline())
        {
            flow.forget(channel, partitions);
        }
        else if (keepsStateOf(channel))
        {
            final PartitionChoice which = choice(property, partitions);
            instances.forEach(instance -> instance.forget(which));
        }
    }

    /** Whether it is a pipeline with state of a channel's rows. */
    boolean keepsStateOf(final String channel)
    {
        return isPipeline() && pipeline.sourceChannel().equals(channel) && PlanParts.keepState(pipeline.roots());
    }

    /** Partitions by a property of a pipeline's source. */
    PartitionChoice choice(final String property, final PartitionTest partitions)
    {
        return PartitionChoice.of(pipeline.sourceType().indexOf(property), partitions);
    }

    GroupKey key()
    {
        return key;
    }

    StartedFlow flow()
    {
        return flow;
    }

    FlowPlan flowPlan()
    {
        return flow.plan();
    }

    List<PipelineGroup> flowGroups()
    {
        return flowGroups;
    }

    List<PipelineInstance> instances()
    {
        return instances;
    }

    /** The worker of each instance; an entry is {@code null} for the source's thread. */
    List<Worker> runners()
    {
        return runners;
    }

    /** Adds instances that join with relations to their workers, which from then on check for changes. */
    void joinWorkers()
    {
        for (int i = 0; isPipeline() && i < instances.size(); i++)
        {
            if (runners.get(i) != null && instances.get(i).hasRelations())
            {
                runners.get(i).add(instances.get(i));
            }
        }
    }

    List<RelationCopy> copies()
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
    Set<String> live()
    {
        return live;
    }

    /** Closes the output of queries; returns the sinks that are no longer used, to be closed. */
    List<EventBatchSink> mute(final Set<String> gone)
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

    /** Releases the memory of its state; it does not run any more. */
    void closeMemory()
    {
        memory.forEach(MemoryAccount::close);
    }

    /** The plan of one query, for comparison. */
    String text(final String query)
    {
        return texts.computeIfAbsent(query, id -> PlanText.of(
            isPipeline() ? PlanParts.of(pipeline, Set.of(id)) : PlanParts.of(flow.plan(), Set.of(id))));
    }
}
