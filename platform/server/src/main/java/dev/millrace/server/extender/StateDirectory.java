package dev.millrace.server.extender;

import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalSettings;
import dev.millrace.journal.Journals;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.spi.DurableStorage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/** The state of a durable processor, in a directory of the domain: a directory for each of its units. */
final class StateDirectory implements DurableStorage
{
    private final Path directory;
    private final String owner;
    private final LongSupplier wallTimeMs;

    /**
     * @param owner      {@code application/processor}
     * @param wallTimeMs for names of files
     */
    StateDirectory(final Path directory, final String owner, final LongSupplier wallTimeMs)
    {
        this.directory = directory;
        this.owner = owner;
        this.wallTimeMs = wallTimeMs;
    }

    @Override
    public Journal openJournal(final String unit)
    {
        return Journals.open(JournalSettings.of(directory.resolve(unit), owner + '/' + unit), wallTimeMs);
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
}
