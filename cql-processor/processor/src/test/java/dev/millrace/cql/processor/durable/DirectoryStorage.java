package dev.millrace.cql.processor.durable;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.Journals;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.journal.SyncMode;
import dev.millrace.network.spi.DurableStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Journals and snapshots in a directory. */
final class DirectoryStorage implements DurableStorage
{
    private final Path directory;
    private long minFreeBytes;

    DirectoryStorage(final Path directory)
    {
        this.directory = directory;
    }

    /** Rows are only stored while the disk has this much space. */
    void minFreeBytes(final long bytes)
    {
        minFreeBytes = bytes;
    }

    @Override
    public Journal openJournal(final String unit)
    {
        return Journals.open(JournalSettings.of(directory.resolve(unit), unit).withSync(SyncMode.NONE, 1)
            .withSpace(1 << 16, 1L << 34, minFreeBytes), () -> 0);
    }

    @Override
    public SnapshotStore snapshots(final String unit)
    {
        return new SnapshotStore(directory.resolve(unit));
    }

    @Override
    public String id()
    {
        return Journals.id(directory);
    }

    @Override
    public List<String> units()
    {
        return Journals.directories(directory);
    }

    /** All files whose name has an ending, in order. */
    List<Path> files(final String ending) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }

    /** Copies what a process that is killed now would leave. */
    DirectoryStorage copyTo(final Path target) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted().toList())
            {
                Files.copy(file, target.resolve(directory.relativize(file).toString()));
            }
        }
        return new DirectoryStorage(target);
    }
}
