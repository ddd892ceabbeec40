package dev.millrace.server.extender;

import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.Network;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.PatternAttempts;
import dev.millrace.network.spi.ProcessorProvider;
import dev.millrace.server.extender.bundle.NamespaceRegistry;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import dev.millrace.server.thread.BoundedThreadFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;

/**
 * An application without a bundle that uses the server's bean classes. It is read, created, planned and compiled like
 * any other application, then closed without running. It receives no events, starts no threads and offers no services.
 *
 * <p>Not thread-safe; used once.
 */
public final class DryRunApplication
{
    private final String name;

    private final ApplicationServices services;

    private final NamespaceResolver namespaces;

    private final GenericApplicationContext context = new GenericApplicationContext();

    private Network network;

    private DryRunApplication(final String name, final BundleContext extender)
    {
        this.name = name;
        this.services = new ApplicationServices(
            new ApplicationServices.Settings(extender, new BoundedThreadFactory(name), 1, Duration.ZERO,
                PatternAttempts.DEFAULT, MemoryBudget.unlimited(), 0, Set.of(), null, null, null, null,
                false), what ->
            {
                // Does not wait.
            }, () -> true);
        this.namespaces = new NamespaceResolver(new NamespaceRegistry(extender));
    }

    /** Duration of each part of a trial, in nanoseconds. */
    public record Times(long filesNs, long beansNs, long networkNs)
    {
        /** Returns the total in milliseconds. */
        public long totalMs()
        {
            return TimeUnit.NANOSECONDS.toMillis(filesNs + beansNs + networkNs);
        }
    }

    /** Whether a bundle offers processors; without one a trial that has rules fails. */
    public static boolean isPossible(final BundleContext extender)
    {
        return extender.getServiceReference(ProcessorProvider.class) != null;
    }

    /**
     * Creates an application and closes it.
     *
     * @param name          for messages
     * @param assembly      assembly files
     * @param configuration component configuration files
     * @return durations
     * @throws DeploymentException with all problems of the files
     */
    public static Times run(final String name, final BundleContext extender,
        final List<ConfigurationResource> assembly, final List<ConfigurationResource> configuration)
        throws DeploymentException
    {
        final DryRunApplication trial = new DryRunApplication(name, extender);
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        final ClassLoader ofServer = DryRunApplication.class.getClassLoader();
        thread.setContextClassLoader(ofServer);
        try
        {
            return trial.make(ofServer, assembly, configuration);
        }
        finally
        {
            thread.setContextClassLoader(before);
            trial.close();
        }
    }

    private Times make(final ClassLoader loader, final List<ConfigurationResource> assembly,
        final List<ConfigurationResource> configuration) throws DeploymentException
    {
        final long startNs = System.nanoTime();
        context.setId(name);
        context.setClassLoader(loader);
        final ApplicationAssembler assembler = new ApplicationAssembler(name, services);
        new AssemblyReader(context, namespaces, namespaces).read(assembly);
        assembler.prepare(context, configuration);
        final PropertySourcesPlaceholderConfigurer configurer = new PropertySourcesPlaceholderConfigurer();
        configurer.setEnvironment(context.getEnvironment());
        context.addBeanFactoryPostProcessor(configurer);
        final long readNs = System.nanoTime();
        assembler.refresh(context);
        final long refreshedNs = System.nanoTime();
        network = assembler.assemble(context);
        return new Times(readNs - startNs, refreshedNs - readNs, System.nanoTime() - refreshedNs);
    }

    private void close()
    {
        try
        {
            if (network != null)
            {
                network.stop();
            }
        }
        finally
        {
            context.close();
            services.release();
        }
    }
}
