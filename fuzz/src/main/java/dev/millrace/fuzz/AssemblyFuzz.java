package dev.millrace.fuzz;

import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException;
import java.util.List;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** Assembly files: read and checked. No bean is created, because applications may run arbitrary code. */
public final class AssemblyFuzz
{
    private AssemblyFuzz()
    {
    }

    /**
     * Reads an input.
     *
     * @param data the file
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        try (GenericApplicationContext context = new GenericApplicationContext())
        {
            AssemblyReader.onClassPath(context, AssemblyFuzz.class.getClassLoader())
                .read(List.of(new ConfigurationResource("fuzz.context.xml", new ByteArrayResource(data))));
        }
        catch (final DeploymentException e)
        {
            RefusalCheck.check(e);
        }
    }
}
