package dev.millrace.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for targets whose readers need files; it is deleted when the process ends. */
public final class ScratchDirectory
{
    private ScratchDirectory()
    {
    }

    /** Creates an empty directory. */
    public static Path create()
    {
        try
        {
            final Path directory = Files.createTempDirectory("millrace-fuzz");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
            return directory;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.deleteIfExists(file);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
