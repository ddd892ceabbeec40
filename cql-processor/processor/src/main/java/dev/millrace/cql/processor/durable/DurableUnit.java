package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.durable.output.NumberedOutput;
import dev.millrace.cql.processor.durable.output.RaisedNumbers;
import dev.millrace.cql.processor.durable.output.UnitOutputs;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.spi.DurableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * What one thread runs, with its journal and its snapshots.
 *
 * <p>Threads: created and restored by the thread that starts the processor; afterwards the journal is written by the
 * recorders. A {@link UnitChange} replaces what it runs while no row is in the processor.
 */
final class DurableUnit implements AutoCloseable
{
    /** Name of the state with the marks of a group, before the group. */
    static final String MARKS = "marks of ";
    /** Name of the state with the keys that a group has received from a relation, before the group. */
    static final String KEYS = "keys of ";

    /** Name of the state with the numbers of the last rows of its outputs. */
    private static final String NUMBERS = "numbers of outputs";

    private final String name;
    private final Journal journal;
    private final UnitSnapshots snapshots;
    /** Of the rules to which its state belongs. */
    private int version;
    private final List<RecordWriter> writers = new ArrayList<>();
    private int nextWriter;
    private final List<RecordedReplica> replicas = new ArrayList<>();
    private final Map<RecordedReplica, RecordWriter> replicaWriters = new IdentityHashMap<>();
    private final Map<String, ReplayedGroup> replayed = new LinkedHashMap<>();
    private final Map<String, BatchRecorder> groups = new LinkedHashMap<>();
    private final ProducerNames producers;
    private final UnitOutputs outputs;
    private final ReplicaMark mark;
    private final RaisedNumbers raised;
    private final UnitLookups lookups;
    private final UnitContext context;
    private UnitReplay replay;

    /**
     * @param version of the rules to which the stored state belongs
     */
    DurableUnit(final DurableStorage storage, final String name, final SpaceWaiter space, final int version)
    {
        this.name = name;
        this.version = version;
        snapshots = new UnitSnapshots(name, storage.snapshots(name), version);
        journal = storage.openJournal(name);
        boolean isOpen = false;
        try
        {
            snapshots.check(journal);
            outputs = new UnitOutputs(state(NUMBERS));
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                journal.close();
            }
        }
        producers = new ProducerNames(journal);
        mark = new ReplicaMark(replicas, journal);
        raised = new RaisedNumbers(outputs.all(), journal);
        lookups = new UnitLookups(space);
        context = new UnitContext(replicas, producers, space, mark, raised, lookups);
    }

    Journal journal()
    {
        return journal;
    }

    String name()
    {
        return name;
    }

    /** Fails if the snapshot contains state of pipelines or flows that the processor no longer has. */
    void refuseOtherState()
    {
        if (!snapshots.states().isEmpty())
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "the snapshot contains state of rules that " +
                "the processor does not have, unit=" + name + " rules=" + snapshots.states().keySet());
        }
    }

    /** Whether a change of the rules has left nothing for it to run: its snapshot contains no state. */
    boolean isRetired()
    {
        return snapshots.states().isEmpty() && !hasRows();
    }

    /** Whether there are rows after the snapshot. */
    private boolean hasRows()
    {
        final long newest = newest();
        try (JournalReader reader = journal.openReader())
        {
            if (newest == Journal.NONE)
            {
                reader.moveToStart();
            }
            else
            {
                reader.moveToFileOf(newest);
            }
            while (reader.next())
            {
                if (reader.position() > newest && RecordKind.isOfGroup(reader.bytes()[0]))
                {
                    return true;
                }
            }
            return false;
        }
    }

    /** The state of a pipeline or flow in the snapshot; {@code null} if it has none. */
    StateInput state(final String of)
    {
        return snapshots.states().remove(of);
    }

    /**
     * Adds a group of pipelines that receive rows together, before the replay.
     *
     * @param keys that it will receive; {@code null} unless the channel has a primary key
     */
    BatchRecorder add(final PipelineGroup group, final EventBatchSink target, final ReceivedKeys keys,
        final RejectionHandler rejection)
    {
        final SequenceMarks marks = new SequenceMarks();
        read(MARKS + group.name(), marks::read);
        if (keys != null)
        {
            read(KEYS + group.name(), keys::read);
        }
        final ReplayedGroup replays = new ReplayedGroup(group.schema(), group.columns(), target, () ->
        {
            throw new IllegalArgumentException("not a record of pipelines");
        }, marks, keys);
        final BatchRecorder recorder = newRecorder(add(newWriter(group, false), replays), group, marks, keys,
            rejection);
        groups.put(group.name(), recorder);
        return recorder;
    }

    private void read(final String name, final Consumer<StateInput> reader)
    {
        final StateInput stored = state(name);
        if (stored != null)
        {
            reader.accept(stored);
            stored.end();
        }
    }

    private RecordWriter add(final RecordWriter writer, final ReplayedGroup replays)
    {
        writers.add(writer);
        replayed.put(writer.description(), replays);
        return writer;
    }

    /** A writer whose number no other one has in the current file. */
    RecordWriter newWriter(
        final String group, final BatchSchema schema, final IntPredicate columns, final boolean isNew)
    {
        return new RecordWriter(journal, nextWriter++, group, schema, columns, isNew);
    }

    /** A writer for a group. */
    RecordWriter newWriter(final PipelineGroup group, final boolean isNew)
    {
        return newWriter(group.name(), group.schema(), group.columns(), isNew);
    }

    BatchRecorder newRecorder(final RecordWriter writer, final PipelineGroup group, final SequenceMarks marks,
        final ReceivedKeys keys, final RejectionHandler rejection)
    {
        return new BatchRecorder(context, writer, group.schema(), rejection, marks, keys);
    }

    boolean has(final BatchRecorder recorder)
    {
        return groups.containsValue(recorder);
    }

    /** The recorder of a group; {@code null} if the unit does not have the group. */
    BatchRecorder recorder(final String group)
    {
        return groups.get(group);
    }

    /** Adds a replica of a cache that its pipelines or flows read, before the replay. */
    void add(final String replica, final RecordedReplica of)
    {
        final RecordWriter writer = add(newWriter(replica, of.schema(), column -> true, false),
            new ReplayedGroup(of.schema(), column -> true, of::replay, of::replayClear, null, null));
        replicas.add(of);
        replicaWriters.put(of, writer);
        of.recordTo(writer);
    }

    /** Adds a look-up of its flows, before the replay. */
    void add(final String name, final RecordedLookup lookup)
    {
        final RecordWriter writer = newWriter(name, lookup, false);
        writers.add(writer);
        lookups.add(lookup, writer);
    }

    /** A writer for the answers of a look-up. */
    RecordWriter newWriter(final String name, final RecordedLookup lookup, final boolean isNew)
    {
        return newWriter(name, lookup.schema(), column -> true, isNew);
    }

    /** The look-ups of its flows. */
    UnitLookups lookups()
    {
        return lookups;
    }

    private boolean has(final RecordedReplica replica)
    {
        return replicaWriters.containsKey(replica);
    }

    /** The writer of a replica; {@code null} for a new one. */
    RecordWriter writer(final RecordedReplica replica)
    {
        return replicaWriters.get(replica);
    }

    /** The outputs of its queries. */
    UnitOutputs outputs()
    {
        return outputs;
    }

    /** Prepares the journal for the first record. */
    void begin()
    {
        journal.onFileStart(() ->
        {
            writers.forEach(RecordWriter::describe);
            producers.describe();
        });
    }

    /** Replays the records after the snapshot. Returns the number of batches. */
    long replay()
    {
        outputs.beginReplay();
        begin();
        try (UnitReplay all = new UnitReplay(name, journal.openReader(), replayed, raised, lookups, newest()))
        {
            return all.advance(Long.MAX_VALUE, () -> false, true);
        }
    }

    /**
     * Replays more records of a journal that another unit writes, up to a position.
     *
     * @param stored    position of the newest snapshot that was written
     * @param isStopped asked before each record
     * @return whether the state is newer than that snapshot
     */
    boolean catchUp(final long until, final long stored, final BooleanSupplier isStopped)
    {
        if (replay == null)
        {
            replay = new UnitReplay(name, journal.openReader(), replayed, raised, lookups, newest());
        }
        replay.advance(until, isStopped, false);
        return replay.position() > stored;
    }

    /** Position of the newest snapshot; {@link Journal#NONE} without one. */
    long newest()
    {
        return snapshots.newest();
    }

    /** Whether there are records after the newest snapshot. */
    boolean hasNews()
    {
        return journal.lastPosition() != newest();
    }

    ReplicaMark mark()
    {
        return mark;
    }

    /** Whether a copy of it can only stop at certain positions of its journal: those of its mark. */
    boolean needsMark()
    {
        return !replicas.isEmpty() || !lookups.isEmpty();
    }

    /** Copies the state; called while no row is in the unit. */
    CapturedState capture(final Consumer<SnapshotContent> writer)
    {
        final SnapshotContent content = new SnapshotContent();
        writer.accept(content);
        groups.forEach((group, recorder) -> write(group, recorder, content));
        final Map<String, Long> all = outputs.numbers();
        writeRest(content, all, version);
        if (replay != null)
        {
            return new CapturedState(name, replay.position(), content, all);
        }
        // Snapshots do not contain the replicas: what follows must be enough to fill them.
        replicas.forEach(RecordedReplica::recordAgain);
        return new CapturedState(name, journal.lastPosition(), content, all);
    }

    /** Adds what a group has received to a snapshot. */
    static void write(final String group, final BatchRecorder recorder, final SnapshotContent content)
    {
        content.add(MARKS + group, recorder.marks()::write);
        if (recorder.keys() != null)
        {
            content.add(KEYS + group, recorder.keys()::write);
        }
    }

    static void writeRest(final SnapshotContent content, final Map<String, Long> all, final int version)
    {
        content.add(NUMBERS, to -> UnitOutputs.write(all, to));
        UnitSnapshots.writeVersion(content, version);
    }

    /**
     * Writes a snapshot, and deletes the records before the older one that is kept.
     *
     * @param state of this unit, or of the one that follows its journal
     */
    void store(final CapturedState state)
    {
        snapshots.write(state, journal);
    }

    /** Deletes the newest snapshot, because the change of the rules that it belongs to fails. */
    void discard(final CapturedState state, final long last)
    {
        snapshots.discard(state, last);
    }

    /** Gives up the older snapshot, whose records take space that is needed. */
    void deleteOldRecords()
    {
        snapshots.deleteOldRecords(journal);
    }

    /**
     * Appends that the rules change here.
     *
     * @param next version of the rules
     * @return position of the record, which no snapshot has
     */
    long appendChange(final int next)
    {
        final byte[] record = ByteBuffer.allocate(1 + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN)
            .put(RecordKind.RULES).putInt(next).array();
        return journal.append(record, 0, record.length);
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
        groups.values().stream().filter(each -> !nextGroups.containsValue(each)).forEach(BatchRecorder::close);
        groups.clear();
        groups.putAll(nextGroups);
        read.forEach((replica, writer) ->
        {
            if (has(replica))
            {
                replica.recordAgain();
            }
            else
            {
                replica.recordTo(writer);
            }
        });
        replicas.clear();
        replicas.addAll(read.keySet());
        replicaWriters.clear();
        replicaWriters.putAll(read);
        writers.clear();
        groups.values().forEach(recorder -> writers.add(recorder.writer()));
        writers.addAll(replicaWriters.values());
        lookups.exchange(asked);
        writers.addAll(lookups.writers());
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
        groups.values().forEach(BatchRecorder::close);
        journal.close();
    }
}
