package dev.millrace.cql.processor.durable.snapshot;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.Snapshot;
import dev.millrace.journal.SnapshotStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots of a unit: reads the newest valid one of a version of the rules, and keeps it and the one before.
 *
 * <p>Threads: created by the thread that starts the processor; afterwards used by one thread at a time that writes
 * snapshots or changes the rules. Failure: {@link JournalException}.
 */
public final class UnitSnapshots
{
    private static final Logger LOG = LoggerFactory.getLogger(UnitSnapshots.class);
    /** Name of the state with the version of the rules; missing in snapshots of the first one. */
    private static final String VERSION = "version of the rules";

    private final String unit;
    private final SnapshotStore store;
    private final int version;
    private final Map<String, StateInput> states = new LinkedHashMap<>();
    /** Snapshots of other versions: they were written for a change of the rules that was not completed. */
    private final List<Long> others = new ArrayList<>();
    private boolean isDamaged;
    /** Positions of the newest snapshot and of the one before, which is used if the newest one is damaged. */
    private long newest;
    private long before = Journal.NONE;

    /**
     * Reads the newest snapshot.
     *
     * @param version of the rules to which the state belongs
     */
    public UnitSnapshots(final String unit, final SnapshotStore store, final int version)
    {
        this.unit = unit;
        this.store = store;
        this.version = version;
        final Snapshot snapshot = store.newest(damaged ->
        {
            isDamaged = true;
            LOG.warn("{}; the snapshot before it is used, unit={}", damaged.getMessage(), unit);
        }, this::isUsable);
        newest = snapshot == null ? Journal.NONE : snapshot.position();
    }

    private boolean isUsable(final Snapshot snapshot)
    {
        final Map<String, StateInput> content = SnapshotContent.read(snapshot.content());
        final StateInput written = content.remove(VERSION);
        if ((written == null ? 0 : written.readInt()) != version)
        {
            others.add(snapshot.position());
            return false;
        }
        states.putAll(content);
        return true;
    }

    /** Adds the version of the rules to the content of a snapshot. */
    public static void writeVersion(final SnapshotContent content, final int of)
    {
        content.add(VERSION, to -> to.writeInt(of));
    }

    /** Fails if a journal has records of a state of which no snapshot is left; deletes those of other rules. */
    public void check(final Journal journal)
    {
        if (newest == Journal.NONE && version > 0 && (isDamaged || journal.lastPosition() != Journal.NONE))
        {
            throw new JournalException(JournalErrorCode.SNAPSHOT, "the state is lost: no snapshot that was " +
                "written since the last change of the rules is valid, unit=" + unit + " version=" + version);
        }
        others.stream().filter(position -> position > newest).forEach(store::delete);
        others.clear();
    }

    /** The states in the newest snapshot when the unit started, by name; a state is removed when it is read. */
    public Map<String, StateInput> states()
    {
        return states;
    }

    /** Position of the newest snapshot; {@link Journal#NONE} without one. */
    public long newest()
    {
        return newest;
    }

    /** Writes a snapshot, and deletes the records before the older one that is kept. */
    public void write(final CapturedState state, final Journal journal)
    {
        journal.sync();
        store.write(state.position(), state.content().parts());
        before = newest;
        newest = state.position();
        journal.deleteBefore(before);
    }

    /** Deletes the newest snapshot; the one at position {@code last} is the newest again. */
    public void discard(final CapturedState state, final long last)
    {
        store.delete(state.position());
        newest = last;
        before = Journal.NONE;
    }

    /** Gives up the older snapshot, whose records take space that is needed. */
    public void deleteOldRecords(final Journal journal)
    {
        before = newest;
        journal.deleteBefore(before);
    }
}
