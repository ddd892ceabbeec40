package dev.millrace.server.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file of a bundle that was received; deleted on close unless it was moved.
 *
 * @param file the bundle
 */
record Upload(Path file) implements AutoCloseable
{
    @Override
    public void close() throws IOException
    {
        Files.deleteIfExists(file);
    }
}
