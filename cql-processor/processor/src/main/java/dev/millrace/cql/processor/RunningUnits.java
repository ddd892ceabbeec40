package dev.millrace.cql.processor;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.PipelineGroups;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.worker.ChannelInput;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.RowRouter;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.processor.worker.StoredRows;
import dev.millrace.cql.processor.worker.WorkerRoutingTable;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * The execution units of a running processor, and the inputs that feed them. Units are replaced while the inputs are
 * paused. Thread-safe; each input is confined to one source thread, and units are replaced by one thread at a time.
 */
final class RunningUnits
{
    private static final long DRAIN_POLL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ProcessorWiring wiring;
    private final Workers workers;
    private final PipelineGroups grouping = new PipelineGroups();
    private final WorkerRoutingTable table;
    private final List<Opened> inputs = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> opened = new LinkedHashMap<>();
    private volatile State state;

    /**
     * The running state; replaced as a whole.
     *
     * @param rules  rules and their plan
     * @param units  all running units
     * @param groups groups by the channel that feeds them
     */
    record State(PlannedRules rules, List<ExecutionUnit> units, Map<String, List<PipelineGroup>> groups)
    {
        ProcessorStage definition()
        {
            return rules.definition();
        }
    }

    /** An input and the route to each group that its channel feeds. */
    private record Opened(String channel, ChannelInput input, Map<PipelineGroup, RowRouter> routes)
    {
    }

    RunningUnits(final PlannedRules rules, final ProcessorWiring wiring, final Workers workers,
        final List<ExecutionUnit> units)
    {
        this.wiring = wiring;
        this.workers = workers;
        table = new WorkerRoutingTable(wiring.workers());
        state = new State(rules, List.copyOf(units), grouping.of(units));
    }

    /**
     * Opens the input of a channel for one more source thread.
     *
     * @param stored the rows of the channel that were stored; {@code null} if the processor is
     *               not durable
     */
    EventBatchSink openInput(final String channelId, final StoredRows stored)
    {
        final int count;
        synchronized (opened)
        {
            count = opened.merge(channelId, 1, Integer::sum);
        }
        final List<PipelineGroup> fed = state.groups().getOrDefault(channelId, List.of());
        if (count > 1 && fed.stream().anyMatch(group -> group.members().get(0).worker() == null))
        {
            throw new IllegalStateException("internal error, please report it: a second source thread for a channel " +
                "that was announced with one, processor=" + state.definition().id() + " channel=" + channelId);
        }
        final Opened made = new Opened(
            channelId, new ChannelInput(new RowRouter[0], stored), new IdentityHashMap<>());
        route(made, fed);
        inputs.add(made);
        return made.input();
    }

    /** Passes the numbers of the rows that each input has received since the start. */
    void forEachInput(final BiConsumer<String, SequenceMarks> consumer)
    {
        inputs.forEach(each -> consumer.accept(each.channel(), each.input().sent()));
    }

    /** A copy of the numbers of the rows that each channel has received since the start. */
    Map<String, SequenceMarks> sent()
    {
        final Map<String, SequenceMarks> copies = new LinkedHashMap<>();
        forEachInput((channel, sent) -> copies.computeIfAbsent(channel, id -> new SequenceMarks()).raise(sent));
        return copies;
    }

    /** Opens routes to the new groups of an input, and closes those to removed groups. */
    private void route(final Opened to, final List<PipelineGroup> fed)
    {
        for (final PipelineGroup group : fed)
        {
            to.routes().computeIfAbsent(group, each ->
                each.open(table, wiring::reject, () -> wiring.openMemory("", "rings to workers")));
        }
        if (to.routes().size() > fed.size())
        {
            final Set<PipelineGroup> left = new HashSet<>(fed);
            to.routes().entrySet().removeIf(entry ->
            {
                final boolean isGone = !left.contains(entry.getKey());
                if (isGone)
                {
                    entry.getValue().close();
                }
                return isGone;
            });
        }
        to.input().routes(fed.stream().map(to.routes()::get).toArray(RowRouter[]::new));
    }

    /**
     * Stops accepting rows and waits until the rows in progress are emitted.
     *
     * @param timeoutNs maximum time to wait
     * @return false after the timeout; then the processor accepts rows again
     */
    boolean pause(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        final List<ChannelInput> claimed = new ArrayList<>();
        boolean isPaused = true;
        for (final Opened each : inputs)
        {
            isPaused = isPaused && each.input().claim(deadlineNs - System.nanoTime());
            if (isPaused)
            {
                claimed.add(each.input());
            }
        }
        isPaused = isPaused && drain(deadlineNs - System.nanoTime());
        if (!isPaused)
        {
            claimed.forEach(ChannelInput::release);
        }
        return isPaused;
    }

    /** Accepts rows again after {@link #pause}. */
    void resume()
    {
        inputs.forEach(each -> each.input().release());
    }

    State state()
    {
        return state;
    }

    /** The groups of units that are to run, by channel; called while paused. */
    Map<String, List<PipelineGroup>> group(final List<ExecutionUnit> units)
    {
        return grouping.of(units);
    }

    /**
     * Replaces the running state; called while paused.
     *
     * @param groups of the units, from {@link #group}
     */
    void exchange(final PlannedRules rules, final List<ExecutionUnit> units,
        final Map<String, List<PipelineGroup>> groups)
    {
        workers.start();
        inputs.forEach(each -> route(each, groups.getOrDefault(each.channel(), List.of())));
        state = new State(rules, List.copyOf(units), groups);
    }

    /**
     * Waits until the rows in progress are emitted.
     *
     * @return false after the timeout
     */
    boolean drain(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        for (final Opened each : inputs)
        {
            for (final RowRouter route : each.input().routes())
            {
                final long[] taken = route.taken();
                while (!route.isDone(taken))
                {
                    if (deadlineNs - System.nanoTime() <= 0)
                    {
                        return false;
                    }
                    LockSupport.parkNanos(this, DRAIN_POLL_NS);
                }
            }
        }
        return drainSteps(deadlineNs);
    }

    /** Waits until the second steps of flows have processed the output of the first ones. */
    private boolean drainSteps(final long deadlineNs)
    {
        for (final ExecutionUnit unit : state.units())
        {
            while (!unit.isPipeline() && !unit.flow().isDone())
            {
                if (deadlineNs - System.nanoTime() <= 0)
                {
                    return false;
                }
                LockSupport.parkNanos(this, DRAIN_POLL_NS);
            }
        }
        return true;
    }
}
