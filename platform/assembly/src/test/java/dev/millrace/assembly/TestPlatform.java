package dev.millrace.assembly;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.time.Clock;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.spi.ProcessorProvider;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;

/** A platform with one adapter provider, one event bean provider, local caches and the provider name cql. */
final class TestPlatform implements PlatformServices
{
    /** Represents any data source; no connection is requested. */
    static final DataSource DATA_SOURCE = (DataSource)Proxy.newProxyInstance(TestPlatform.class.getClassLoader(),
        new Class<?>[] {DataSource.class},
        (proxy, method, arguments) -> method.getName().equals("hashCode") ? 1 : null);

    private final Set<String> groups;
    /** {@code null} where other applications are not known. */
    private final AdvertisedStages stages;

    TestPlatform(final Set<String> groups, final AdvertisedStages stages)
    {
        this.groups = groups;
        this.stages = stages;
    }

    @Override
    public AdvertisedStages advertisedStages()
    {
        return stages;
    }

    @Override
    public Set<String> groups()
    {
        return groups;
    }

    @Override
    public DataSource dataSource(final String name)
    {
        return name.equals("trades") ? DATA_SOURCE : null;
    }

    @Override
    public Collection<String> dataSources()
    {
        return List.of("trades");
    }

    @Override
    public AdapterFactory adapterFactory(final String provider)
    {
        return provider.equals("loadgen") ? TestStages.FeedAdapter::new : null;
    }

    @Override
    public EventBeanFactory eventBeanFactory(final String provider)
    {
        return provider.equals("collect") ? TestStages.Collector::new : null;
    }

    @Override
    public CachingSystem cachingSystem(final String provider)
    {
        return provider.equals(LOCAL_CACHING_SYSTEM) ? new LocalCachingSystem() : null;
    }

    @Override
    public Collection<String> adapterProviders()
    {
        return List.of("loadgen", "csvgen");
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return name.equals("cql") ? (definition, channels) ->
        {
            throw new IllegalStateException("no test of this module plans rules");
        } : null;
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public ThreadFactory threads()
    {
        return task ->
        {
            final Thread thread = new Thread(task);
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
