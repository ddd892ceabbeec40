package dev.millrace.tuning.journal;

import dev.millrace.network.spi.DirectoryStorage;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.network.spi.DurableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory for the state of a processor and other files; deleted when it is closed. */
final class TemporaryDirectory implements AutoCloseable
{
    private final Path directory;

    TemporaryDirectory()
    {
        try
        {
            directory = Files.createTempDirectory("millrace-journal-");
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("no directory for the journal can be created", e);
        }
    }

    /** A separate directory for some of the files. */
    Path directory(final String name)
    {
        return directory.resolve(name);
    }

    /** Journals and snapshots in it. */
    DurableStorage storage()
    {
        return new DirectoryStorage(directory("state"), "bench", DurabilitySettings.DEFAULT,
            System::currentTimeMillis);
    }

    @Override
    public void close()
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("the journal of the benchmark cannot be deleted, directory=" + directory, e);
        }
    }
}
