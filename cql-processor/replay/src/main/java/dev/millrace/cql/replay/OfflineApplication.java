package dev.millrace.cql.replay;

import dev.millrace.api.cache.Cache;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.epn.EpnModel;
import dev.millrace.network.PreparedNetwork;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorProvider.InputChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.support.GenericApplicationContext;

/** An application that was read and planned, and does not run. */
final class OfflineApplication implements AutoCloseable
{
    private final String name;
    private final ApplicationFiles files;
    private final OfflineServices services;
    private final OfflineContext context;
    private final NetworkDefinition definition;
    private final List<Problem> warnings;

    private OfflineApplication(final String name, final ApplicationFiles files, final OfflineServices services,
        final OfflineContext context, final NetworkDefinition definition, final List<Problem> warnings)
    {
        this.name = name;
        this.files = files;
        this.services = services;
        this.context = context;
        this.definition = definition;
        this.warnings = warnings;
    }

    /**
     * Reads an application of a domain.
     *
     * @throws DeploymentException with every problem found
     */
    static OfflineApplication open(final Path domain, final String name) throws DeploymentException
    {
        if (name.contains("/") || !Files.isRegularFile(domain.resolve("applications/" + name + '/' + name + ".jar")))
        {
            throw new DeploymentException(ReplayErrorCode.APPLICATION, SourcePosition.NONE,
                "the domain has no such application, application=" + name + " domain=" + domain,
                "these are deployed: " + String.join(", ", deployed(domain)));
        }
        try
        {
            return open(new DomainFiles(domain, name), OfflineSettings.of(domain.resolve("config/config.xml")));
        }
        catch (final IOException e)
        {
            throw unreadable(name, e);
        }
    }

    /**
     * Reads an application.
     *
     * @param files    owned by the result; closed after a failure
     * @param settings defaults of the server
     * @throws DeploymentException with every problem found
     */
    static OfflineApplication open(final ApplicationFiles files, final OfflineSettings settings)
        throws DeploymentException
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        OfflineApplication opened = null;
        try
        {
            thread.setContextClassLoader(files.classes());
            opened = read(files, settings);
            return opened;
        }
        catch (final IOException e)
        {
            throw unreadable(files.name(), e);
        }
        finally
        {
            thread.setContextClassLoader(before);
            if (opened == null)
            {
                close(files);
            }
        }
    }

    private static OfflineApplication read(final ApplicationFiles files, final OfflineSettings settings)
        throws IOException, DeploymentException
    {
        final String name = files.name();
        final OfflineContext context = OfflineReader.read(files);
        final Set<String> others = ApplicationAssembler.applicationsOfTypes(context);
        final OfflineServices services = new OfflineServices(
            settings, files.classes(), others.isEmpty() ? null : files.typesOf(others));
        final ApplicationAssembler assembler = new ApplicationAssembler(name, services);
        assembler.prepare(context, files.configuration());
        AssemblyReader.resolvePlaceholders(context);
        for (final String cache : EpnModel.of(context).caches().keySet())
        {
            // The definition of the assembler creates the loader and the listeners, too.
            context.removeBeanDefinition(cache);
            context.registerBeanDefinition(cache, new RootBeanDefinition(Cache.class, () -> new RecordedCache(cache)));
        }
        assembler.refresh(context);
        final NetworkDefinition definition = assembler.define(context, new StandIn());
        try
        {
            final PreparedNetwork prepared = PreparedNetwork.of(definition, services);
            return new OfflineApplication(name, files, services, context, definition, prepared.warnings());
        }
        catch (final DeploymentException e)
        {
            throw assembler.located(e);
        }
    }

    private static DeploymentException unreadable(final String name, final IOException cause)
    {
        return new DeploymentException(List.of(new Problem(ReplayErrorCode.APPLICATION,
            SourcePosition.NONE, "the files of the application cannot be read, application=" + name + " reason=" +
            cause, "check their owner and mode", "")), cause);
    }

    private static List<String> deployed(final Path domain)
    {
        try (Stream<Path> found = Files.list(domain.resolve("applications")))
        {
            return found.map(path -> path.getFileName().toString()).filter(each -> !each.startsWith(".")).sorted()
                .toList();
        }
        catch (final IOException none)
        {
            return List.of("none");
        }
    }

    /** The definition of the network. */
    NetworkDefinition definition()
    {
        return definition;
    }

    /** The plans of the processors, by id. */
    Map<String, PlannedProcessor> plans()
    {
        return services.plans();
    }

    /** The files of the application; owned by this object. */
    ApplicationFiles files()
    {
        return files;
    }

    /** The context with the definitions of the beans. */
    GenericApplicationContext context()
    {
        return context;
    }

    /** Warnings about settings and rules that are allowed but probably not intended. */
    List<Problem> warnings()
    {
        return warnings;
    }

    private List<ProcessorStage> processors()
    {
        return definition.stages().stream().filter(ProcessorStage.class::isInstance).map(ProcessorStage.class::cast)
            .toList();
    }

    /**
     * A durable processor.
     *
     * @throws DeploymentException if the application has none of this id, or it is not durable
     */
    ProcessorStage processor(final String id) throws DeploymentException
    {
        final ProcessorStage found = processors().stream().filter(each -> each.id().equals(id)).findFirst()
            .orElse(null);
        if (found == null)
        {
            throw new DeploymentException(ReplayErrorCode.PROCESSOR, SourcePosition.NONE,
                "the application has no such processor, application=" + name + " processor=" + id,
                "it has: " + String.join(", ", processors().stream().map(ProcessorStage::id).toList()));
        }
        if (!found.durable())
        {
            throw new DeploymentException(ReplayErrorCode.PROCESSOR, found.position(),
                "the processor is not durable, application=" + name + " processor=" + id,
                "write <durable>true</durable> into its configuration; from then on its input is recorded");
        }
        return found;
    }

    /** The channels that feed a processor, by id. */
    Map<String, InputChannel> channels(final String processor)
    {
        return services.channels(processor);
    }

    @Override
    public void close()
    {
        context.close();
        close(files);
    }

    private static void close(final ApplicationFiles files)
    {
        try
        {
            files.close();
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("a temporary file cannot be deleted: " + e, e);
        }
    }
}
