package dev.millrace.cql.replay;

import dev.millrace.api.cartridge.Cartridges;
import dev.millrace.api.event.EventType;
import dev.millrace.assembly.ApplicationAssembler;
import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ServerElements;
import dev.millrace.network.definition.DeploymentException;
import java.io.IOException;
import java.util.Collection;

/** Reads the assembly files of applications. Confined to one thread. */
final class OfflineReader
{
    private OfflineReader()
    {
    }

    /**
     * Reads the files of an application into a context.
     *
     * @return not refreshed; owned by the caller
     * @throws DeploymentException with every problem of the files
     */
    static OfflineContext read(final ApplicationFiles files) throws IOException, DeploymentException
    {
        final OfflineContext context = new OfflineContext(files.name(), files.classes(), files.properties());
        AssemblyReader.onClassPath(context, files.classes(), new ServerElements(id -> new StandIn()))
            .read(files.assembly());
        return context;
    }

    /**
     * Returns the event types that an application declares.
     *
     * @throws DeploymentException if its files cannot be used
     */
    static Collection<EventType> declaredTypes(final ApplicationFiles files) throws IOException, DeploymentException
    {
        try (OfflineContext context = read(files))
        {
            return ApplicationAssembler.declaredTypes(context, Cartridges.installed(files.classes()));
        }
    }
}
