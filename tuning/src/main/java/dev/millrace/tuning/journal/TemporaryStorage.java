package dev.millrace.tuning.journal;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.Journals;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.spi.DurableStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Journals and snapshots in a temporary directory, which is deleted with all files when it is closed. */
final class TemporaryStorage implements DurableStorage, AutoCloseable
{
    private final Path directory;

    TemporaryStorage()
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

    /** A separate directory for other files. */
    Path directory(final String name)
    {
        return directory.resolve(name);
    }

    @Override
    public Journal openJournal(final String unit)
    {
        return Journals.open(JournalSettings.of(directory.resolve(unit), unit), System::currentTimeMillis);
    }

    @Override
    public SnapshotStore snapshots(final String unit)
    {
        return new SnapshotStore(directory.resolve(unit));
    }

    @Override
    public String id()
    {
        return directory.toString();
    }

    @Override
    public List<String> units()
    {
        return Journals.directories(directory);
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
