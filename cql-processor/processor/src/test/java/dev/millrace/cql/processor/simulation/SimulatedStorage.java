package dev.millrace.cql.processor.simulation;

import dev.millrace.journal.Journal;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.spi.DurabilitySettings;
import dev.millrace.network.spi.DurableStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The storage of a processor on a {@link SimulatedDisk}, as one process after the other opens it. */
final class SimulatedStorage implements DurableStorage
{
    private final SimulatedDisk disk;
    private final Flaw flaw;
    private final Consumer<String> onSync;
    private final Map<String, SimulatedRecords> records = new TreeMap<>();
    private final List<SimulatedJournal> open = new ArrayList<>();
    private SimulatedFiles files;
    private DurabilitySettings settings;

    /**
     * @param onSync receives the name of a unit when all records of its journal are on the disk
     */
    SimulatedStorage(final SimulatedDisk disk, final Flaw flaw, final Consumer<String> onSync)
    {
        this.disk = disk;
        this.flaw = flaw;
        this.onSync = onSync;
    }

    /** The next process opens the storage. */
    void open(final DurabilitySettings with)
    {
        settings = with;
        files = new SimulatedFiles(disk);
        open.clear();
    }

    @Override
    public DurabilitySettings settings()
    {
        return settings;
    }

    @Override
    public Journal openJournal(final String unit)
    {
        final SimulatedJournal journal =
            new SimulatedJournal(records.computeIfAbsent(unit, name -> new SimulatedRecords()), disk, settings, flaw,
                () -> onSync.accept(unit));
        open.add(journal);
        return journal;
    }

    @Override
    public SnapshotStore snapshots(final String unit)
    {
        return new SnapshotStore(files.path(unit));
    }

    @Override
    public SnapshotStore rules()
    {
        return new SnapshotStore(files.path("rules"));
    }

    @Override
    public String id()
    {
        return "simulation";
    }

    @Override
    public List<String> units()
    {
        return List.copyOf(records.keySet());
    }

    /** Acts as the threads that synchronize journals at an interval. */
    void syncIfDue()
    {
        open.forEach(SimulatedJournal::syncIfDue);
    }

    /** What remains after a loss of power. */
    void losePower()
    {
        records.values().forEach(each -> each.losePower(disk.host().random()));
    }

    /**
     * Damages the newest snapshot of a unit, if the records since an older one, or all records, can replace it.
     *
     * @param damaged files that are damaged already
     * @return the name of its file; {@code null} if there is none
     */
    String damageNewest(final Set<String> damaged)
    {
        for (final String unit : records.keySet())
        {
            final List<String> names = disk.files(unit + "/").keySet().stream()
                .filter(name -> name.endsWith(".state")).toList();
            final SimulatedRecords.Stored first = records.get(unit).first();
            final boolean isComplete = first != null && first.before() == Journal.NONE;
            final String newest = names.isEmpty() ? null : names.get(names.size() - 1);
            if (newest != null && !damaged.contains(newest) && (names.size() > 1 || isComplete))
            {
                disk.find(newest).damage(disk.host().random());
                return newest;
            }
        }
        return null;
    }
}
