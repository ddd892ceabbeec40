package dev.millrace.assembly;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.cache.CacheListener;
import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.epn.CacheDeclaration;
import dev.millrace.assembly.epn.CachingSystemDeclaration;
import dev.millrace.assembly.epn.ElementReference;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.problem.AssemblyErrorCode;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.problem.Suggestions;
import dev.millrace.assembly.xml.Elements;
import dev.millrace.assembly.xml.Located;
import dev.millrace.network.cache.WriteBehindStore;
import dev.millrace.network.condition.RaisedConditions;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ClassUtils;

/** Registers caches and caching systems as beans of the application's context. */
final class CacheBeanRegistrar
{
    /** Maximum number of entries of a cache whose configuration specifies none. */
    static final int DEFAULT_MAX_SIZE = 65_536;

    /** Provider of caches that the members of a cluster share. */
    private static final String CLUSTER = "cluster";
    private static final String COHERENCE = "coherence";
    private static final Set<String> POLICIES =
        Arrays.stream(EvictionPolicy.values()).map(Enum::name).collect(Collectors.toSet());

    private final GenericApplicationContext context;
    private final PlatformServices services;
    private final EpnModel model;
    private final Problems problems;
    private final ComponentConfiguration configuration;
    private final EventTypes eventTypes;
    private final List<RaisedConditions> stores = new ArrayList<>();

    CacheBeanRegistrar(final GenericApplicationContext context, final PlatformServices services, final EpnModel model,
        final ComponentConfiguration configuration, final EventTypes eventTypes)
    {
        this.context = context;
        this.services = services;
        this.model = model;
        this.problems = model.problems();
        this.configuration = configuration;
        this.eventTypes = eventTypes;
    }

    /**
     * Registers the bean definitions.
     *
     * @return settings by cache, without loaders
     */
    Map<String, CacheSettings> register()
    {
        final Map<String, CacheSettings> all = new HashMap<>();
        for (final CachingSystemDeclaration system : model.cachingSystems().values())
        {
            if (system.beanClass() == null)
            {
                provided(system);
            }
        }
        for (final CacheDeclaration cache : model.caches().values())
        {
            final CacheSettings settings = settings(cache);
            if (settings != null)
            {
                final RootBeanDefinition definition =
                    new RootBeanDefinition(Cache.class, () -> create(cache, settings));
                definition.setSource(cache.position());
                final List<String> needed = new ArrayList<>();
                linked(cache).forEach(link -> needed.add(link.target()));
                definition.setDependsOn(needed.toArray(String[]::new));
                context.registerBeanDefinition(cache.id(), definition);
                all.put(cache.id(), settings);
            }
        }
        return all;
    }

    private static List<ElementReference> linked(final CacheDeclaration cache)
    {
        final List<ElementReference> links = new ArrayList<>(cache.listeners());
        for (final ElementReference link : new ElementReference[] {cache.system(), cache.loader(), cache.store()})
        {
            if (link != null)
            {
                links.add(link);
            }
        }
        return links;
    }

    private void provided(final CachingSystemDeclaration declaration)
    {
        final Located provider = declaration.provider();
        final String name = provider == null ? PlatformServices.LOCAL_CACHING_SYSTEM :
            COHERENCE.equals(provider.value()) ? insteadOfCoherence(provider) : provider.value();
        final CachingSystem system = services.cachingSystem(name);
        if (system == null)
        {
            missing(name, provider == null ? declaration.position() : provider.position());
            return;
        }
        final RootBeanDefinition definition = new RootBeanDefinition(CachingSystem.class, () -> system);
        definition.setSource(declaration.position());
        // The system belongs to the platform, not to the application's context.
        definition.setDestroyMethodName("");
        context.registerBeanDefinition(declaration.id(), definition);
    }

    /** Caches of Coherence become caches that the members of the cluster share, or local ones without a cluster. */
    private String insteadOfCoherence(final Located provider)
    {
        final boolean isInCluster = services.cachingSystem(CLUSTER) != null;
        problems.warn(provider.position(), "Coherence is not available, its caches are kept " + (isInCluster ?
            "in the memory of all members of the cluster, provider=coherence instead=" + CLUSTER :
            "in the memory of this server, which is in no cluster, provider=coherence instead=" +
                PlatformServices.LOCAL_CACHING_SYSTEM),
            "write provider=\"" + CLUSTER + "\", or remove the attribute for local caches");
        return isInCluster ? CLUSTER : PlatformServices.LOCAL_CACHING_SYSTEM;
    }

    private void missing(final String name, final SourcePosition position)
    {
        switch (name)
        {
            case CLUSTER -> problems.add(AssemblyErrorCode.UNKNOWN_PROVIDER, position,
                "this server is in no cluster, so it cannot share caches, provider=" + CLUSTER,
                "enable <cluster> in config/config.xml and start the server again, or remove the attribute to keep " +
                    "the caches in the memory of this server");
            default -> problems.add(AssemblyErrorCode.UNKNOWN_PROVIDER, position,
                "the server has no such caching system, provider=" + name,
                Suggestions.hint(name, "providers", List.of(PlatformServices.LOCAL_CACHING_SYSTEM, CLUSTER)));
        }
    }

    private CacheSettings settings(final CacheDeclaration cache)
    {
        final Located valueType = cache.settings().get("value-type");
        final EventType type = valueType == null ? null : eventTypes.eventType(valueType.value());
        final List<Located> keys = cache.settings().containsKey("key-properties") ?
            Elements.names(cache.settings().get("key-properties")) : List.of();
        if (valueType != null && type == null)
        {
            return null;
        }
        for (final Located key : keys)
        {
            if (type.indexOf(key.value()) < 0)
            {
                problems.add(AssemblyErrorCode.DANGLING_REFERENCE, key.position(),
                    "the value type has no such property, cache=" + cache.id() + " value-type=" + type.name() +
                        " property=" + key.value(), Suggestions.hint(key.value(), "properties", names(type)));
            }
        }
        keyClass(cache, type, keys);
        return new CacheSettings(cache.id(), cache.name(), type, keys.stream().map(Located::value).toList(),
            limits(cache), null);
    }

    private static Collection<String> names(final EventType type)
    {
        return type.properties().stream().map(property -> property.name()).toList();
    }

    private void keyClass(final CacheDeclaration cache, final EventType type, final List<Located> keys)
    {
        final Located keyClass = cache.settings().get("key-class");
        if (keyClass == null)
        {
            return;
        }
        if (keys.size() != 1)
        {
            problems.add(AssemblyErrorCode.NOT_AVAILABLE, keyClass.position(),
                "keys of several properties with a key class are not available yet, cache=" + cache.id(),
                "name one property in key-properties and remove key-class");
            return;
        }
        final int column = type.indexOf(keys.get(0).value());
        if (column >= 0)
        {
            final Class<?> expected =
                ClassUtils.resolvePrimitiveIfNecessary(type.properties().get(column).type().javaClass());
            if (!expected.getName().equals(keyClass.value()))
            {
                problems.add(AssemblyErrorCode.CONTRADICTION, keyClass.position(),
                    "the key class differs from the class "
                    + "of the key " +
                    "property, cache=" + cache.id() + " property=" + keys.get(0).value() + " class=" +
                    expected.getName(), "remove the attribute");
            }
        }
    }

    private Map<String, Located> configured(final CacheDeclaration cache)
    {
        final ComponentConfiguration.CachingSystem system =
            cache.system() == null ? null : configuration.cachingSystems().get(cache.system().target());
        return system == null ? Map.of() : system.caches().getOrDefault(cache.name(), Map.of());
    }

    private CacheSettings.Limits limits(final CacheDeclaration cache)
    {
        final Map<String, Located> written = configured(cache);
        final Located policy = written.get("eviction-policy");
        return new CacheSettings.Limits(
            (int)Math.max(1, number(written, "max-size", DEFAULT_MAX_SIZE)),
            policy == null || !POLICIES.contains(policy.value()) ? EvictionPolicy.LRU :
                EvictionPolicy.valueOf(policy.value()),
            TimeUnit.MILLISECONDS.toNanos(Math.max(0, number(written, "time-to-live", 0))));
    }

    private static long number(final Map<String, Located> written, final String name, final long otherwise)
    {
        final Located value = written.get(name);
        try
        {
            return value == null ? otherwise : Long.parseLong(value.value());
        }
        catch (final NumberFormatException e)
        {
            // The check of the configuration has reported it.
            return otherwise;
        }
    }

    /** Conditions of write-behind stores; complete when all caches have been created. */
    List<RaisedConditions> stores()
    {
        return List.copyOf(stores);
    }

    private CacheStore behind(final CacheDeclaration cache, final CacheStore store)
    {
        final Map<String, Located> written = configured(cache);
        if (!written.containsKey("write-behind"))
        {
            return store;
        }
        final RaisedConditions conditions = new RaisedConditions(cache.id(), services.clock());
        stores.add(conditions);
        return new WriteBehindStore(cache.id(), store, new WriteBehindStore.Settings(
                (int)number(written, "batch-size", WriteBehindStore.Settings.DEFAULT.batchSize()),
                (int)number(written, "buffer-size", WriteBehindStore.Settings.DEFAULT.bufferSize()),
                (int)number(written, "buffer-write-attempts", WriteBehindStore.Settings.DEFAULT.attempts()),
                TimeUnit.MILLISECONDS.toNanos(number(written, "buffer-write-timeout",
                    TimeUnit.NANOSECONDS.toMillis(WriteBehindStore.Settings.DEFAULT.timeoutNs())))),
            conditions, services.threads());
    }

    private Cache create(final CacheDeclaration cache, final CacheSettings settings)
    {
        final CachingSystem system = cache.system() == null ?
            services.cachingSystem(PlatformServices.LOCAL_CACHING_SYSTEM) :
            context.getBean(cache.system().target(), CachingSystem.class);
        if (system == null)
        {
            throw new IllegalStateException("the server has no local caching system");
        }
        CacheLoader loader = null;
        if (cache.store() != null)
        {
            final CacheStore bean = context.getBean(cache.store().target(), CacheStore.class);
            loader = configured(cache).containsKey("write-none") ? new LoaderOnly(bean) : behind(cache, bean);
        }
        else if (cache.loader() != null)
        {
            final CacheLoader bean = context.getBean(cache.loader().target(), CacheLoader.class);
            loader = bean instanceof CacheStore ? new LoaderOnly(bean) : bean;
        }
        final Cache made = system.createCache(settings.withLoader(loader));
        if (loader instanceof final WriteBehindStore behind)
        {
            // Destroyed after the cache that depends on it.
            context.getDefaultListableBeanFactory().registerDisposableBean(cache.id() + ".behind", behind::close);
            context.getDefaultListableBeanFactory().registerDependentBean(cache.id() + ".behind", cache.id());
        }
        cache.listeners().forEach(
            listener -> made.addListener(context.getBean(listener.target(), CacheListener.class)));
        return made;
    }

    /** A store that was declared as a loader must not be written to. */
    private record LoaderOnly(CacheLoader loader) implements CacheLoader
    {
        @Override
        public Object load(final Object key)
        {
            return loader.load(key);
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            return loader.loadAll(keys);
        }

        @Override
        public Map<Object, Object> loadAll() throws Exception
        {
            return loader.loadAll();
        }

        @Override
        public boolean loadsEverything()
        {
            return loader.loadsEverything();
        }
    }
}
