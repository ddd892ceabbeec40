package dev.millrace.cql.language;

import dev.millrace.api.event.EventType;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What the rules of a processor may read: channels and caches, by name without case. Immutable. */
public final class Catalog
{
    private final Map<String, Source> sources;

    private Catalog(final Map<String, Source> sources)
    {
        this.sources = sources;
    }

    /** Something that can stand in FROM. */
    public sealed interface Source
    {
        /**
         * The name as declared.
         *
         * @return name
         */
        String name();

        /**
         * The row type.
         *
         * @return type
         */
        EventType type();
    }

    /**
     * A channel that feeds the processor.
     *
     * @param name       channel id
     * @param type       row type
     * @param relation   whether it carries a relation
     * @param totalOrder whether its times increase strictly (system time, or declared so)
     * @param primaryKey properties of a relation's key, empty without
     */
    public record ChannelSource(
        String name, EventType type, boolean relation, boolean totalOrder, List<String> primaryKey) implements Source
    {
        /** Checks the arguments. */
        public ChannelSource
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            primaryKey = List.copyOf(primaryKey);
        }

        /**
         * A channel without key.
         *
         * @param name       channel id
         * @param type       row type
         * @param relation   whether it carries a relation
         * @param totalOrder whether its times increase strictly
         */
        public ChannelSource(
            final String name, final EventType type, final boolean relation, final boolean totalOrder)
        {
            this(name, type, relation, totalOrder, List.of());
        }
    }

    /**
     * A cache that rows are looked up in by key.
     *
     * @param name          name in rules
     * @param type          row type of its values
     * @param keyProperties properties that make up the key
     */
    public record CacheSource(String name, EventType type, List<String> keyProperties) implements Source
    {
        /** Checks the arguments. */
        public CacheSource
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            keyProperties = List.copyOf(keyProperties);
            for (final String property : keyProperties)
            {
                if (type.indexOf(property) < 0)
                {
                    throw new IllegalArgumentException(
                        "key property is no property of the type, cache=" + name + " property=" + property);
                }
            }
        }
    }

    /**
     * Starts a catalog.
     *
     * @return an empty builder
     */
    public static Builder builder()
    {
        return new Builder();
    }

    /**
     * Finds a source.
     *
     * @param name name, case ignored
     * @return the source, or {@code null}
     */
    public Source find(final String name)
    {
        return sources.get(name.toLowerCase(Locale.ROOT));
    }

    /**
     * All sources in order of declaration.
     *
     * @return immutable collection
     */
    public Collection<Source> sources()
    {
        return List.copyOf(sources.values());
    }

    /** Collects sources; used by one thread. */
    public static final class Builder
    {
        private final Map<String, Source> sources = new LinkedHashMap<>();

        private Builder()
        {
        }

        /**
         * Adds a channel.
         *
         * @param name       channel id
         * @param type       row type
         * @param relation   whether it carries a relation
         * @param totalOrder whether its times increase strictly
         * @return this
         */
        public Builder channel(
            final String name, final EventType type, final boolean relation, final boolean totalOrder)
        {
            return add(new ChannelSource(name, type, relation, totalOrder));
        }

        /**
         * Adds a stream in system time.
         *
         * @param name channel id
         * @param type row type
         * @return this
         */
        public Builder stream(final String name, final EventType type)
        {
            return channel(name, type, false, true);
        }

        /**
         * Adds a cache.
         *
         * @param name          name in rules
         * @param type          row type of its values
         * @param keyProperties properties that make up the key
         * @return this
         */
        public Builder cache(final String name, final EventType type, final List<String> keyProperties)
        {
            return add(new CacheSource(name, type, keyProperties));
        }

        /**
         * Adds a source.
         *
         * @param source channel or cache
         * @return this
         * @throws IllegalArgumentException when the name is taken
         */
        public Builder add(final Source source)
        {
            if (sources.putIfAbsent(source.name().toLowerCase(Locale.ROOT), source) != null)
            {
                throw new IllegalArgumentException("source declared twice, name=" + source.name());
            }
            return this;
        }

        /**
         * Ends the catalog.
         *
         * @return the catalog
         */
        public Catalog build()
        {
            return new Catalog(new LinkedHashMap<>(sources));
        }
    }
}
