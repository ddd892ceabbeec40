package dev.millrace.network.definition;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A processor and its rules.
 *
 * @param id           id
 * @param provider     {@code cql}
 * @param rules        views and queries in order of registration
 * @param cacheSources caches it may join, by the name its rules use
 * @param workers      threads that share a PARTITION_ORDERED rule; 0 = the server's default, 1 = run on the sender's
 *     thread
 * @param listeners    stages below
 * @param position     where it was written
 */
public record ProcessorStage(
    String id,
    String provider,
    List<Rule> rules,
    Map<String, CacheSource> cacheSources,
    int workers,
    List<String> listeners,
    SourcePosition position) implements StageDefinition
{
    /** Checks the arguments. */
    public ProcessorStage
    {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(provider, "provider");
        rules = List.copyOf(rules);
        cacheSources = Map.copyOf(cacheSources);
        listeners = List.copyOf(listeners);
    }

    /**
     * A cache as a source of rules.
     *
     * @param cache    the cache
     * @param settings how it was declared; has a value type and key properties
     */
    public record CacheSource(dev.millrace.api.cache.Cache cache, dev.millrace.api.cache.CacheSettings settings)
    {
    }

    /**
     * A view or query of a component configuration file.
     *
     * @param id                  id
     * @param view                whether it is a view
     * @param text                CQL
     * @param schema              column names of a view; empty when not given
     * @param orderingConstraint  {@code ORDERED}, {@code UNORDERED}, {@code PARTITION_ORDERED}
     * @param partitionExpression expression text; {@code null} when not given
     * @param active              whether it runs
     * @param position            of the first character of {@code text}
     */
    public record Rule(
        String id,
        boolean view,
        String text,
        List<String> schema,
        String orderingConstraint,
        String partitionExpression,
        boolean active,
        SourcePosition position)
    {
        /** Checks the arguments. */
        public Rule
        {
            Objects.requireNonNull(id, "id");
            Objects.requireNonNull(text, "text");
            schema = List.copyOf(schema);
        }
    }
}
