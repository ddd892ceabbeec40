package dev.millrace.cql.processor;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.text.Codes;
import dev.millrace.cql.plan.Operator.RelationSource;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The caches that pipelines join with, each listened to once. Used by the thread that starts or changes rules. */
final class Feeds
{
    private final ProcessorStage definition;
    private final ProcessorWiring wiring;
    private final Runnable wake;
    private final Map<String, RelationFeed> feeds = new LinkedHashMap<>();
    /** Copies made since the last {@link #open}. */
    private final List<RelationCopy> fresh = new ArrayList<>();

    Feeds(final ProcessorStage definition, final ProcessorWiring wiring, final Runnable wake)
    {
        this.definition = definition;
        this.wiring = wiring;
        this.wake = wake;
    }

    /** A copy for one pipeline instance: filled by {@link #open}, or on first use when its cache is open already. */
    RelationCopy newCopy(final RelationSource source, final Codes strings)
    {
        final RelationCopy copy =
            feeds.computeIfAbsent(source.id(), id -> new RelationFeed(source, cache(id), wiring)).newCopy(strings);
        fresh.add(copy);
        return copy;
    }

    /** Names in rules ignore case; the plan has the name as declared, or as the rule wrote it. */
    private Cache cache(final String id)
    {
        for (final Map.Entry<String, ProcessorStage.CacheSource> entry : definition.cacheSources().entrySet())
        {
            if (entry.getKey().equalsIgnoreCase(id))
            {
                return entry.getValue().cache();
            }
        }
        throw new IllegalStateException("our bug, please report it with the rules: the plan reads a cache that the " +
            "processor does not have, processor=" + definition.id() + " cache=" + id);
    }

    /** Listens to the caches that are new, and fills their copies; on failure those are closed again. */
    void open() throws DeploymentException
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

    /** Gives back the copies that were made in vain. */
    void undo()
    {
        release(List.copyOf(fresh));
        fresh.clear();
    }

    /** Gives copies back; a cache that nobody joins with is not listened to any more. */
    void release(final List<RelationCopy> copies)
    {
        for (final RelationCopy copy : copies)
        {
            if (copy.leave())
            {
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
        }
    }

    void close()
    {
        feeds.values().forEach(RelationFeed::close);
    }
}
