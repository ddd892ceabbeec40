package dev.millrace.assembly;

import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cartridge.CartridgeLinks;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.config.ComponentConfiguration;
import dev.millrace.assembly.config.ConfigurationReader;
import dev.millrace.assembly.epn.CacheDeclaration;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.assembly.oep.ServiceInjector;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.assembly.xml.XmlErrorCode;
import dev.millrace.network.Network;
import dev.millrace.network.PreparedNetwork;
import dev.millrace.network.advertised.DeclaredTypes;
import dev.millrace.network.advertised.QualifiedName;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.beans.BeansException;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Converts the application context of one application to its network.
 *
 * <pre>
 *   AssemblyReader.read(files) ─► prepare(context, configuration) ─► refresh(context) ─► assemble(context) ─► Network
 * </pre>
 *
 * <p>Confined to the deploying thread; each method is called once, in this order. Every failure is a
 * {@link DeploymentException} with positions in the user's files; the caller must then close the context.
 */
public final class ApplicationAssembler
{
    private final String applicationName;
    private final PlatformServices services;
    private EpnModel model;
    private ComponentConfiguration configuration;
    private EventTypes eventTypes;
    private CacheBeanRegistrar caches;
    private Map<String, CacheSettings> cacheSettings;
    private UserObjectFactory objects;
    private GroupOverrides groupValues;

    /**
     * Creates an assembler for one application.
     *
     * @param applicationName symbolic name of its bundle
     * @param services        the platform
     */
    public ApplicationAssembler(final String applicationName, final PlatformServices services)
    {
        this.applicationName = Objects.requireNonNull(applicationName, "applicationName");
        this.services = Objects.requireNonNull(services, "services");
    }

    /**
     * Reads the configuration files, finds providers and classes, creates the event types and completes the bean
     * definitions. Event types, caches and caching systems become beans of the context.
     *
     * @param context       filled by {@link AssemblyReader}, with the class loader of the application, not refreshed
     *                      yet
     * @param configuration component configuration files
     * @throws DeploymentException with every problem found
     */
    public void prepare(final GenericApplicationContext context, final List<ConfigurationResource> configuration)
        throws DeploymentException
    {
        model = EpnModel.of(context);
        if (model == null)
        {
            throw new IllegalStateException("the context was not filled by AssemblyReader, application=" +
                applicationName + "; this is an internal error of Millrace");
        }
        final Problems problems = model.problems();
        final EventTypesBuilder classes = new EventTypesBuilder(
            problems, context.getClassLoader(), services.cartridges());
        eventTypes = classes.build(model.eventTypes().values(), typesOfOthers());
        new ForeignTypes(applicationName, model, eventTypes, services).check();
        final Predicate<ConfigurationResource> isLive = file -> file.name().startsWith(RuleFiles.FOLDER);
        this.configuration = read(problems, configuration.stream().filter(isLive.negate()).toList());
        groupValues = new GroupOverrides(context, model, this.configuration, services.groups());
        groupValues.apply();
        new ConfigurationCheck(model, this.configuration).check();
        replaceRules(read(problems, configuration.stream().filter(isLive).toList()));
        this.configuration.processors().replaceAll((name, read) ->
            read.withDefaults(services.idleStateTime(), services.maxAttempts()));
        new StageBeanPostProcessor(context, services, model, classes).complete();
        objects = new UserObjectFactory(context, services, model, this.configuration, classes);
        objects.register(classes);
        caches = new CacheBeanRegistrar(context, services, model, this.configuration, eventTypes);
        cacheSettings = caches.register();
        problems.throwIfAny();
        context.getBeanFactory().registerSingleton("dev.millrace.assembly.eventTypes", eventTypes);
        context.getBeanFactory().addBeanPostProcessor(new ServiceInjector(eventTypes, services::service));
    }

    private Function<String, EventType> typesOfOthers()
    {
        final DeclaredTypes others = services.declaredTypes();
        return others == null ? null :
            name -> QualifiedName.application(name).equals(applicationName) ? null : others.find(name);
    }

    /**
     * Returns the event types that the files of an application declare, without preparing it.
     *
     * @param context    filled by {@link AssemblyReader}
     * @param cartridges whose types its properties may have
     * @throws DeploymentException if a type cannot be used
     */
    public static Collection<EventType> declaredTypes(final GenericApplicationContext context,
        final CartridgeLinks cartridges) throws DeploymentException
    {
        final EpnModel files = EpnModel.of(context);
        final EventTypes types = new EventTypesBuilder(files.problems(), context.getClassLoader(), cartridges)
            .build(files.eventTypes().values(), null);
        files.problems().throwIfAny();
        return types.eventTypes();
    }

    /**
     * Returns the applications whose event types the channels of an application have.
     *
     * @param context filled by {@link AssemblyReader}
     * @return names; those in placeholders are not known yet
     */
    public static Set<String> applicationsOfTypes(final GenericApplicationContext context)
    {
        return ForeignTypes.names(EpnModel.of(context)).stream().map(QualifiedName::application)
            .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the event types that the files declare; available after {@link #prepare}, even if that has failed because
     * of other files.
     *
     * @return empty before they are known
     */
    public Collection<EventType> declaredTypes()
    {
        return eventTypes == null ? List.of() : eventTypes.eventTypes();
    }

    /**
     * Returns the copies of event types of other applications that the application uses.
     *
     * @return by name, {@code application:type}; grows when further ones are used
     */
    public Map<String, EventType> usedTypes()
    {
        return eventTypes == null ? Map.of() : eventTypes.copies();
    }

    /**
     * Returns the event types of other applications that channels have, and that were not declared when needed.
     *
     * @return names, {@code application:type}
     */
    public Set<String> missingTypes()
    {
        return eventTypes == null ? Set.of() : Set.copyOf(eventTypes.missing());
    }

    private static ComponentConfiguration read(final Problems problems, final List<ConfigurationResource> files)
    {
        final ConfigurationReader reader = new ConfigurationReader(problems);
        for (final ConfigurationResource file : files)
        {
            try (InputStream content = file.content().getInputStream())
            {
                reader.read(file.name(), content);
            }
            catch (final IOException e)
            {
                problems.add(XmlErrorCode.UNREADABLE.code(), new SourcePosition(file.name(), 0, 0),
                    "the file cannot be read: " + e, "check that the file is in the bundle");
            }
        }
        return reader.configuration();
    }

    /** Rules that were changed while the application was running replace the rules of its files. */
    private void replaceRules(final ComponentConfiguration live)
    {
        live.processors().forEach((name, changed) -> configuration.processors().computeIfPresent(name, (id, written) ->
            new ComponentConfiguration.Processor(
                changed.rules(), changed.bound(), written.workers(), written.idleStateTime(),
                written.maxAttempts(), written.durable(), written.position())));
    }

    /**
     * Refreshes the context, which creates the objects of the application.
     *
     * @param context prepared
     * @throws DeploymentException when an object cannot be created, with the position of its declaration
     */
    public void refresh(final GenericApplicationContext context) throws DeploymentException
    {
        try
        {
            context.refresh();
        }
        catch (final RuntimeException e)
        {
            throw explain(context, e);
        }
    }

    /**
     * Converts a failure of a refresh to a problem in the user's terms.
     *
     * @param context context whose refresh failed
     * @param failure exception of the refresh
     * @return the same failure with code, position and hint
     */
    public DeploymentException explain(final GenericApplicationContext context, final RuntimeException failure)
    {
        return new FailureExplainer(context, EpnModel.of(context), groupValues).explain(failure);
    }

    /**
     * Creates the definition of the network.
     *
     * @param context refreshed
     * @return definition, complete and checked
     * @throws DeploymentException with every problem found
     */
    public NetworkDefinition define(final GenericApplicationContext context) throws DeploymentException
    {
        return define(context, null);
    }

    /**
     * Creates the definition of a network whose rules are planned, but which does not run.
     *
     * @param context refreshed
     * @param standIn source and sink that replaces all adapters and beans, which are not created
     * @return definition, complete and checked
     * @throws DeploymentException with every problem found
     */
    public NetworkDefinition define(final GenericApplicationContext context, final Object standIn)
        throws DeploymentException
    {
        try
        {
            return new DefinitionBuilder(
                applicationName, context, model, configuration, eventTypes, cacheSettings, objects,
                services, standIn).build(caches);
        }
        catch (final BeansException e)
        {
            throw explain(context, e);
        }
    }

    /**
     * Builds the network. It is wired and its rules are compiled; it runs only after {@link Network#start()}.
     *
     * @param context refreshed
     * @return network to start
     * @throws DeploymentException with every problem found
     */
    public Network assemble(final GenericApplicationContext context) throws DeploymentException
    {
        final NetworkDefinition definition = define(context);
        try
        {
            return Network.build(definition, services);
        }
        catch (final DeploymentException e)
        {
            throw located(e);
        }
    }

    /**
     * Plans and compiles a network that is to replace another one, which keeps running in the meantime. No bean is
     * called and nothing is opened.
     *
     * @param context refreshed
     * @return network to be activated and wired
     * @throws DeploymentException with every problem found
     */
    public PreparedNetwork plan(final GenericApplicationContext context) throws DeploymentException
    {
        final NetworkDefinition definition = define(context);
        try
        {
            return PreparedNetwork.of(definition, services);
        }
        catch (final DeploymentException e)
        {
            throw located(e);
        }
    }

    /**
     * Completes problems that the network has found with positions and lines of the user's files.
     *
     * @param failure of the network
     * @return the same problems with positions
     */
    public DeploymentException located(final DeploymentException failure)
    {
        return new DeploymentException(failure.problems().stream().map(this::placed)
            .map(model.problems()::withExcerpt).toList(), failure.getCause());
    }

    /** The network knows its caches only by id; their positions are added here. */
    private Problem placed(final Problem problem)
    {
        if (problem.position().equals(SourcePosition.NONE))
        {
            for (final CacheDeclaration cache : model.caches().values())
            {
                if (problem.text().contains("cache=" + cache.id() + ' '))
                {
                    return new Problem(
                        problem.code(), cache.position(), problem.text(), problem.hint(), problem.excerpt());
                }
            }
        }
        return problem;
    }
}
