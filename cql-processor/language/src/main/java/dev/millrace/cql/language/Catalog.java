package dev.millrace.cql.language;

import dev.millrace.api.cartridge.CartridgeLinks;
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
 * The channels, caches, tables, functions, windows, Java classes and links of cartridges that the rules of a processor
 * can use, by case-insensitive name (class names are case-sensitive). Immutable.
 */
public final class Catalog
{
    private final Map<String, Source> sources;
    private final FunctionCatalog functions;
    private final List<String> windows;
    private final JavaClasses classes;
    private final CartridgeLinks cartridges;

    private Catalog(final Builder builder)
    {
        sources = new LinkedHashMap<>(builder.sources);
        functions = builder.functions;
        windows = List.copyOf(builder.windows);
        classes = builder.classes;
        cartridges = builder.cartridges;
    }

    /** A source that FROM can name. */
    public sealed interface Source
    {
        /** The name as declared. */
        String name();

        /** The row type. */
        EventType type();
    }

    /**
     * A channel that feeds the processor.
     *
     * @param name         channel id
     * @param type         row type
     * @param relation     whether it carries a relation
     * @param time         clock that assigns row times, and whether they increase strictly
     * @param silent       whether it never delays other sources (a relation that is filled once)
     * @param primaryKey   properties of a relation's key, empty when it has none
     * @param timeProperty property that contains the time of each row, in nanoseconds; may be {@code null}
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

        /** A channel without a time property. */
        public ChannelSource(final String name, final EventType type, final boolean relation,
            final FlowNode.TimeKind time, final boolean silent, final List<String> primaryKey)
        {
            this(name, type, relation, time, silent, primaryKey, null);
        }

        /**
         * A channel that is not silent.
         *
         * @param name       channel id
         * @param type       row type
         * @param relation   whether it carries a relation
         * @param totalOrder whether it uses system time; otherwise its times may repeat
         * @param primaryKey properties of a relation's key, empty when it has none
         */
        public ChannelSource(final String name, final EventType type, final boolean relation,
            final boolean totalOrder, final List<String> primaryKey)
        {
            this(name, type, relation, totalOrder ? FlowNode.TimeKind.SYSTEM : FlowNode.TimeKind.APPLICATION, false,
                primaryKey);
        }

        /**
         * A channel without a key.
         *
         * @param totalOrder whether its times increase strictly
         */
        public ChannelSource(
            final String name, final EventType type, final boolean relation, final boolean totalOrder)
        {
            this(name, type, relation, totalOrder, List.of());
        }
    }

    /**
     * A cache for lookups by key.
     *
     * @param name          name in rules
     * @param type          row type of its values
     * @param keyProperties properties that form the key
     * @param loads         whether the cache loads missing keys
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
                        "key property is not a property of the type, cache=" + name + " property=" + property);
                }
            }
        }
    }

    /**
     * A table of a database, for lookups by equality.
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

    /** Creates an empty builder. */
    public static Builder builder()
    {
        return new Builder();
    }

    /**
     * Finds a source.
     *
     * @param name case-insensitive name
     * @return the source, or {@code null}
     */
    public Source find(final String name)
    {
        return sources.get(name.toLowerCase(Locale.ROOT));
    }

    /** All sources in order of declaration. */
    public Collection<Source> sources()
    {
        return List.copyOf(sources.values());
    }

    /**
     * The functions and aggregates.
     *
     * @return built-in and application functions
     */
    public FunctionCatalog functions()
    {
        return functions;
    }

    /** The names of user windows as declared; rules ignore case. */
    public List<String> windows()
    {
        return windows;
    }

    /** The Java classes that rules can access. */
    public JavaClasses classes()
    {
        return classes;
    }

    /** The links of cartridges that rules can use. */
    public CartridgeLinks cartridges()
    {
        return cartridges;
    }

    /** Builds a catalog. Not thread-safe. */
    public static final class Builder
    {
        private final Map<String, Source> sources = new LinkedHashMap<>();
        private final List<String> windows = new ArrayList<>();
        private FunctionCatalog functions = FunctionCatalog.builtIn();
        private JavaClasses classes = JavaClasses.NONE;
        private CartridgeLinks cartridges = CartridgeLinks.NONE;

        private Builder()
        {
        }

        /**
         * Adds a channel.
         *
         * @param totalOrder whether its times increase strictly
         */
        public Builder channel(
            final String name, final EventType type, final boolean relation, final boolean totalOrder)
        {
            return add(new ChannelSource(name, type, relation, totalOrder));
        }

        /** Adds a stream with system time. */
        public Builder stream(final String name, final EventType type)
        {
            return channel(name, type, false, true);
        }

        /** Adds a cache that does not load missing keys. */
        public Builder cache(final String name, final EventType type, final List<String> keyProperties)
        {
            return cache(name, type, keyProperties, false);
        }

        /**
         * Adds a cache.
         *
         * @param loads whether the cache loads missing keys
         */
        public Builder cache(
            final String name, final EventType type, final List<String> keyProperties, final boolean loads)
        {
            return add(new CacheSource(name, type, keyProperties, loads));
        }

        /** Adds a table. */
        public Builder table(final String name, final EventType type)
        {
            return add(new TableSource(name, type));
        }

        /** Adds a user window. */
        public Builder window(final String name)
        {
            windows.add(Objects.requireNonNull(name, "name"));
            return this;
        }

        /**
         * Sets the functions.
         *
         * @param all built-in and application functions
         */
        public Builder functions(final FunctionCatalog all)
        {
            functions = Objects.requireNonNull(all, "all");
            return this;
        }

        /**
         * Sets the Java classes that rules can access.
         *
         * @param finder finder that applies the class-space policy of the application
         */
        public Builder classes(final JavaClasses finder)
        {
            classes = Objects.requireNonNull(finder, "finder");
            return this;
        }

        /**
         * Sets the links of cartridges that rules can use.
         *
         * @param links links and types
         */
        public Builder cartridges(final CartridgeLinks links)
        {
            cartridges = Objects.requireNonNull(links, "links");
            return this;
        }

        /**
         * Adds a source.
         *
         * @throws IllegalArgumentException if the name is already used
         */
        public Builder add(final Source source)
        {
            if (sources.putIfAbsent(source.name().toLowerCase(Locale.ROOT), source) != null)
            {
                throw new IllegalArgumentException("source declared twice, name=" + source.name());
            }
            return this;
        }

        /** Builds the catalog. */
        public Catalog build()
        {
            return new Catalog(this);
        }
    }
}
