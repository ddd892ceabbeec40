package dev.millrace.embedded.application;

import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.AdapterFactory;
import dev.millrace.api.time.Clock;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.ServerElements;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.network.Network;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.cache.LocalCachingSystem;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.NetworkDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts an application in this process from the files that a server reads. Not thread-safe; used once.
 *
 * <p>Beans, event beans and adapters that name a class run; adapters of providers are replaced by feeds and observers.
 * Channels pass rows on without queues, and processors have one worker and keep nothing after the end.
 */
public final class ApplicationBuilder
{
    private final String name;
    private final List<ConfigurationResource> assembly;
    private final List<ConfigurationResource> configuration;
    private final Map<String, Object> properties = new HashMap<>();
    private final Map<String, AdapterFactory> adapters = new HashMap<>();
    private final Map<String, DataSource> dataSources = new HashMap<>();
    private final Set<String> inputs = new LinkedHashSet<>();
    private final BeanReplacements replacements = new BeanReplacements();
    private ClassLoader classes = Thread.currentThread().getContextClassLoader();
    private Clock clock = Clock.SYSTEM;
    private final Map<String, List<EventType>> typesOfOthers = new HashMap<>();
    private AdvertisedStages advertised;
    private Predicate<String> isObserved = stage -> false;
    private RowObserver observer = (stage, batch) ->
    {
        // No stage is observed.
    };

    /**
     * Begins to describe an application.
     *
     * @param name          of the application, for messages and names of threads
     * @param assembly      assembly files, at least one
     * @param configuration component configuration files
     */
    public ApplicationBuilder(final String name, final List<ConfigurationResource> assembly,
        final List<ConfigurationResource> configuration)
    {
        this.name = Objects.requireNonNull(name, "name");
        this.assembly = List.copyOf(assembly);
        this.configuration = List.copyOf(configuration);
        if (assembly.isEmpty())
        {
            throw new IllegalArgumentException("the application has no assembly file, application=" + name);
        }
    }

    /**
     * Sets the loader of the classes of the application; default: the context class loader.
     *
     * @return this
     */
    public ApplicationBuilder classes(final ClassLoader loader)
    {
        classes = Objects.requireNonNull(loader, "loader");
        return this;
    }

    /**
     * Sets the clock of event times and heartbeats; default: the system clock.
     *
     * @return this
     */
    public ApplicationBuilder clock(final Clock given)
    {
        clock = Objects.requireNonNull(given, "given");
        return this;
    }

    /**
     * Sets the value of a placeholder, with priority over system properties.
     *
     * @return this
     */
    public ApplicationBuilder property(final String key, final String value)
    {
        properties.put(key, value);
        return this;
    }

    /**
     * Replaces a bean, event bean, adapter or service reference by an object, whose properties are not set.
     *
     * @param id     of the bean
     * @param object supplies it when the beans are created
     * @return this
     */
    public ApplicationBuilder bean(final String id, final Supplier<?> object)
    {
        replacements.add(id, object);
        return this;
    }

    /**
     * Replaces a bean, event bean or adapter that names a class: a feed sends instead of it, or an observer receives.
     *
     * @param id of the stage
     * @return this
     */
    public ApplicationBuilder replace(final String id)
    {
        return bean(id, ReplacedStage::new);
    }

    /**
     * Ensures that there is a feed: a channel below no replaced adapter gets one in addition to the stages above it,
     * and an adapter or bean that names a class is replaced.
     *
     * @param id of the channel, adapter or bean
     * @return this
     */
    public ApplicationBuilder input(final String id)
    {
        inputs.add(Objects.requireNonNull(id, "id"));
        return this;
    }

    /**
     * Connects the application with others of this process that use the same registry; by default its advertised stages
     * have no effect, and a feed replaces each stage of another application.
     *
     * @param stages those that the applications advertise
     * @return this
     */
    public ApplicationBuilder advertised(final AdvertisedStages stages)
    {
        advertised = Objects.requireNonNull(stages, "stages");
        return this;
    }

    /**
     * Declares an event type of another application, for channels whose {@code event-type} is
     * {@code application:type}. Without effect if {@link #advertised} connects the applications.
     *
     * @param declaring name of the other application
     * @param type      with its name in that application
     * @return this
     */
    public ApplicationBuilder eventType(final String declaring, final EventType type)
    {
        typesOfOthers.computeIfAbsent(Objects.requireNonNull(declaring, "declaring"), each -> new ArrayList<>())
            .add(Objects.requireNonNull(type, "type"));
        return this;
    }

    /** The event types of other applications; {@code null} if none are known. */
    private DeclaredTypes declaredTypes()
    {
        if (advertised != null || typesOfOthers.isEmpty())
        {
            return advertised == null ? null : advertised.types();
        }
        final DeclaredTypes given = new DeclaredTypes();
        typesOfOthers.forEach((declaring, types) -> given.declare(this, declaring, types, Map.of()));
        return given;
    }

    /**
     * Lets the adapters of a provider run.
     *
     * @param provider its name in the assembly files
     * @return this
     */
    public ApplicationBuilder adapter(final String provider, final AdapterFactory factory)
    {
        adapters.put(provider, factory);
        return this;
    }

    /**
     * Adds a data source, which tables and adapters refer to by name.
     *
     * @return this
     */
    public ApplicationBuilder dataSource(final String id, final DataSource source)
    {
        dataSources.put(id, source);
        return this;
    }

    /**
     * Sets what receives the rows of channels and of replaced adapters.
     *
     * @param stages ids of the stages to observe
     * @return this
     */
    public ApplicationBuilder observer(final Predicate<String> stages, final RowObserver given)
    {
        isObserved = Objects.requireNonNull(stages, "stages");
        observer = Objects.requireNonNull(given, "given");
        return this;
    }

    /**
     * Builds and starts the application.
     *
     * @return the running application, owned by the caller
     * @throws DeploymentException with every problem of the files, with positions
     * @throws IllegalArgumentException if a bean or channel that was named does not exist
     */
    public EmbeddedApplication start() throws DeploymentException
    {
        final EmbeddedApplication built = build();
        boolean isStarted = false;
        try
        {
            built.start();
            isStarted = true;
            return built;
        }
        finally
        {
            if (!isStarted)
            {
                built.close();
            }
        }
    }

    /**
     * Reads the files, creates the beans and compiles the rules.
     *
     * @return the application, to be started, owned by the caller
     * @throws DeploymentException with every problem of the files, with positions
     * @throws IllegalArgumentException if a bean or channel that was named does not exist
     */
    public EmbeddedApplication build() throws DeploymentException
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        final GenericApplicationContext context = new GenericApplicationContext();
        EmbeddedApplication built = null;
        try
        {
            thread.setContextClassLoader(classes);
            built = build(context);
            return built;
        }
        finally
        {
            if (built == null)
            {
                context.close();
            }
            thread.setContextClassLoader(before);
        }
    }

    private EmbeddedApplication build(final GenericApplicationContext context) throws DeploymentException
    {
        final LocalCachingSystem caches = new LocalCachingSystem(clock);
        final EmbeddedPlatform platform = new EmbeddedPlatform(
            clock, classes, adapters, dataSources, caches, advertised, declaredTypes());
        final ApplicationAssembler assembler = new ApplicationAssembler(name, platform);
        read(context, assembler);
        final NetworkDefinition written = assembler.define(context);
        final BoundaryStages boundary = new BoundaryStages(
            inputs, isObserved, observer, advertised != null);
        final NetworkDefinition definition = boundary.adapt(written);
        inputs.forEach(id -> checkHasFeed(id, boundary));
        final Network network;
        try
        {
            network = Network.build(definition, platform);
        }
        catch (final DeploymentException e)
        {
            throw assembler.located(e);
        }
        if (advertised != null)
        {
            advertised.types().declare(context, name, assembler.declaredTypes(), assembler.usedTypes());
        }
        return new EmbeddedApplication(context, network, written, boundary, clock, caches, advertised);
    }

    private void read(final GenericApplicationContext context, final ApplicationAssembler assembler)
        throws DeploymentException
    {
        context.setId(name);
        context.setDisplayName(name);
        context.setClassLoader(classes);
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource(name, properties));
        AssemblyReader.onClassPath(context, classes, new ServerElements(ApplicationBuilder::unavailable))
            .read(assembly);
        assembler.prepare(context, configuration);
        AssemblyReader.resolvePlaceholders(context);
        EpnModel.of(context).stages().values().stream().filter(stage -> inputs.contains(stage.id()) &&
            stage.setting("class") != null).forEach(stage -> replace(stage.id()));
        replacements.apply(context, adapters.keySet());
        assembler.refresh(context);
    }

    private static Object unavailable(final String id)
    {
        throw new IllegalStateException("only a server provides this object, id=" + id + "; replace it by an object");
    }

    private static void checkHasFeed(final String id, final BoundaryStages boundary)
    {
        if (!boundary.feeds().containsKey(id) && boundary.feedsOf(id).isEmpty())
        {
            throw new IllegalArgumentException("the application has no such channel, and no such source, id=" + id);
        }
    }
}
