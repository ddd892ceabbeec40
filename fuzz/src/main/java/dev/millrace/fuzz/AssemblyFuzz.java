package dev.millrace.fuzz;

import dev.millrace.assembly.AssemblyReader;
import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException;
import java.util.List;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** Assembly files: read and checked; no bean is made, since an application may run what it likes. */
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
            Refusals.check(e);
        }
    }
}
