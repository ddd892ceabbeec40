package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.durable.output.NumberedOutput;
import dev.millrace.cql.processor.durable.output.RaisedNumbers;
import dev.millrace.cql.processor.durable.output.UnitOutputs;
import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.durable.snapshot.SnapshotContent;
import dev.millrace.cql.processor.durable.snapshot.UnitSnapshots;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.network.spi.DurableStorage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Everything that one thread runs, and its life: restored from its newest snapshot and its journal, copied for
 * snapshots, exchanged by a {@link UnitChange} while no row is in the processor.
 *
 * <p>Threads: created and restored by the thread that starts the processor; afterwards its recorders append to the
 * journal on the thread that acts as the unit's worker, and one thread at a time copies it, stores snapshots or changes
 * the rules. Failure: {@link JournalException}.
 */
public final class DurableUnit implements AutoCloseable
{
    private final String name;
    private final UnitJournal journal;
    private final UnitSnapshots snapshots;
    /** Of the rules to which its state belongs. */
    private int version;
    private final UnitGroups groups;
    private final UnitReplicas replicas;
    private final UnitLookups lookups;
    private final UnitOutputs outputs;
    private final RaisedNumbers raised;
    private final ReplicaMark mark;
    /** Groups and replicas by the descriptions of their records. */
    private final Map<String, ReplayedGroup> replayed = new LinkedHashMap<>();
    /** Of the journal that another unit writes; {@code null} for the unit that writes it. */
    private UnitReplay replay;

    /**
     * Opens the journal and reads the newest snapshot.
     *
     * @param version of the rules to which the stored state belongs
     */
    public DurableUnit(final DurableStorage storage, final String name, final SpaceWaiter space, final int version)
    {
        this.name = name;
        this.version = version;
        snapshots = new UnitSnapshots(name, storage.snapshots(name), version);
        journal = new UnitJournal(storage.openJournal(name));
        boolean isOpen = false;
        try
        {
            snapshots.check(journal.journal());
            outputs = UnitState.outputs(snapshots);
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                journal.close();
            }
        }
        replicas = new UnitReplicas(journal);
        lookups = new UnitLookups(space);
        raised = new RaisedNumbers(outputs.all(), journal.journal());
        mark = new ReplicaMark(replicas, journal.journal());
        groups = new UnitGroups(journal, snapshots,
            new UnitContext(replicas.all(), journal.producers(), space, mark, raised, lookups));
    }

    public String name()
    {
        return name;
    }

    public Journal journal()
    {
        return journal.journal();
    }

    /** Writers of the records of its journal. */
    UnitJournal records()
    {
        return journal;
    }

    UnitGroups groups()
    {
        return groups;
    }

    UnitReplicas replicas()
    {
        return replicas;
    }

    UnitLookups lookups()
    {
        return lookups;
    }

    /** The outputs of its queries. */
    public UnitOutputs outputs()
    {
        return outputs;
    }

    /** The state of a pipeline or flow in the snapshot, which is read once; {@code null} if it has none. */
    public StateInput state(final String of)
    {
        return snapshots.states().remove(of);
    }

    /** Fails if the snapshot contains state of pipelines or flows that the processor no longer has. */
    public void refuseOtherState()
    {
        if (!snapshots.states().isEmpty())
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "the snapshot contains state of rules that " +
                "the processor does not have, unit=" + name + " rules=" + snapshots.states().keySet());
        }
    }

    /** Whether a change of the rules has left nothing for it to run: its snapshot contains no state. */
    public boolean isRetired()
    {
        return snapshots.states().isEmpty() && !journal.hasRowsAfter(newest());
    }

    /**
     * Adds a group of pipelines that receive rows together, before the replay.
     *
     * @param target receives the rows of the replay
     * @param keys   that it will receive; {@code null} unless the channel has a primary key
     */
    public BatchRecorder add(final PipelineGroup group, final EventBatchSink target, final ReceivedKeys keys,
        final RejectionHandler rejection)
    {
        return groups.add(group, target, keys, rejection, replayed);
    }

    /** Adds a replica of a cache that its pipelines or flows read, before the replay. */
    public void add(final String of, final RecordedReplica replica)
    {
        replicas.add(of, replica, replayed);
    }

    /** Adds a look-up of its flows, before the replay. */
    public void add(final String of, final RecordedLookup lookup)
    {
        lookups.add(lookup, journal.add(newWriter(of, lookup, false)));
    }

    /** A writer for the answers of a look-up, which the unit does not have yet. */
    RecordWriter newWriter(final String of, final RecordedLookup lookup, final boolean isNew)
    {
        return journal.newWriter(of, lookup.schema(), column -> true, isNew);
    }

    /** Replays the records after the snapshot. Returns the number of batches. */
    public long replay()
    {
        outputs.beginReplay();
        journal.begin();
        try (UnitReplay all = newReplay())
        {
            return all.advance(Long.MAX_VALUE, () -> false, true);
        }
    }

    private UnitReplay newReplay()
    {
        return new UnitReplay(name, journal().openReader(), replayed, raised, lookups, newest());
    }

    /**
     * Replays more records of a journal that another unit writes, up to a position.
     *
     * @param stored    position of the newest snapshot that was written
     * @param isStopped asked before each record
     * @return whether the state is newer than that snapshot
     */
    public boolean catchUp(final long until, final long stored, final BooleanSupplier isStopped)
    {
        if (replay == null)
        {
            replay = newReplay();
        }
        replay.advance(until, isStopped, false);
        return replay.position() > stored;
    }

    /** Position of the newest snapshot; {@link Journal#NONE} without one. */
    public long newest()
    {
        return snapshots.newest();
    }

    /** Whether there are records after the newest snapshot. */
    public boolean hasNews()
    {
        return journal().lastPosition() != newest();
    }

    public ReplicaMark mark()
    {
        return mark;
    }

    /** Whether a copy of it can only stop at certain positions of its journal: those of its mark. */
    public boolean needsMark()
    {
        return !replicas.isEmpty() || !lookups.isEmpty();
    }

    /**
     * Copies the state; called while no row is in the unit.
     *
     * @param writer adds the states of pipelines and flows
     */
    public CapturedState capture(final Consumer<SnapshotContent> writer)
    {
        final UnitState state = UnitState.copy(version, writer, groups.recorders(), outputs);
        if (replay != null)
        {
            return state.at(name, replay.position());
        }
        // Snapshots do not contain the replicas: the records after them must be enough to fill these.
        replicas.recordAgain();
        return state.at(name, journal().lastPosition());
    }

    /**
     * Writes a snapshot, and deletes the records before the older one that is kept.
     *
     * @param state of this unit, or of the one that follows its journal
     */
    public void store(final CapturedState state)
    {
        snapshots.write(state, journal());
    }

    /** Deletes the newest snapshot, because the change of the rules that it belongs to fails. */
    void discard(final CapturedState state, final long last)
    {
        snapshots.discard(state, last);
    }

    /** Gives up the older snapshot, whose records take space that is needed. */
    public void deleteOldRecords()
    {
        snapshots.deleteOldRecords(journal());
    }

    /**
     * Replaces what it runs.
     *
     * @param next       version of the rules
     * @param nextGroups recorders by group
     * @param read       all replicas, with their writers
     * @param asked      all look-ups, with their writers
     * @param named      outputs by name
     */
    void exchange(final int next, final Map<String, BatchRecorder> nextGroups,
        final Map<RecordedReplica, RecordWriter> read, final Map<RecordedLookup, RecordWriter> asked,
        final Map<String, NumberedOutput> named)
    {
        version = next;
        groups.exchange(nextGroups);
        replicas.exchange(read);
        lookups.exchange(asked);
        final List<RecordWriter> writers = new ArrayList<>(groups.writers());
        writers.addAll(replicas.writers());
        writers.addAll(lookups.writers());
        journal.exchange(writers);
        outputs.exchange(named);
        raised.writeAgain();
    }

    @Override
    public void close()
    {
        if (replay != null)
        {
            replay.close();
        }
        groups.close();
        journal.close();
    }
}
