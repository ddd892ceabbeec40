package dev.millrace.server.extender;

import dev.millrace.api.event.EventType;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.ApplicationFrame;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.assembly.StageComparison;
import dev.millrace.network.Network;
import dev.millrace.network.NetworkReplacement;
import dev.millrace.network.PreparedNetwork;
import dev.millrace.network.advertised.RowTypes;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.StartFailedException;
import dev.millrace.network.spi.Predecessor;
import dev.millrace.server.extender.bundle.AssemblyFiles;
import dev.millrace.server.extender.bundle.BundleFirstLoader;
import dev.millrace.server.extender.bundle.ClassSpace;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import dev.millrace.server.extender.context.ApplicationCode;
import dev.millrace.server.extender.context.ContextExports;
import dev.millrace.server.extender.context.ContextReader;
import dev.millrace.server.extender.context.SourceRenewal;
import dev.millrace.server.extender.osgi.ContextServices;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.osgi.framework.Bundle;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.support.GenericApplicationContext;

/** One context of an application, from reading its files to closing it. Confined to the application's thread. */
public final class RunningContext
{
    private static final Logger LOG = LoggerFactory.getLogger(RunningContext.class);

    private final Bundle bundle;

    private final ApplicationServices services;

    private final NamespaceResolver namespaces;

    private final ApplicationAssembler assembler;

    private final GenericApplicationContext context = new GenericApplicationContext();

    private final ContextDependencies dependencies;

    private final ContextExports exports;

    private final ApplicationCode code;

    private final SourceRenewal renewal;

    private final ClassSpace classSpace;

    private boolean publish;

    private volatile Network network;

    private PreparedNetwork prepared;

    private boolean networkStarted;

    private ApplicationFrame frame;

    private final Map<String, Object> startMicros = new LinkedHashMap<>();

    RunningContext(
        final Bundle bundle, final ClassLoader bundleLoader, final ApplicationServices services,
        final NamespaceResolver namespaces)
    {
        this.bundle = bundle;
        this.dependencies = new ContextDependencies(bundle, ContextServices.install(context), services, context);
        this.services = services;
        this.namespaces = namespaces;
        this.classSpace = new ClassSpace(bundle);
        services.javaClasses(classSpace);
        this.assembler = new ApplicationAssembler(bundle.getSymbolicName(), services);
        final ClassLoader classLoader = new BundleFirstLoader(bundleLoader, RunningContext.class.getClassLoader());
        context.setId(bundle.getSymbolicName());
        context.setDisplayName(bundle.getSymbolicName() + ' ' + bundle.getVersion());
        context.setClassLoader(classLoader);
        context.getBeanFactory().registerSingleton("bundleContext", bundle.getBundleContext());
        this.exports = new ContextExports(bundle, context);
        this.code = new ApplicationCode(classLoader, assembler);
        this.renewal = new SourceRenewal(context, code);
    }

    /** Reads all files and determines the services that the context needs. */
    void read(final List<ConfigurationResource> configuration, final Properties properties)
        throws DeploymentException
    {
        final long startNs = System.nanoTime();
        classSpace.check();
        final AssemblyFiles files = AssemblyFiles.of(bundle);
        publish = files.publishContext();
        frame = new ContextReader(bundle, context, namespaces, assembler).read(files, configuration, properties);
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

    /** Returns the event types that the files declare; empty before they are read. */
    Collection<EventType> declaredTypes()
    {
        return assembler.declaredTypes();
    }

    /** Returns the copies of event types of other applications, by name; grows when further ones are used. */
    Map<String, EventType> usedTypes()
    {
        return assembler.usedTypes();
    }

    /** Returns the names of event types of other applications that were not declared when they were needed. */
    Set<String> missingTypes()
    {
        return assembler.missingTypes();
    }

    /** Returns the services that the context uses. */
    ContextDependencies dependencies()
    {
        return dependencies;
    }

    Set<Long> usedNamespaceBundles()
    {
        return namespaces.used();
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
        code.run(() ->
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
        code.run(() ->
        {
            final long refreshedNs = System.nanoTime();
            prepared = assembler.plan(context);
            took("network", refreshedNs);
        });
    }

    /** Opens the resources of the beans while the network of the previous version is paused. */
    void activate(final Predecessor before) throws DeploymentException
    {
        code.runLocated(() -> prepared.activate(before));
    }

    /** Determines whether and how the network of the previous version can continue with these beans and rules. */
    NetworkReplacement exchangeFrom(final RunningContext before)
    {
        return new NetworkReplacement(before.network, prepared, new StageComparison(before.context, context)::obstacle);
    }

    /** Opens the resources of these beans, for a network of the previous version that continues with them. */
    void activate(final NetworkReplacement exchange, final Predecessor before) throws DeploymentException
    {
        code.runLocated(() -> exchange.activate(before));
    }

    /** Releases the network to the next version and closes the beans that it no longer needs. */
    void letGo(final NetworkReplacement exchange) throws DeploymentException
    {
        network = null;
        networkStarted = false;
        code.run(exchange::end);
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
        code.runLocated(() ->
        {
            network = prepared.wire();
            prepared = null;
        });
        begin(startNetwork);
    }

    /** Returns the rules of the next version, bound, by processor. */
    Map<String, List<Rule>> preparedRules()
    {
        return prepared.rules();
    }

    /** Returns everything that was read, except rules, and the copies of event types of other applications. */
    ApplicationFrame frame()
    {
        return frame.with(usedTypes().values().stream().map(RowTypes::describe).sorted().toList());
    }

    private void refresh(final List<ServiceReference<?>> leaving) throws DeploymentException, InvalidSyntaxException
    {
        dependencies.capture(leaving);
        code.run(() ->
        {
            final long startNs = System.nanoTime();
            assembler.refresh(context);
            took("beans", startNs);
        });
    }

    /** Notifies listeners, starts the event flow and exports services. */
    private void begin(final boolean startNetwork) throws DeploymentException
    {
        dependencies.tellAll(true);
        if (startNetwork)
        {
            startNetwork();
        }
        exports.register(publish);
    }

    /** Closes sources of the paused network whose ports the next version needs. */
    boolean release(final String stageId, final Set<String> next)
    {
        return renewal.release(network, stageId, next);
    }

    /**
     * Continues after a pause for a version that was rejected. Sources that were closed for it are created again.
     *
     * @return ids of the sources created again
     */
    List<String> goOn(final boolean resume) throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        final List<String> renewed = renewal.renew(network, problems);
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

    /** Closes everything in reverse order. Failures are logged and do not stop the close. */
    void close()
    {
        exports.unregister(this::step);
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
            dependencies.tellAll(false);
        }
        step("close context", context::close);
        dependencies.release(this::step);
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
