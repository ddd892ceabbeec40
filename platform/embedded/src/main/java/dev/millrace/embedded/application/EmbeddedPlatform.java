package dev.millrace.embedded.application;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.time.Clock;
import dev.millrace.assembly.ClassPathLookup;
import dev.millrace.assembly.PlatformServices;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.spi.ProcessorProvider;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The services of a server in a process without one: caches of any provider are in memory, adapters of unknown
 * providers are {@link ReplacedStage}, processors have one worker.
 *
 * @param clock       of event times, heartbeats and caches
 * @param classes     of the application
 * @param adapters    by provider
 * @param sources     data sources by name
 * @param caches      of the application
 * @param advertised  stages of other applications; {@code null} if feeds replace them
 * @param types       event types of other applications; {@code null} if they are not known
 */
record EmbeddedPlatform(Clock clock, ClassLoader classes, Map<String, AdapterFactory> adapters,
    Map<String, DataSource> sources, LocalCachingSystem caches, AdvertisedStages advertised,
    DeclaredTypes types)
    implements PlatformServices
{
    private static final String CQL = "cql";

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return CQL.equals(name) ? new CqlProcessorProvider() : null;
    }

    @Override
    public AdapterFactory adapterFactory(final String provider)
    {
        return adapters.getOrDefault(provider, ReplacedStage::new);
    }

    @Override
    public EventBeanFactory eventBeanFactory(final String provider)
    {
        return ReplacedStage::new;
    }

    @Override
    public CachingSystem cachingSystem(final String provider)
    {
        return caches;
    }

    @Override
    public DataSource dataSource(final String name)
    {
        return sources.get(name);
    }

    @Override
    public Collection<String> dataSources()
    {
        return sources.keySet();
    }

    @Override
    public Function<String, Class<?>> javaClasses()
    {
        return new ClassPathLookup(classes);
    }

    @Override
    public CartridgeLinks cartridges()
    {
        return Cartridges.installed(classes);
    }

    @Override
    public AdvertisedStages advertisedStages()
    {
        return advertised;
    }

    @Override
    public DeclaredTypes declaredTypes()
    {
        return types;
    }

    @Override
    public ThreadFactory threads()
    {
        return work ->
        {
            final Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public int defaultWorkers()
    {
        return 1;
    }
}
