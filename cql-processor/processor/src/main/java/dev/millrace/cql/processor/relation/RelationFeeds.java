package dev.millrace.cql.processor.relation;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.string.StringTable;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The caches that pipelines join with; each has one listener. Confined to the thread that starts or changes rules. */
public final class RelationFeeds
{
    private final ProcessorStage definition;
    private final ProcessorWiring wiring;
    private final Runnable wake;
    private final Map<String, RelationFeed> feeds = new LinkedHashMap<>();
    /** Replicas created since the last {@link #open}. */
    private final List<RelationReplica> fresh = new ArrayList<>();

    public RelationFeeds(final ProcessorStage definition, final ProcessorWiring wiring, final Runnable wake)
    {
        this.definition = definition;
        this.wiring = wiring;
        this.wake = wake;
    }

    /** A replica for one pipeline instance: filled by {@link #open}, or on first use if its cache is already open. */
    public RelationReplica newCopy(final RelationSource source, final StringTable strings)
    {
        final RelationReplica copy =
            feeds.computeIfAbsent(source.id(), id -> new RelationFeed(source, cache(id), wiring)).newCopy(strings);
        fresh.add(copy);
        return copy;
    }

    /** Names in rules are case-insensitive; the plan contains the name as declared, or as the rule spells it. */
    private Cache cache(final String id)
    {
        for (final Map.Entry<String, ProcessorStage.CacheSource> entry : definition.cacheSources().entrySet())
        {
            if (entry.getKey().equalsIgnoreCase(id))
            {
                return entry.getValue().cache();
            }
        }
        throw new IllegalStateException("internal error, please report it with the rules: the plan reads a cache " +
            "that the processor does not have, processor=" + definition.id() + " cache=" + id);
    }

    /** Starts to listen to the new caches, and fills their replicas; on failure it stops listening to them. */
    public void open() throws DeploymentException
    {
        final List<RelationFeed> opened = new ArrayList<>();
        boolean isOpen = false;
        try
        {
            for (final RelationFeed feed : feeds.values())
            {
                if (!feed.isOpen())
                {
                    opened.add(feed);
                    feed.open(definition, wake);
                }
            }
            isOpen = true;
            fresh.clear();
        }
        finally
        {
            if (!isOpen)
            {
                opened.forEach(RelationFeed::close);
            }
        }
    }

    /** Releases the replicas that are not needed after a failure. */
    public void undo()
    {
        release(List.copyOf(fresh));
        fresh.clear();
    }

    /** Releases replicas; stops listening to a cache without replicas. */
    public void release(final List<RelationReplica> copies)
    {
        for (final RelationReplica copy : copies)
        {
            copy.close();
            feeds.values().forEach(feed -> feed.remove(copy));
        }
        feeds.values().removeIf(feed ->
        {
            final boolean isUnused = feed.isUnused();
            if (isUnused)
            {
                feed.close();
            }
            return isUnused;
        });
    }

    public void close()
    {
        feeds.values().forEach(RelationFeed::close);
    }
}
