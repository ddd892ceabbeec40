package dev.millrace.network;

import dev.millrace.network.channel.HeartbeatThread;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.lane.StageRuntime;
import dev.millrace.network.processor.ProcessorRuntime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * The stages of a network, their definition and their life-cycle state. Changed under the monitor of the network; any
 * thread reads.
 */
final class RunningStages
{
    private volatile NetworkDefinition definition;
    private volatile List<StageRuntime> stages;
    private volatile NetworkState phase = NetworkState.READY;
    private final HeartbeatThread heartbeats;

    RunningStages(
        final NetworkDefinition definition, final List<StageRuntime> stages, final HeartbeatThread heartbeats)
    {
        this.definition = definition;
        this.stages = List.copyOf(stages);
        this.heartbeats = heartbeats;
    }

    NetworkDefinition definition()
    {
        return definition;
    }

    String application()
    {
        return definition.applicationName();
    }

    /** In topological order. */
    List<StageRuntime> all()
    {
        return stages;
    }

    /** Each stage after those below it. */
    List<StageRuntime> reversed()
    {
        final List<StageRuntime> reversed = new ArrayList<>(stages);
        Collections.reverse(reversed);
        return reversed;
    }

    /** A stage that the definition contains. */
    StageRuntime of(final String id)
    {
        return stages.stream().filter(each -> each.definition().id().equals(id)).findFirst().orElseThrow();
    }

    Stream<ProcessorRuntime> processors()
    {
        return stages.stream().filter(ProcessorRuntime.class::isInstance).map(ProcessorRuntime.class::cast);
    }

    HeartbeatThread heartbeats()
    {
        return heartbeats;
    }

    /** The life-cycle state, without health. */
    NetworkState phase()
    {
        return phase;
    }

    void phase(final NetworkState next)
    {
        phase = next;
    }

    /** Continues with the stages of the next version. */
    void exchange(final NetworkDefinition next, final List<StageRuntime> nextStages)
    {
        definition = next;
        stages = List.copyOf(nextStages);
    }
}
