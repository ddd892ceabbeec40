package dev.millrace.cql.processor.worker;

import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The workers of a processor: created on demand and assigned to groups and flows. Confined to the thread that starts
 * the processor or changes its rules; {@link #all()} is thread-safe.
 */
public final class Workers
{
    private final ProcessorWiring wiring;
    private final List<ThreadWorker> all = new CopyOnWriteArrayList<>();
    /** Runs work with several sources on their threads; {@code null} until needed. */
    private volatile CallerRunsWorker turns;
    private final Map<GroupKey, List<Worker>> runners = new HashMap<>();
    /** Index of the worker of ordered work, by its name; {@code null} unless the processor is durable. */
    private final Map<String, Integer> assigned;
    private int nextOrdered;
    private int started;

    public Workers(final ProcessorWiring wiring)
    {
        this(wiring, null);
    }

    /**
     * Creates the workers of a durable processor.
     *
     * @param assigned index of the worker of ordered work before the start, by its name: its state is there
     */
    public Workers(final ProcessorWiring wiring, final Map<String, Integer> assigned)
    {
        this.wiring = wiring;
        this.assigned = assigned == null ? null : new HashMap<>(assigned);
        nextOrdered = assigned == null ? 0 : assigned.size();
    }

    /** A copy of the indexes of the workers of ordered work; empty unless the processor is durable. */
    public Map<String, Integer> assigned()
    {
        return assigned == null ? Map.of() : Map.copyOf(assigned);
    }

    /** Forgets work that has ended. */
    public void release(final Predicate<String> hasEnded)
    {
        if (assigned != null)
        {
            assigned.keySet().removeIf(hasEnded);
        }
    }

    /** The workers with their own thread. */
    public List<ThreadWorker> all()
    {
        return all;
    }

    /** The workers with rings. */
    public List<Worker> withRings()
    {
        final List<Worker> found = new ArrayList<>(all);
        if (turns != null)
        {
            found.add(turns);
        }
        return found;
    }

    /**
     * The workers of a group: the source's thread itself ({@code null}), those of several sources in turn, one worker,
     * or all; always the same.
     */
    public List<Worker> runners(final GroupKey key)
    {
        return runners.computeIfAbsent(key, this::choose);
    }

    private List<Worker> choose(final GroupKey key)
    {
        if (wiring.workers() == 1)
        {
            return Collections.singletonList(wiring.sourceThreads(key.channel()) <= 1 ? null : turns());
        }
        make();
        return key.ordering() == OrderingConstraint.ORDERED ?
            List.of(next("group " + key.channel() + ' ' + key.partitionColumn())) : List.copyOf(all);
    }

    /**
     * The workers of a flow: the source's thread itself ({@code null}), those of several sources in turn, one worker in
     * order, or all.
     *
     * @param name the same after a restart
     */
    public List<Worker> runners(final FlowPlan flow, final String name)
    {
        if (wiring.workers() == 1)
        {
            return Collections.singletonList(isOfOneThread(flow) ? null : turns());
        }
        make();
        return flow.ordering() == OrderingConstraint.ORDERED ? List.of(next(name)) : List.copyOf(all);
    }

    private CallerRunsWorker turns()
    {
        turns = turns == null ? new CallerRunsWorker() : turns;
        return turns;
    }

    /** Whether all rows of a flow arrive on the same thread. */
    private boolean isOfOneThread(final FlowPlan flow)
    {
        Object one = null;
        for (final FlowNode.Source source : flow.sources())
        {
            final int threads = wiring.sourceThreads(source.name());
            final Object thread = wiring.sourceThread(source.name());
            if (threads > 1 || threads == 1 && one != null && !one.equals(thread))
            {
                return false;
            }
            one = threads == 0 ? one : thread;
        }
        return true;
    }

    /**
     * The worker of second steps: always the same one, since workers that wait for each other's rings would wait
     * forever.
     */
    public ThreadWorker merger()
    {
        make();
        return all.get(all.size() - 1);
    }

    private void make()
    {
        while (all.size() < wiring.workers())
        {
            all.add(new ThreadWorker(wiring.qualifiedName() + "/worker-" + (all.size() + 1), wiring.threads()));
        }
    }

    /** Ordered work is assigned to the workers in turn, and after a restart to the same one. */
    private ThreadWorker next(final String name)
    {
        if (assigned != null)
        {
            return all.get(assigned.computeIfAbsent(name, work -> nextOrdered++ % all.size()) % all.size());
        }
        return next();
    }

    /** Ordered work is assigned to the workers in turn. */
    public ThreadWorker next()
    {
        make();
        return all.get(nextOrdered++ % all.size());
    }

    /** Starts the workers that are not running yet. */
    public void start()
    {
        while (started < all.size())
        {
            all.get(started++).start();
        }
    }

    /** Wakes up all workers: relations have changed. */
    public void wake()
    {
        all.forEach(Worker::wake);
    }
}
