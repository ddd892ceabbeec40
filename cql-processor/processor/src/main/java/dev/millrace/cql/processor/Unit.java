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
 * A pipeline or a flow at work: what is started and stopped as one.
 *
 * <p>Threads: changed by the thread that changes rules, while no row is inside the processor; figures are for all.
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
     * A pipeline.
     *
     * @param plan      what it runs
     * @param key       with which others it travels
     * @param runners   who runs its instances; an entry is {@code null} for the source's thread
     * @param instances one a runner
     * @param copies    of relations, of all instances
     * @param wiring    has what was opened for it
     * @return unit
     */
    static Unit of(final PipelinePlan plan, final GroupKey key, final List<Worker> runners,
        final List<PipelineInstance> instances, final List<RelationCopy> copies, final UnitWiring wiring)
    {
        return new Unit(plan, key, null, List.of(), instances, runners, copies, wiring);
    }

    /**
     * A flow.
     *
     * @param flow    what it runs
     * @param groups  one a source of the flow, in order
     * @param wiring  has what was opened for it
     * @return unit
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
     * Forgets partitions of a channel; while no row is inside.
     *
     * @param channel    its id
     * @param property   by which it is shared out
     * @param partitions which
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

    /** Whether it is a pipeline that remembers rows of a channel. */
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

    /** Who runs each instance; an entry is {@code null} for the source's thread. */
    List<Worker> runners()
    {
        return runners;
    }

    /** Gives instances that join with relations to their workers, who look for changes from then on. */
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

    /** The queries whose rows still go somewhere. */
    Set<String> live()
    {
        return live;
    }

    /** Leaves queries out from now on; sinks that nobody uses any more are returned, to be closed. */
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

    /** Gives back the memory of its state; it runs no more. */
    void closeMemory()
    {
        memory.forEach(MemoryAccount::close);
    }

    /** The plan of one query, for comparisons. */
    String text(final String query)
    {
        return texts.computeIfAbsent(query, id -> PlanText.of(
            isPipeline() ? PlanParts.of(pipeline, Set.of(id)) : PlanParts.of(flow.plan(), Set.of(id))));
    }
}
