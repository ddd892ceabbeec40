package dev.millrace.network.topology;

import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The stages of a network in topological order, and the stages above each. Immutable. */
public final class Topology
{
    private final Map<String, StageDefinition> byId = new LinkedHashMap<>();
    private final Map<String, List<StageDefinition>> above = new HashMap<>();
    private final List<StageDefinition> order = new ArrayList<>();

    /**
     * Sorts stages.
     *
     * @param stages with unique ids and listeners that exist
     * @throws DeploymentException when they form a cycle
     */
    public Topology(final List<StageDefinition> stages) throws DeploymentException
    {
        for (final StageDefinition stage : stages)
        {
            byId.put(stage.id(), stage);
            above.putIfAbsent(stage.id(), new ArrayList<>());
        }
        final Map<String, Integer> open = new HashMap<>();
        for (final StageDefinition stage : stages)
        {
            for (final String listener : stage.listeners().stream().distinct().toList())
            {
                above.get(listener).add(stage);
                open.merge(listener, 1, Integer::sum);
            }
        }
        final List<StageDefinition> left = new ArrayList<>(stages);
        boolean found = true;
        while (found)
        {
            found = false;
            for (final StageDefinition stage : List.copyOf(left))
            {
                if (open.getOrDefault(stage.id(), 0) == 0)
                {
                    order.add(stage);
                    left.remove(stage);
                    stage.listeners().stream().distinct().forEach(id -> open.merge(id, -1, Integer::sum));
                    found = true;
                }
            }
        }
        if (!left.isEmpty())
        {
            throw cycle(left);
        }
    }

    private DeploymentException cycle(final List<StageDefinition> left)
    {
        final List<String> path = new ArrayList<>();
        StageDefinition current = left.get(0);
        // Each remaining stage has a remaining stage above it, so walking up must reach a stage twice.
        while (!path.contains(current.id()))
        {
            path.add(0, current.id());
            current = above.get(current.id()).stream().filter(left::contains).findFirst().orElseThrow();
        }
        final List<String> circle = new ArrayList<>(path.subList(0, path.indexOf(current.id()) + 1));
        circle.add(0, current.id());
        return new DeploymentException(NetworkErrorCode.CYCLE, current.position(),
            "stages listen to each other in a cycle, path=" + circle.stream().collect(Collectors.joining(" -> ")),
            "remove one of these listeners; an event processing network has no cycles");
    }

    /** All stages, each after those above it; an immutable list. */
    public List<StageDefinition> order()
    {
        return List.copyOf(order);
    }

    public StageDefinition stage(final String id)
    {
        return byId.get(id);
    }

    /** The stages that name a stage as listener, in order of definition. */
    public List<StageDefinition> above(final String id)
    {
        return List.copyOf(above.get(id));
    }

    /** The channels directly above a stage, in order of definition. */
    public List<ChannelStage> channelsAbove(final String id)
    {
        return above.get(id).stream().filter(ChannelStage.class::isInstance).map(ChannelStage.class::cast).toList();
    }

    /**
     * Whether order matters below a channel, because a processor receives its rows, directly or through pass-through
     * channels. If so, only one thread may empty its queue.
     */
    public boolean feedsProcessor(final ChannelStage channel)
    {
        return channel.listeners().stream().map(this::stage).anyMatch(below -> below instanceof ProcessorStage ||
            below instanceof ChannelStage next && next.queue().maxThreads() == 0 && feedsProcessor(next));
    }
}
