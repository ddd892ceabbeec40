package dev.millrace.cql.replay;

import dev.millrace.api.cache.CachingSystem;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.stage.EventBeanFactory;
import dev.millrace.api.time.Clock;
import dev.millrace.assembly.ClassPathLookup;
import dev.millrace.assembly.PlatformServices;
import dev.millrace.cql.processor.CqlProcessorProvider;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The services of a server for an application that is only planned: providers of any name exist, and nothing that they
 * create does anything. Remembers the channels and plans of the processors.
 */
final class OfflineServices implements PlatformServices
{
    private final ProcessorProvider provider = new CqlProcessorProvider();
    private final Map<String, Map<String, ProcessorProvider.InputChannel>> channels = new HashMap<>();
    private final Map<String, PlannedProcessor> plans = new HashMap<>();
    private final ClassLoader classes;
    private final CartridgeLinks cartridges;
    private final OfflineSettings settings;
    private final DeclaredTypes types;

    /**
     * @param classes classes of the application
     * @param types   event types of other applications; {@code null} if they are not known
     */
    OfflineServices(final OfflineSettings settings, final ClassLoader classes, final DeclaredTypes types)
    {
        this.types = types;
        this.settings = settings;
        this.classes = classes;
        cartridges = Cartridges.installed(classes);
    }

    /** The channels of a processor that was planned, by id. */
    Map<String, ProcessorProvider.InputChannel> channels(final String processor)
    {
        return channels.get(processor);
    }

    /** The plans of the processors, by id. */
    Map<String, PlannedProcessor> plans()
    {
        return plans;
    }

    @Override
    public ProcessorProvider processorProvider(final String name)
    {
        return new ProcessorProvider()
        {
            @Override
            public PlannedProcessor plan(final ProcessorStage definition, final Map<String, InputChannel> inputs)
                throws DeploymentException
            {
                channels.put(definition.id(), inputs);
                final PlannedProcessor planned = provider.plan(definition, inputs);
                plans.put(definition.id(), planned);
                return planned;
            }
        };
    }

    @Override
    public AdapterFactory adapterFactory(final String name)
    {
        return StandIn::new;
    }

    @Override
    public EventBeanFactory eventBeanFactory(final String name)
    {
        return StandIn::new;
    }

    @Override
    public CachingSystem cachingSystem(final String name)
    {
        return settings -> new RecordedCache(settings.id());
    }

    @Override
    public DataSource dataSource(final String name)
    {
        return new OfflineDataSource(name);
    }

    @Override
    public Function<String, Class<?>> javaClasses()
    {
        return new ClassPathLookup(classes);
    }

    @Override
    public CartridgeLinks cartridges()
    {
        return cartridges;
    }

    @Override
    public Duration idleStateTime()
    {
        return settings.idleStateTime();
    }

    @Override
    public int maxAttempts()
    {
        return settings.maxAttempts();
    }

    @Override
    public DeclaredTypes declaredTypes()
    {
        return types;
    }

    @Override
    public Clock clock()
    {
        return Clock.SYSTEM;
    }

    @Override
    public ThreadFactory threads()
    {
        return Executors.defaultThreadFactory();
    }

    @Override
    public int defaultWorkers()
    {
        return 1;
    }
}
