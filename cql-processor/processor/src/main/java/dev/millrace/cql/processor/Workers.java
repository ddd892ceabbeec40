package dev.millrace.cql.processor;

import dev.millrace.cql.plan.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The workers of a processor: made when the first is needed, and dealt out. Used by the thread that starts the
 * processor or changes its rules; {@link #all()} is for all.
 */
final class Workers
{
    private final ProcessorWiring wiring;
    private final List<Worker> all = new CopyOnWriteArrayList<>();
    private final Map<GroupKey, List<Worker>> runners = new HashMap<>();
    private int nextOrdered;
    private int started;

    Workers(final ProcessorWiring wiring)
    {
        this.wiring = wiring;
    }

    List<Worker> all()
    {
        return all;
    }

    /** Who runs a group: the source's thread itself ({@code null}), one worker, or all; always the same. */
    List<Worker> runners(final GroupKey key)
    {
        return runners.computeIfAbsent(key, this::choose);
    }

    private List<Worker> choose(final GroupKey key)
    {
        if (wiring.workers() == 1 && wiring.sourceThreads(key.channel()) <= 1)
        {
            return Collections.singletonList(null);
        }
        make();
        return key.ordering() == OrderingConstraint.ORDERED ? List.of(next()) : List.copyOf(all);
    }

    /** Who runs a flow: the source's thread itself ({@code null}), one worker in order, or all. */
    List<Worker> runners(final FlowPlan flow)
    {
        if (wiring.workers() == 1 && isOfOneThread(flow))
        {
            return Collections.singletonList(null);
        }
        make();
        return flow.ordering() == OrderingConstraint.ORDERED ? List.of(next()) : List.copyOf(all);
    }

    /** Whether all rows of a flow come on the same thread. */
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
     * Who runs second steps: always the same one, since workers that wait for each other's rings would wait for ever.
     */
    Worker merger()
    {
        make();
        return all.get(all.size() - 1);
    }

    private void make()
    {
        while (all.size() < wiring.workers())
        {
            all.add(new Worker(wiring.qualifiedName() + "/worker-" + (all.size() + 1), wiring.threads()));
        }
    }

    /** Ordered work goes to the workers in turn. */
    Worker next()
    {
        make();
        return all.get(nextOrdered++ % all.size());
    }

    /** Starts those that do not run yet. */
    void start()
    {
        while (started < all.size())
        {
            all.get(started++).start();
        }
    }

    /** Wakes all up: relations have changed. */
    void wake()
    {
        all.forEach(Worker::wake);
    }
}
