package dev.millrace.cql.processor.durable;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalErrorCode;
import dev.millrace.journal.JournalException;
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Snapshot;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.durable.RecordKind;
import dev.millrace.network.spi.DurableStorage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(DurableUnit.class);
    /** Name of the state with the numbers of the last rows of its outputs. */
    private static final String NUMBERS = "numbers of outputs";
    /** Name of the state with the version of the rules; missing in snapshots of the first one. */
    private static final String VERSION = "version of the rules";

    private final String name;
    private final Journal journal;
    private final SnapshotStore snapshots;
    /** Of the rules to which its state belongs. */
    private int version;
    /** Positions of the newest snapshot and of the one before, which is used if the newest one is damaged. */
    private long newest;
    private long before = Journal.NONE;
    /** State in the snapshot, by name of the pipeline or flow. */
    private final Map<String, StateInput> states = new LinkedHashMap<>();
    private final List<RecordWriter> writers = new ArrayList<>();
    private int nextWriter;
    private final List<RecordedReplica> replicas = new ArrayList<>();
    private final Map<RecordedReplica, RecordWriter> replicaWriters = new IdentityHashMap<>();
    private final Map<String, ReplayedGroup> replayed = new LinkedHashMap<>();
    private final Map<String, BatchRecorder> groups = new LinkedHashMap<>();
    private final ProducerNames producers;
    private final List<NumberedOutput> outputs = new ArrayList<>();
    /** Number of the last row of each producer, also of those that have ended, when it was stored. */
    private final Map<String, Long> numbers;
    private final SpaceWaiter space;
    private final ReplicaMark mark;
    private final RaisedNumbers raised;
    private UnitReplay replay;

    /**
     * @param version of the rules to which the stored state belongs
     */
    DurableUnit(final DurableStorage storage, final String name, final SpaceWaiter space, final int version)
    {
        this.name = name;
        this.space = space;
        this.version = version;
        snapshots = storage.snapshots(name);
        final boolean[] isDamaged = {false};
        final List<Long> others = new ArrayList<>();
        final Snapshot snapshot = snapshots.newest(damaged ->
        {
            isDamaged[0] = true;
            LOG.warn("{}; the snapshot before it is used, unit={}", damaged.getMessage(), name);
        }, each ->
        {
            final boolean isUsable = isUsable(each);
            if (!isUsable)
            {
                others.add(each.position());
            }
            return isUsable;
        });
        journal = storage.openJournal(name);
        producers = new ProducerNames(journal);
        mark = new ReplicaMark(replicas, journal);
        raised = new RaisedNumbers(outputs, journal);
        newest = snapshot == null ? Journal.NONE : snapshot.position();
        boolean isOpen = false;
        try
        {
            if (snapshot == null && version > 0 && (isDamaged[0] || journal.lastPosition() != Journal.NONE))
            {
                throw new JournalException(JournalErrorCode.SNAPSHOT, "the state is lost: no snapshot that was " +
                    "written since the last change of the rules is valid, unit=" + name + " version=" + version);
            }
            // They were written for a change of the rules that was not completed.
            others.stream().filter(position -> position > newest).forEach(snapshots::delete);
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                journal.close();
            }
        }
        numbers = numbers();
    }

    private boolean isUsable(final Snapshot snapshot)
    {
        final Map<String, StateInput> content = SnapshotContent.read(snapshot.content());
        final StateInput written = content.remove(VERSION);
        if ((written == null ? 0 : written.readInt()) != version)
        {
            return false;
        }
        states.putAll(content);
        return true;
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
        if (!states.isEmpty())
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "the snapshot contains state of rules that " +
                "the processor does not have, unit=" + name + " rules=" + states.keySet());
        }
    }

    /** Whether a change of the rules has left nothing for it to run: its snapshot contains no state. */
    boolean isRetired()
    {
        return states.isEmpty() && !hasRows();
    }

    /** Whether there are rows after the snapshot. */
    private boolean hasRows()
    {
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
        return states.remove(of);
    }

    /** Adds a group of pipelines that receive rows together, before the replay. */
    BatchRecorder add(final String group, final BatchSchema schema, final IntPredicate columns,
        final EventBatchSink target, final RejectionHandler rejection)
    {
        final SequenceMarks marks = new SequenceMarks();
        final StateInput stored = state(MARKS + group);
        if (stored != null)
        {
            marks.read(stored);
            stored.end();
        }
        final ReplayedGroup replays = new ReplayedGroup(schema, columns, target, () ->
        {
            throw new IllegalArgumentException("not a record of pipelines");
        }, marks);
        final RecordWriter writer = add(newWriter(group, schema, columns, false), replays);
        final BatchRecorder recorder = newRecorder(writer, schema, marks, rejection);
        groups.put(group, recorder);
        return recorder;
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

    BatchRecorder newRecorder(final RecordWriter writer, final BatchSchema schema, final SequenceMarks marks,
        final RejectionHandler rejection)
    {
        return new BatchRecorder(replicas, writer, schema, rejection, marks, producers, space, mark, raised);
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
            new ReplayedGroup(of.schema(), column -> true, of::replay, of::replayClear, null));
        replicas.add(of);
        replicaWriters.put(of, writer);
        of.recordTo(writer);
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

    /**
     * Adds outputs of its queries, before the replay.
     *
     * @param added their names, the same after a restart
     */
    void add(final Map<String, NumberedOutput> added)
    {
        added.forEach((producer, output) ->
        {
            output.restore(producer, numbers.getOrDefault(producer, 0L));
            outputs.add(output);
        });
    }

    boolean has(final NumberedOutput output)
    {
        return outputs.contains(output);
    }

    private Map<String, Long> numbers()
    {
        final Map<String, Long> found = new HashMap<>();
        final StateInput from = state(NUMBERS);
        if (from != null)
        {
            for (int count = from.readCount(); count > 0; count--)
            {
                found.put(from.readString(), from.readLong());
            }
            from.end();
        }
        return found;
    }

    private static void writeNumbers(final Map<String, Long> all, final StateOutput to)
    {
        to.writeCount(all.size());
        all.forEach((producer, number) ->
        {
            to.writeString(producer);
            to.writeLong(number);
        });
    }

    /** Whether the stages below have stored the rows of a state, or do not store numbers; thread-safe. */
    boolean isOutputStored(final CapturedState state)
    {
        return outputs.stream().allMatch(output -> output.isStored(state.numbers().get(output.producer())));
    }

    /** Whether the stages below have stored all rows, or do not store numbers. */
    boolean isOutputStored()
    {
        return outputs.stream().allMatch(output -> output.isStored(output.number()));
    }

    /** Passes on all rows from now on. */
    void openOutputs()
    {
        outputs.forEach(NumberedOutput::open);
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
        outputs.forEach(NumberedOutput::beginReplay);
        begin();
        try (UnitReplay all = new UnitReplay(name, journal.openReader(), replayed, raised, newest))
        {
            return all.advance(Long.MAX_VALUE, () -> false);
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
            replay = new UnitReplay(name, journal.openReader(), replayed, raised, newest);
        }
        replay.advance(until, isStopped);
        return replay.position() > stored;
    }

    /** Position of the newest snapshot; {@link Journal#NONE} without one. */
    long newest()
    {
        return newest;
    }

    /** Whether there are records after the newest snapshot. */
    boolean hasNews()
    {
        return journal.lastPosition() != newest;
    }

    ReplicaMark mark()
    {
        return mark;
    }

    boolean hasReplicas()
    {
        return !replicas.isEmpty();
    }

    /** Copies the state; called while no row is in the unit. */
    CapturedState capture(final Consumer<SnapshotContent> writer)
    {
        final SnapshotContent content = new SnapshotContent();
        writer.accept(content);
        groups.forEach((group, recorder) -> content.add(MARKS + group, recorder.marks()::write));
        final Map<String, Long> all = allNumbers();
        writeRest(content, all, version);
        if (replay != null)
        {
            return new CapturedState(name, replay.position(), content, all);
        }
        // Snapshots do not contain the replicas: what follows must be enough to fill them.
        replicas.forEach(RecordedReplica::recordAgain);
        return new CapturedState(name, journal.lastPosition(), content, all);
    }

    static void writeRest(final SnapshotContent content, final Map<String, Long> all, final int version)
    {
        content.add(NUMBERS, to -> writeNumbers(all, to));
        content.add(VERSION, to -> to.writeInt(version));
    }

    /**
     * Writes a snapshot, and deletes the records before the older one that is kept.
     *
     * @param state of this unit, or of the one that follows its journal
     */
    void store(final CapturedState state)
    {
        journal.sync();
        snapshots.write(state.position(), state.content().parts());
        before = newest;
        newest = state.position();
        journal.deleteBefore(before);
    }

    /** Deletes the newest snapshot, because the change of the rules that it belongs to fails. */
    void discard(final CapturedState state, final long last)
    {
        snapshots.delete(state.position());
        newest = last;
        before = Journal.NONE;
    }

    /** Gives up the older snapshot, whose records take space that is needed. */
    void deleteOldRecords()
    {
        before = newest;
        journal.deleteBefore(before);
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

    /** The numbers of the last rows of all outputs so far, by producer. */
    Map<String, Long> allNumbers()
    {
        final Map<String, Long> all = new HashMap<>(numbers);
        outputs.forEach(output -> all.put(output.producer(), output.number()));
        return all;
    }

    /**
     * Replaces what it runs.
     *
     * @param next       version of the rules
     * @param nextGroups recorders by group
     * @param read       all replicas, with their writers
     * @param named      outputs by name
     */
    void exchange(final int next, final Map<String, BatchRecorder> nextGroups,
        final Map<RecordedReplica, RecordWriter> read, final Map<String, NumberedOutput> named)
    {
        numbers.putAll(allNumbers());
        version = next;
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
        exchange(named);
    }

    private void exchange(final Map<String, NumberedOutput> named)
    {
        final List<NumberedOutput> known = List.copyOf(outputs);
        outputs.clear();
        raised.writeAgain();
        named.forEach((producer, output) ->
        {
            if (!producer.equals(output.producer()))
            {
                output.restore(producer, numbers.getOrDefault(producer, 0L));
            }
            if (!known.contains(output))
            {
                output.open();
            }
            outputs.add(output);
        });
    }

    @Override
    public void close()
    {
        if (replay != null)
        {
            replay.close();
        }
        journal.close();
    }
}
