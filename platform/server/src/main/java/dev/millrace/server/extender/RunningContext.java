package dev.millrace.server.extender;

import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.ApplicationFrame;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.StageComparison;
import dev.millrace.network.Network;
import dev.millrace.network.NetworkReplacement;
import dev.millrace.network.PreparedNetwork;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.StartFailedException;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.server.extender.bundle.AssemblyFiles;
import dev.millrace.server.extender.bundle.BundleFirstLoader;
import dev.millrace.server.extender.bundle.ClassSpace;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import dev.millrace.server.extender.osgi.ContextServices;
import dev.millrace.server.extender.osgi.ServiceDependency;
import dev.millrace.server.extender.osgi.ServiceExport;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.PropertyResourceConfigurer;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.PropertiesPropertySource;

/** One context of an application, from reading its files to closing it. Confined to the application's thread. */
public final class RunningContext
{
    /** Service property with the name of a published context, as in Spring DM. */
    static final String CONTEXT_NAME = "org.springframework.context.service.name";

    private static final Logger LOG = LoggerFactory.getLogger(RunningContext.class);

    private final Bundle bundle;

    private final BundleContext bundleContext;

    private final ApplicationServices services;

    private final NamespaceResolver namespaces;

    private final ApplicationAssembler assembler;

    private final GenericApplicationContext context = new GenericApplicationContext();

    private final ContextServices dependencies = ContextServices.install(context);

    private final ClassLoader classLoader;

    private final ClassSpace classSpace;

    private final List<ServiceExport> exports = new ArrayList<>();

    private boolean publish;

    private ServiceRegistration<?> published;

    private volatile Network network;

    private PreparedNetwork prepared;

    private boolean networkStarted;

    private ApplicationFrame frame;

    /** Sources of the paused network that were closed. */
    private final List<String> released = new ArrayList<>();

    private int renewals;

    private final Map<String, Object> startMicros = new LinkedHashMap<>();

    RunningContext(
        final Bundle bundle, final ClassLoader bundleLoader, final ApplicationServices services,
        final NamespaceResolver namespaces)
    {
        this.bundle = bundle;
        this.bundleContext = bundle.getBundleContext();
        this.services = services;
        this.namespaces = namespaces;
        this.classSpace = new ClassSpace(bundle);
        services.javaClasses(classSpace);
        this.assembler = new ApplicationAssembler(bundle.getSymbolicName(), services);
        this.classLoader = new BundleFirstLoader(bundleLoader, RunningContext.class.getClassLoader());
        context.setId(bundle.getSymbolicName());
        context.setDisplayName(bundle.getSymbolicName() + ' ' + bundle.getVersion());
        context.setClassLoader(classLoader);
        context.getBeanFactory().registerSingleton("bundleContext", bundleContext);
    }

    /** Reads all files and determines the services that the context needs. */
    void read(final List<ConfigurationResource> configuration, final Properties properties)
        throws DeploymentException
    {
        final long startNs = System.nanoTime();
        classSpace.check();
        final AssemblyFiles files = AssemblyFiles.of(bundle);
        publish = files.publishContext();
        // System properties have priority, so that a start script can override the file.
        context.getEnvironment().getPropertySources().addLast(
            new PropertiesPropertySource(bundle.getSymbolicName() + ".properties", properties));
        frame = ApplicationFrame.of(files.resources(bundle), configuration, properties);
        new AssemblyReader(context, namespaces, namespaces).read(files.resources(bundle));
        assembler.prepare(context, configuration);
        resolvePlaceholders();
        if (!context.containsBeanDefinition(AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME))
        {
            context.getBeanFactory().registerSingleton(
                AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME, new LazyMessageSource());
        }
        took("files", startNs);
    }

    private void took(final String what, final long startNs)
    {
        startMicros.put(what, (System.nanoTime() - startNs) / 1_000);
    }

    /** Returns the duration of each part of the start, by name; complete when the context is open. */
    Map<String, Object> startMicros()
    {
        return startMicros;
    }

    /** If the application declares its own configurer, that one resolves placeholders. */
    private void resolvePlaceholders()
    {
        if (context.getBeanFactory().getBeanNamesForType(PropertyResourceConfigurer.class, false, false).length == 0)
        {
            final PropertySourcesPlaceholderConfigurer configurer = new PropertySourcesPlaceholderConfigurer();
            configurer.setEnvironment(context.getEnvironment());
            context.addBeanFactoryPostProcessor(configurer);
        }
    }

    public List<ServiceDependency> dependencies()
    {
        return dependencies.dependencies();
    }

    Set<Long> usedNamespaceBundles()
    {
        return namespaces.used();
    }

    public Map<ServiceReference<?>, String> capturedProviders()
    {
        return services.captured();
    }

    Network network()
    {
        return network;
    }

    /** Creates the beans and the network. All mandatory services must be available. */
    void open(final List<ServiceReference<?>> leaving, final boolean startNetwork)
        throws DeploymentException, InvalidSyntaxException
    {
        refresh(leaving);
        inApplication(() ->
        {
            final long refreshedNs = System.nanoTime();
            network = assembler.assemble(context);
            took("network", refreshedNs);
        });
        begin(startNetwork);
    }

    /** Creates the beans, plans and compiles without opening resources. All mandatory services must be available. */
    void prepare(final List<ServiceReference<?>> leaving) throws DeploymentException, InvalidSyntaxException
    {
        refresh(leaving);
        inApplication(() ->
        {
            final long refreshedNs = System.nanoTime();
            prepared = assembler.plan(context);
            took("network", refreshedNs);
        });
    }

    /** Opens the resources of the beans while the network of the previous version is paused. */
    void activate(final Predecessor before) throws DeploymentException
    {
        inApplication(() ->
        {
            try
            {
                prepared.activate(before);
            }
            catch (final DeploymentException e)
            {
                throw assembler.located(e);
            }
        });
    }

    /** Determines whether and how the network of the previous version can continue with these beans and rules. */
    NetworkReplacement exchangeFrom(final RunningContext before)
    {
        return new NetworkReplacement(before.network, prepared, new StageComparison(before.context, context)::obstacle);
    }

    /** Opens the resources of these beans, for a network of the previous version that continues with them. */
    void activate(final NetworkReplacement exchange, final Predecessor before) throws DeploymentException
    {
        inApplication(() ->
        {
            try
            {
                exchange.activate(before);
            }
            catch (final DeploymentException e)
            {
                throw assembler.located(e);
            }
        });
    }

    /** Releases the network to the next version and closes the beans that it no longer needs. */
    void letGo(final NetworkReplacement exchange) throws DeploymentException
    {
        network = null;
        networkStarted = false;
        inApplication(exchange::end);
    }

    /** Adopts the network of the previous version. */
    void goOnWith(final Network handed)
    {
        network = handed;
        networkStarted = true;
        prepared = null;
    }

    /**
     * Starts the network of the next version. The network of the previous version must have ended or been transferred.
     */
    void takeOver(final boolean startNetwork) throws DeploymentException
    {
        if (networkStarted)
        {
            begin(false);
            return;
        }
        inApplication(() ->
        {
            try
            {
                network = prepared.wire();
                prepared = null;
            }
            catch (final DeploymentException e)
            {
                throw assembler.located(e);
            }
        });
        begin(startNetwork);
    }

    /** Returns the rules of the next version, bound, by processor. */
    Map<String, List<Rule>> preparedRules()
    {
        return prepared.rules();
    }

    /** Returns everything that was read, except rules. */
    ApplicationFrame frame()
    {
        return frame;
    }

    private void refresh(final List<ServiceReference<?>> leaving) throws DeploymentException, InvalidSyntaxException
    {
        for (final ServiceDependency dependency : dependencies())
        {
            dependency.capture(bundleContext, leaving);
        }
        inApplication(() ->
        {
            final long startNs = System.nanoTime();
            assembler.refresh(context);
            took("beans", startNs);
        });
    }

    /** Work that runs code of the application. */
    @FunctionalInterface
    private interface Work
    {
        void run() throws DeploymentException;
    }

    private void inApplication(final Work work) throws DeploymentException
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classLoader);
        try
        {
            work.run();
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    /** Notifies listeners, starts the event flow and exports services. */
    private void begin(final boolean startNetwork) throws DeploymentException
    {
        dependencies().forEach(dependency -> dependency.held().forEach(
            (reference, service) -> tell(dependency, reference, service, true)));
        if (startNetwork)
        {
            startNetwork();
        }
        for (final ServiceExport export : context.getBeansOfType(ServiceExport.class).values())
        {
            exports.add(export);
            export.register(bundleContext);
        }
        if (publish)
        {
            publish();
        }
    }

    /** Closes sources of the paused network whose ports the next version needs. */
    boolean release(final String stageId, final Set<String> next)
    {
        final List<String> closed = network.sources().release(stageId, next);
        released.addAll(closed);
        return !closed.isEmpty();
    }

    /**
     * Continues after a pause for a version that was rejected. Sources that were closed for it are created again.
     *
     * @return ids of the sources created again
     */
    List<String> goOn(final boolean resume) throws DeploymentException
    {
        final List<String> renewed = List.copyOf(released);
        final List<Problem> problems = new ArrayList<>();
        for (final String stage : released)
        {
            try
            {
                inApplication(() -> network.sources().renew(stage, anotherBean(stage)));
            }
            catch (final DeploymentException e)
            {
                problems.addAll(e.problems());
            }
        }
        released.clear();
        if (resume)
        {
            network.resume();
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
        return renewed;
    }

    /** Creates a bean like the closed one, with a new name, because other beans may refer to the closed one. */
    private Object anotherBean(final String name)
    {
        final RootBeanDefinition definition =
            new RootBeanDefinition((RootBeanDefinition)context.getBeanFactory().getMergedBeanDefinition(name));
        final String another = name + "#" + ++renewals;
        context.registerBeanDefinition(another, definition);
        return context.getBean(another);
    }

    private void publish()
    {
        final Hashtable<String, Object> properties = new Hashtable<>();
        properties.put(CONTEXT_NAME, bundle.getSymbolicName());
        properties.put(Constants.BUNDLE_SYMBOLICNAME, bundle.getSymbolicName());
        properties.put(Constants.BUNDLE_VERSION, bundle.getVersion());
        published = bundleContext.registerService(ApplicationContext.class, context, properties);
    }

    private void startNetwork() throws DeploymentException
    {
        try
        {
            network.start();
        }
        catch (final StartFailedException refused)
        {
            throw assembler.located(refused.reason());
        }
        networkStarted = true;
    }

    void suspend() throws DeploymentException
    {
        if (networkStarted)
        {
            network.suspend();
        }
    }

    void resume() throws DeploymentException
    {
        if (networkStarted && network.isSuspended())
        {
            network.resume();
        }
        else if (networkStarted)
        {
            network.rerunFailed();
        }
        else
        {
            startNetwork();
        }
    }

    /** A service was registered: adds it to lists and to empty optional references, and notifies listeners. */
    void arrived(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : dependencies())
        {
            final Object service = dependency.arrived(bundleContext, reference);
            if (service != null)
            {
                tell(dependency, reference, service, true);
            }
        }
    }

    /** Whether the context can continue without a service. */
    boolean survives(final ServiceReference<?> reference)
    {
        return !services.captured().containsKey(reference) && dependencies().stream()
            .noneMatch(dependency -> dependency.loss(reference) == ServiceDependency.Loss.REBUILD);
    }

    /** Whether the context holds a service. */
    boolean holds(final ServiceReference<?> reference)
    {
        return services.captured().containsKey(reference)
            || dependencies().stream().anyMatch(dependency -> dependency.held().containsKey(reference));
    }

    /** Whether a held service whose properties changed still matches. */
    boolean stillWanted(final ServiceReference<?> reference) throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : dependencies())
        {
            if (dependency.held().containsKey(reference) && !dependency.filter(bundleContext).match(reference))
            {
                return false;
            }
        }
        final String filter = services.captured().get(reference);
        return filter == null || bundleContext.createFilter(filter).match(reference);
    }

    /** Releases a service that the context can continue without. */
    void gone(final ServiceReference<?> reference, final List<ServiceReference<?>> leaving)
        throws InvalidSyntaxException
    {
        for (final ServiceDependency dependency : dependencies())
        {
            if (dependency.held().containsKey(reference))
            {
                tell(dependency, reference, dependency.held().get(reference), false);
                dependency.drop(bundleContext, reference);
                for (final ServiceReference<?> other : dependency.candidates(bundleContext, leaving))
                {
                    final Object service = dependency.arrived(bundleContext, other);
                    if (service != null)
                    {
                        tell(dependency, other, service, true);
                    }
                }
            }
        }
    }

    private void tell(
        final ServiceDependency dependency, final ServiceReference<?> reference, final Object service,
        final boolean bind)
    {
        for (final ServiceDependency.Listener listener : dependency.listeners())
        {
            final String method = bind ? listener.bindMethod() : listener.unbindMethod();
            if (method != null)
            {
                call(listener.beanName(), method, reference, service);
            }
        }
    }

    private void call(
        final String beanName, final String method, final ServiceReference<?> reference, final Object service)
    {
        try
        {
            ListenerCall.invoke(context.getBean(beanName), method, reference, service);
        }
        catch (final InvocationTargetException e)
        {
            LOG.warn("SRV-0308: listener failed, application={} bean={} method={}", bundle.getSymbolicName(),
                beanName, method, e.getCause());
        }
        catch (final ReflectiveOperationException e)
        {
            LOG.warn("SRV-0308: listener cannot be called, application={} bean={} method={} reason={} hint: its"
                + " argument is the service, the service and a Map, or the ServiceReference", bundle.getSymbolicName(),
                beanName, method, e.toString());
        }
    }

    /** Closes everything in reverse order. Failures are logged and do not stop the close. */
    void close()
    {
        step("unpublish", () ->
        {
            if (published != null)
            {
                published.unregister();
                published = null;
            }
        });
        exports.forEach(export -> step("unregister", export::unregister));
        exports.clear();
        step("stop network", () ->
        {
            if (network != null)
            {
                network.stop();
            }
            else if (prepared != null)
            {
                prepared.close();
            }
        });
        if (context.isActive())
        {
            dependencies().forEach(dependency -> dependency.held().forEach(
                (reference, service) -> tell(dependency, reference, service, false)));
        }
        step("close context", context::close);
        dependencies().forEach(dependency -> step("release services", () -> dependency.release(bundleContext)));
        step("release providers", services::release);
        network = null;
        prepared = null;
    }

    private void step(final String what, final Runnable work)
    {
        try
        {
            work.run();
        }
        catch (final RuntimeException | LinkageError e)
        {
            LOG.warn("SRV-0309: closing continues after a failure, application={} step={}", bundle.getSymbolicName(),
                what, e);
        }
    }
}
