package dev.millrace.fuzz;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.BundleTrust;
import dev.millrace.server.bundle.BundleCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bundles as uploaded for installation. */
public final class BundleFuzz
{
    private static final Path FILE = ScratchDirectory.create().resolve("bundle.jar");

    private BundleFuzz()
    {
    }

    /**
     * Checks an input.
     *
     * @param data the archive
     * @throws IOException when the disk is full
     */
    public static void fuzzerTestOneInput(final byte[] data) throws IOException
    {
        Files.write(FILE, data);
        try
        {
            BundleCheck.check(FILE, "bundle.jar", BundleTrust.OPTIONAL);
        }
        catch (final DeploymentException e)
        {
            RefusalCheck.check(e);
        }
    }
}
