package dev.millrace.network.spi;

import dev.millrace.journal.Journal;
import dev.millrace.journal.SnapshotStore;
import java.util.List;

/**
 * Where a processor of a durable application stores the rows that its execution units see, and their state. Confined to
 * the thread that starts the processor.
 */
public interface DurableStorage
{
    DurabilitySettings settings();

    /**
     * Opens the journal of a unit; the processor closes it when it stops.
     *
     * @param unit name of the unit, unique in the processor and the same after a restart
     * @throws dev.millrace.journal.JournalException if it cannot be opened
     */
    Journal openJournal(String unit);

    /**
     * The snapshots of the state of a unit.
     *
     * @param unit as for {@link #openJournal}
     */
    SnapshotStore snapshots(String unit);

    /**
     * The rules to which the stored state belongs: each change of the rules adds a version, whose number is
     * used as the position.
     */
    SnapshotStore rules();

    /**
     * Identifies the stored state: another one as soon as it is deleted, so that receivers do not take new output for
     * output of the earlier state.
     */
    String id();

    /** Names of the units that have a journal or snapshots. */
    List<String> units();
}
