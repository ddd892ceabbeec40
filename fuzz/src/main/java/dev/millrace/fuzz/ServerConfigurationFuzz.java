package dev.millrace.fuzz;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.ServerConfigurationReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The config.xml of a domain. */
public final class ServerConfigurationFuzz
{
    private static final Path DOMAIN = ScratchDirectory.create();

    private ServerConfigurationFuzz()
    {
    }

    /**
     * Reads an input.
     *
     * @param data the file
     * @throws IOException when the disk is full
     */
    public static void fuzzerTestOneInput(final byte[] data) throws IOException
    {
        final Path config = Files.createDirectories(DOMAIN.resolve("config"));
        Files.write(config.resolve("config.xml"), data);
        try
        {
            ServerConfigurationReader.read(DOMAIN);
        }
        catch (final DeploymentException e)
        {
            RefusalCheck.check(e);
        }
    }
}
