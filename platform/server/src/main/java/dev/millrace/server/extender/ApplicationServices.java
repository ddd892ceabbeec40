package dev.millrace.server.extender;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.cartridge.Cartridge;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.time.Clock;
import dev.millrace.assembly.PlatformServices;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.spi.DirectoryStorage;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.EventStore;
import dev.millrace.network.spi.OutputPermit;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.ProcessorProvider;
import dev.millrace.server.extender.osgi.CartridgeServices;
import dev.millrace.server.extender.osgi.ServiceFilters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The platform services for one context of one application. Providers are looked up by name once and then held by the
 * stages themselves. Because bundles start in parallel, a missing provider is awaited; the total wait per context is
 * limited. Confined to the application's thread, except for cartridges, which later changes of rules may look up.
 */
public final class ApplicationServices implements PlatformServices
{
    /** Service property with the name of a provider, the same for all kinds. */
    private static final String TYPE = "type";

    private static final long POLL_MS = 50;

    private final BundleContext context;

    private final ThreadFactory threads;

    private final int defaultWorkers;

    private final Duration idleStateTime;
    private final int maxAttempts;

    private final MemoryBudget memory;

    private final Set<String> groups;

    /** Directory of the state of durable processors. */
    private final Path state;

    /** {@code null} for the defaults: classes of journals are loaded when a durable processor starts. */
    private final DurabilitySettings durability;

    private final EventStore eventStore;

    /** {@code null} for an application that does not run. */
    private final AdvertisedStages advertised;

    private final boolean requiresAdvertised;

    private final long waitUntilNs;

    private final Consumer<String> waiting;

    private final BooleanSupplier cancelled;

    private final CachingSystem local = new LocalCachingSystem();

    private Function<String, Class<?>> classes = name -> null;

    private ServiceReference<OutputPermit> permitReference;

    private OutputPermit permit;

    private ServiceReference<PartitionedChannels> partitionsReference;

    private PartitionedChannels partitions;

    /** Held services, each with a filter that selects the service again. */
    private final Map<ServiceReference<?>, String> captured = Collections.synchronizedMap(new LinkedHashMap<>());

    private final CartridgeLinks cartridges;

    /** Parameters of a context's services. */
    record Settings(
        BundleContext context, ThreadFactory threads, int defaultWorkers, Duration idleStateTime, int maxAttempts,
        MemoryBudget memory, long providerWaitNs, Set<String> groups, Path state, DurabilitySettings durability,
        EventStore eventStore, AdvertisedStages advertised, boolean requiresAdvertised)
    {
    }

    ApplicationServices(final Settings settings, final Consumer<String> waiting, final BooleanSupplier cancelled)
    {
        this.context = settings.context;
        this.threads = settings.threads;
        this.defaultWorkers = settings.defaultWorkers;
        this.idleStateTime = settings.idleStateTime;
        this.maxAttempts = settings.maxAttempts;
        this.memory = settings.memory;
        this.groups = settings.groups;
        this.state = settings.state;
        durability = settings.durability;
        this.eventStore = settings.eventStore;
        this.advertised = settings.advertised;
        this.requiresAdvertised = settings.requiresAdvertised;
        this.waitUntilNs = System.nanoTime() + settings.providerWaitNs;
        this.waiting = waiting;
        this.cancelled = cancelled;
        cartridges = new CartridgeServices(context, this::cartridge);
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return find(ProcessorProvider.class, name, "processor provider");
    }

    @Override
    public AdapterFactory adapterFactory(final String provider)
    {
        return find(AdapterFactory.class, provider, "adapter provider");
    }

    @Override
    public EventBeanFactory eventBeanFactory(final String provider)
    {
        return find(EventBeanFactory.class, provider, "event bean provider");
    }

    @Override
    public CachingSystem cachingSystem(final String provider)
    {
        return provider.equals(LOCAL_CACHING_SYSTEM) ? local : find(CachingSystem.class, provider, "caching system");
    }

    @Override
    public DataSource dataSource(final String name)
    {
        return find(DataSource.class, name, "data source");
    }

    @Override
    public Collection<String> dataSources()
    {
        return names(DataSource.class);
    }

    @Override
    public Set<String> groups()
    {
        return groups;
    }

    /** Sets the function that finds classes for rules. */
    void javaClasses(final Function<String, Class<?>> finder)
    {
        classes = finder;
    }

    @Override
    public Function<String, Class<?>> javaClasses()
    {
        return classes;
    }

    @Override
    public CartridgeLinks cartridges()
    {
        return cartridges;
    }

    @Override
    public Cartridge cartridge(final String name)
    {
        return find(Cartridge.class, name.toLowerCase(Locale.ROOT), "cartridge");
    }

    @Override
    public Collection<String> adapterProviders()
    {
        return names(AdapterFactory.class);
    }

    @Override
    public Collection<String> eventBeanProviders()
    {
        return names(EventBeanFactory.class);
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public ThreadFactory threads()
    {
        return threads;
    }

    @Override
    public int defaultWorkers()
    {
        return defaultWorkers;
    }

    @Override
    public Duration idleStateTime()
    {
        return idleStateTime;
    }

    @Override
    public int maxAttempts()
    {
        return maxAttempts;
    }

    @Override
    public MemoryBudget memory()
    {
        return memory;
    }

    @Override
    public DurableStorage durableStorage(final String application, final String processor)
    {
        return new DirectoryStorage(state.resolve(application).resolve(processor), application + '/' + processor,
            durability == null ? DurabilitySettings.DEFAULT : durability,
            () -> TimeUnit.NANOSECONDS.toMillis(clock().epochNs()));
    }

    @Override
    public EventStore eventStore()
    {
        return eventStore;
    }

    @Override
    public AdvertisedStages advertisedStages()
    {
        return advertised;
    }

    @Override
    public boolean requiresAdvertised()
    {
        return requiresAdvertised;
    }

    @Override
    public OutputPermit outputPermit()
    {
        if (permit == null)
        {
            // Not captured: an instance that loses its cluster ends, so no application waits for a new permit.
            permitReference = context.getServiceReference(OutputPermit.class);
            permit = permitReference == null ? null : context.getService(permitReference);
        }
        return permit == null ? OutputPermit.ALWAYS : permit;
    }

    @Override
    public PartitionedChannels partitionedChannels()
    {
        if (partitions == null)
        {
            partitionsReference = context.getServiceReference(PartitionedChannels.class);
            partitions = partitionsReference == null ? null : context.getService(partitionsReference);
        }
        return partitions;
    }

    Map<ServiceReference<?>, String> captured()
    {
        return captured;
    }

    /** Releases all services. The stages that held them must be closed. */
    void release()
    {
        captured.keySet().forEach(context::ungetService);
        captured.clear();
        if (permit != null)
        {
            context.ungetService(permitReference);
            permit = null;
        }
        if (partitions != null)
        {
            context.ungetService(partitionsReference);
            partitions = null;
        }
    }

    @Override
    public Object service(final Class<?> type, final String filter)
    {
        final String byClass = '(' + Constants.OBJECTCLASS + '=' + type.getName() + ')';
        try
        {
            return this.<Object>find(context.createFilter(filter.isEmpty() ? byClass : "(&" + byClass + filter + ')'),
                "service " + type.getName());
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalArgumentException("the filter of the service is invalid, service=" + type.getName() +
                " filter=" + filter + " reason=" + e.getMessage(), e);
        }
    }

    private <T> T find(final Class<T> type, final String provider, final String what)
    {
        return find(filter(type, provider), what + ' ' + provider);
    }

    private <T> T find(final Filter filter, final String what)
    {
        final ServiceTracker<T, T> tracker = new ServiceTracker<>(context, filter, null);
        tracker.open();
        try
        {
            while (tracker.getServiceReference() == null && waitOn())
            {
                waiting.accept(what);
                tracker.waitForService(POLL_MS);
            }
            final ServiceReference<T> reference = tracker.getServiceReference();
            final T service = reference == null ? null : context.getService(reference);
            if (service != null && captured.put(reference, filter.toString()) != null)
            {
                context.ungetService(reference);
            }
            return service;
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return null;
        }
        finally
        {
            tracker.close();
        }
    }

    private boolean waitOn()
    {
        return System.nanoTime() - waitUntilNs < 0 && !cancelled.getAsBoolean();
    }

    private Filter filter(final Class<?> type, final String provider)
    {
        try
        {
            return context.createFilter("(&(" + Constants.OBJECTCLASS + '=' + type.getName() + ")(" + TYPE + '='
                + ServiceFilters.escape(provider) + "))");
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException("internal error: the filter of an escaped name is invalid, provider="
                + provider, e);
        }
    }

    private Collection<String> names(final Class<?> type)
    {
        final TreeSet<String> names = new TreeSet<>();
        try
        {
            final ServiceReference<?>[] references = context.getServiceReferences(type.getName(), null);
            for (final ServiceReference<?> reference : references == null ? new ServiceReference<?>[0] : references)
            {
                final Object value = reference.getProperty(TYPE);
                if (value instanceof final String[] several)
                {
                    names.addAll(List.of(several));
                }
                else if (value != null)
                {
                    names.add(value.toString());
                }
            }
        }
        catch (final InvalidSyntaxException e)
        {
            throw new IllegalStateException("internal error: a missing filter was rejected", e);
        }
        return names;
    }

    /** Default of the total time that one context waits for providers. */
    static long defaultProviderWaitNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(Long.getLong("millrace.provider.wait.ms", 3_000));
    }
}
