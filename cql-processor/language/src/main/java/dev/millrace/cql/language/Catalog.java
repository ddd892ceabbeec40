package dev.millrace.cql.language;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.functions.FunctionCatalog;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What the rules of a processor may use: channels, caches, tables, functions, windows and Java classes, by name without
 * case (classes with case). Immutable.
 */
public final class Catalog
{
    private final Map<String, Source> sources;
    private final FunctionCatalog functions;
    private final List<String> windows;
    private final JavaClasses classes;

    private Catalog(final Builder builder)
    {
        sources = new LinkedHashMap<>(builder.sources);
        functions = builder.functions;
        windows = List.copyOf(builder.windows);
        classes = builder.classes;
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
     * @param time       who gives rows their time, and whether it increases strictly
     * @param silent     whether it never holds back others (a relation filled once)
     * @param primaryKey properties of a relation's key, empty without
     * @param timeProperty the property that holds the time of each row, in nanoseconds; {@code null} when none does
     */
    public record ChannelSource(String name, EventType type, boolean relation, FlowNode.TimeKind time, boolean silent,
        List<String> primaryKey, String timeProperty) implements Source
    {
        /** Checks the arguments. */
        public ChannelSource
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            Objects.requireNonNull(time, "time");
            primaryKey = List.copyOf(primaryKey);
        }

        /**
         * A channel whose rows do not show their time.
         *
         * @param name       channel id
         * @param type       row type
         * @param relation   whether it carries a relation
         * @param time       who gives rows their time, and whether it increases strictly
         * @param silent     whether it never holds back others
         * @param primaryKey properties of a relation's key, empty without
         */
        public ChannelSource(final String name, final EventType type, final boolean relation,
            final FlowNode.TimeKind time, final boolean silent, final List<String> primaryKey)
        {
            this(name, type, relation, time, silent, primaryKey, null);
        }

        /**
         * A channel that takes part in the progress of time.
         *
         * @param name       channel id
         * @param type       row type
         * @param relation   whether it carries a relation
         * @param totalOrder whether it is in system time; otherwise its times may repeat
         * @param primaryKey properties of a relation's key, empty without
         */
        public ChannelSource(final String name, final EventType type, final boolean relation,
            final boolean totalOrder, final List<String> primaryKey)
        {
            this(name, type, relation, totalOrder ? FlowNode.TimeKind.SYSTEM : FlowNode.TimeKind.APPLICATION, false,
                primaryKey);
        }

        /**
         * Whether no two rows have one time.
         *
         * @return true unless the application gives times that may repeat
         */
        public boolean totalOrder()
        {
            return time != FlowNode.TimeKind.APPLICATION;
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
     * @param loads         whether a key that is missing may be found elsewhere
     */
    public record CacheSource(String name, EventType type, List<String> keyProperties, boolean loads)
        implements Source
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
     * A table of a database, which is asked for rows by equality.
     *
     * @param name name in rules
     * @param type row type; its properties are the columns that rules may read
     */
    public record TableSource(String name, EventType type) implements Source
    {
        /** Checks the arguments. */
        public TableSource
        {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
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

    /**
     * The functions and aggregates.
     *
     * @return those of the language, and those of the application
     */
    public FunctionCatalog functions()
    {
        return functions;
    }

    /**
     * The names of windows of users' classes.
     *
     * @return names as declared; rules ignore case
     */
    public List<String> windows()
    {
        return windows;
    }

    /**
     * The Java classes that rules can reach.
     *
     * @return finder
     */
    public JavaClasses classes()
    {
        return classes;
    }

    /** Collects what rules may use; used by one thread. */
    public static final class Builder
    {
        private final Map<String, Source> sources = new LinkedHashMap<>();
        private final List<String> windows = new ArrayList<>();
        private FunctionCatalog functions = FunctionCatalog.builtIn();
        private JavaClasses classes = JavaClasses.NONE;

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
            return cache(name, type, keyProperties, false);
        }

        /**
         * Adds a cache.
         *
         * @param name          name in rules
         * @param type          row type of its values
         * @param keyProperties properties that make up the key
         * @param loads         whether a key that is missing may be found elsewhere
         * @return this
         */
        public Builder cache(
            final String name, final EventType type, final List<String> keyProperties, final boolean loads)
        {
            return add(new CacheSource(name, type, keyProperties, loads));
        }

        /**
         * Adds a table.
         *
         * @param name name in rules
         * @param type row type
         * @return this
         */
        public Builder table(final String name, final EventType type)
        {
            return add(new TableSource(name, type));
        }

        /**
         * Adds a window of a user's class.
         *
         * @param name name in rules
         * @return this
         */
        public Builder window(final String name)
        {
            windows.add(Objects.requireNonNull(name, "name"));
            return this;
        }

        /**
         * Sets the functions.
         *
         * @param all those of the language with those of the application
         * @return this
         */
        public Builder functions(final FunctionCatalog all)
        {
            functions = Objects.requireNonNull(all, "all");
            return this;
        }

        /**
         * Sets the Java classes that rules can reach.
         *
         * @param finder under the class-space policy of the application
         * @return this
         */
        public Builder classes(final JavaClasses finder)
        {
            classes = Objects.requireNonNull(finder, "finder");
            return this;
        }

        /**
         * Adds a source.
         *
         * @param source channel, cache or table
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
            return new Catalog(this);
        }
    }
}
