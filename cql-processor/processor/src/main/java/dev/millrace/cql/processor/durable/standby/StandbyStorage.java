package dev.millrace.cql.processor.durable.standby;

import dev.millrace.journal.Journal;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.network.spi.DurableStorage;
import java.util.List;
import java.util.Map;

/** The journals and snapshots of a running processor, to be read while it writes them. */
public final class StandbyStorage implements DurableStorage
{
    private final DurableStorage storage;
    private final Map<String, Journal> journals;

    /** @param journals by unit */
    public StandbyStorage(final DurableStorage storage, final Map<String, Journal> journals)
    {
        this.storage = storage;
        this.journals = journals;
    }

    @Override
    public DurabilitySettings settings()
    {
        return storage.settings();
    }

    @Override
    public Journal openJournal(final String unit)
    {
        return new ReadOnlyJournal(journals.get(unit));
    }

    @Override
    public SnapshotStore snapshots(final String unit)
    {
        return storage.snapshots(unit);
    }

    @Override
    public SnapshotStore rules()
    {
        return storage.rules();
    }

    @Override
    public String id()
    {
        return storage.id();
    }

    @Override
    public List<String> units()
    {
        return List.copyOf(journals.keySet());
    }
}
