package dev.millrace.fuzz;

import dev.millrace.assembly.config.ConfigurationReader;
import dev.millrace.assembly.problem.Problems;
import dev.millrace.network.definition.DeploymentException;
import java.io.ByteArrayInputStream;

/** Configuration files of components (META-INF/wlevs). */
public final class ConfigurationFuzz
{
    private ConfigurationFuzz()
    {
    }

    /**
     * Reads an input.
     *
     * @param data the file
     */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        final Problems problems = new Problems();
        new ConfigurationReader(problems).read("fuzz.xml", new ByteArrayInputStream(data));
        try
        {
            problems.throwIfAny();
        }
        catch (final DeploymentException e)
        {
            RefusalCheck.check(e);
        }
    }
}
