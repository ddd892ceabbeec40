package dev.millrace.server.extender;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.extender.bundle.AssemblyFiles;
import dev.millrace.server.extender.bundle.NamespaceRegistry;
import dev.millrace.server.extender.bundle.NamespaceResolver;
import dev.millrace.server.thread.BoundedThreadFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.wiring.BundleWiring;

/**
 * Creates the contexts of an application with the settings of the instance, and reads its files into them. Confined to
 * the application's thread.
 */
final class ContextFactory
{
    private final Bundle bundle;

    private final BundleContext extender;

    private final ExtenderSettings settings;

    private final NamespaceRegistry namespaces;

    private final AdvertisedStages advertised;

    private final BoundedThreadFactory networkThreads;

    ContextFactory(final Bundle bundle, final BundleContext extender, final ExtenderSettings settings,
        final NamespaceRegistry namespaces, final AdvertisedStages advertised)
    {
        this.advertised = advertised;
        this.bundle = bundle;
        this.extender = extender;
        this.settings = settings;
        this.namespaces = namespaces;
        networkThreads = new BoundedThreadFactory(bundle.getSymbolicName());
    }

    /**
     * Creates an empty context.
     *
     * @param waiting   receives the provider for which its network waits
     * @param isStopped whether it must not wait any longer
     */
    RunningContext create(final Consumer<String> waiting, final BooleanSupplier isStopped)
    {
        final ApplicationServices services = new ApplicationServices(
            new ApplicationServices.Settings(
                extender, networkThreads, settings.defaultWorkers(), settings.idleStateTime(),
                settings.maxAttempts(), settings.memory(), settings.providerWaitNs(), settings.groups(),
                settings.stateDirectory(), settings.durability(), settings.eventStore(), advertised,
                settings.deployments().requiresOthers(bundle)),
            waiting, isStopped);
        return new RunningContext(bundle, bundle.adapt(BundleWiring.class).getClassLoader(), services,
            new NamespaceResolver(namespaces));
    }

    /** Reads the files of the application, those of the domain first. */
    void read(final RunningContext context) throws IOException, DeploymentException
    {
        context.read(configuration(), properties());
    }

    private List<ConfigurationResource> configuration()
    {
        final List<ConfigurationResource> kept = settings.deployments().configuration(bundle);
        return kept != null ? kept : AssemblyFiles.folder(bundle, "META-INF/wlevs");
    }

    private Properties properties() throws IOException
    {
        final Properties properties = new Properties();
        final Path file = settings.configDirectory().resolve(bundle.getSymbolicName() + ".properties");
        if (Files.isRegularFile(file))
        {
            try (InputStream in = Files.newInputStream(file))
            {
                properties.load(in);
            }
        }
        return properties;
    }
}
