package dev.millrace.network.spi;

import dev.millrace.journal.Journal;
import dev.millrace.journal.Journals;
import dev.millrace.journal.SnapshotStore;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/** The state of a durable processor in a directory, which contains a directory for each of its units. */
public class DirectoryStorage implements DurableStorage
{
    private final Path directory;
    private final String owner;
    private final DurabilitySettings settings;
    private final LongSupplier wallTimeMs;

    /**
     * @param owner      for example {@code application/processor}; journals of another owner are refused
     * @param wallTimeMs for names of files
     */
    public DirectoryStorage(final Path directory, final String owner, final DurabilitySettings settings,
        final LongSupplier wallTimeMs)
    {
        this.directory = directory;
        this.owner = owner;
        this.settings = settings;
        this.wallTimeMs = wallTimeMs;
    }

    @Override
    public DurabilitySettings settings()
    {
        return settings;
    }

    @Override
    public Journal openJournal(final String unit)
    {
        return Journals.open(settings().journal(directory.resolve(unit), owner + '/' + unit), wallTimeMs);
    }

    @Override
    public SnapshotStore snapshots(final String unit)
    {
        return new SnapshotStore(directory.resolve(unit));
    }

    @Override
    public SnapshotStore rules()
    {
        // Creates the directory.
        id();
        return new SnapshotStore(directory);
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
}
