package dev.millrace.network.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.network.channel.ChannelRuntime;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.lane.Outlet;
import dev.millrace.network.lane.StageMeter;
import dev.millrace.network.lane.StageRuntime.OutletWatcher;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.topology.TypePropagation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The outlets of a processor and the channels directly below them.
 *
 * <p>Threads: opened and closed by the thread that wires the processor or changes its rules; any thread reads
 * {@link #all()}.
 */
final class ProcessorOutlets
{
    private final StageMeter meter;
    private final List<Outlet> outlets = new ArrayList<>();
    private final List<ChannelRuntime> below = new ArrayList<>();
    private boolean isWired;
    /** Sees lanes that are opened and closed with rules; {@code null} for none. Guarded by the network. */
    private OutletWatcher watcher;

    ProcessorOutlets(final StageMeter meter)
    {
        this.meter = meter;
    }

    List<Outlet> all()
    {
        synchronized (outlets)
        {
            return List.copyOf(outlets);
        }
    }

    /** Adds a channel directly below, before anything is wired into it. */
    void add(final ChannelRuntime channel)
    {
        below.add(channel);
    }

    /** The channels directly below. */
    List<ChannelRuntime> below()
    {
        return below;
    }

    /**
     * The outlets of the plan are open.
     *
     * @param one the thread that all of them run on; {@code null} if there are several
     */
    void wired(final Object one)
    {
        synchronized (outlets)
        {
            if (one != null)
            {
                outlets.forEach(outlet -> outlet.runsOn(one));
            }
            isWired = true;
        }
    }

    boolean isWired()
    {
        synchronized (outlets)
        {
            return isWired;
        }
    }

    /**
     * Groups queries that may share an outlet.
     *
     * @param schemas schema of the rows, by query
     * @param takes   whether a channel accepts the rows of a query
     */
    Collection<List<String>> shared(
        final Map<String, BatchSchema> schemas, final BiPredicate<ChannelRuntime, String> takes)
    {
        return new OutletSharing(below, takes).of(schemas);
    }

    /**
     * Opens one outlet for queries.
     *
     * @param opened receives it for each query
     */
    Outlet open(final List<String> queries, final Map<String, BatchSchema> schemas,
        final Function<String, QueryOutput> planned, final Map<String, EventBatchSink> opened)
    {
        final String first = queries.get(0);
        final Outlet outlet = new Outlet(schemas.get(first), first, null, meter.openOut());
        outlet.uniqueBy(queries.size() == 1 ? planned.apply(first).unique() : null);
        synchronized (outlets)
        {
            outlets.add(outlet);
        }
        queries.forEach(query -> opened.put(query, outlet));
        return outlet;
    }

    /** Reports an outlet that was opened with rules. */
    void report(final Outlet outlet, final BiPredicate<ChannelRuntime, String> takes)
    {
        if (watcher != null)
        {
            watcher.opened(outlet, typesBelow(outlet.queryId(), takes));
        }
    }

    /** Closes an outlet whose queries have ended. */
    void close(final Outlet outlet)
    {
        synchronized (outlets)
        {
            outlets.remove(outlet);
        }
        below.forEach(channel -> channel.detach(outlet));
        outlet.close();
        if (watcher != null)
        {
            watcher.closed(outlet);
        }
        meter.close(outlet.counters());
    }

    /** Reports the outlets, and those that are opened or closed later; {@code null} ends that. */
    void watch(final OutletWatcher next)
    {
        watcher = next;
        if (next != null)
        {
            all().forEach(outlet -> next.opened(outlet, typesBelow(outlet.queryId(), ChannelRuntime::takes)));
        }
    }

    private List<EventType> typesBelow(final String queryId, final BiPredicate<ChannelRuntime, String> takes)
    {
        return below.stream().filter(channel -> takes.test(channel, queryId))
            .map(channel -> channel.definition().eventType()).distinct().toList();
    }

    /** Warnings about channels that discard the deletions of a query. */
    List<Problem> deletionsLeftOut(final QueryOutput output, final Predicate<ChannelRuntime> takes)
    {
        return below.stream().filter(takes)
            .flatMap(channel -> TypePropagation.deletionsLeftOut(output, channel.definition()).stream()).toList();
    }
}
