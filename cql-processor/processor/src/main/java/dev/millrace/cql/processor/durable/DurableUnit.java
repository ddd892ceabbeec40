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
import dev.millrace.journal.JournalException;
import dev.millrace.journal.Snapshot;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.spi.DurableStorage;
import java.util.ArrayList;
import java.util.HashMap;
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
 * recorders.
 */
final class DurableUnit implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DurableUnit.class);
    /** Name of the state with the numbers of the last rows of its outputs. */
    private static final String NUMBERS = "numbers of outputs";
    /** Name of the state with the marks of a group, before the group. */
    private static final String MARKS = "marks of ";

    private final String name;
    private final Journal journal;
    private final SnapshotStore snapshots;
    /** Positions of the newest snapshot and of the one before, which is used if the newest one is damaged. */
    private long newest;
    private long before = Journal.NONE;
    /** State in the snapshot, by name of the pipeline or flow. */
    private final Map<String, StateInput> states;
    private final List<RecordWriter> writers = new ArrayList<>();
    private final List<RecordedReplica> replicas = new ArrayList<>();
    private final Map<String, ReplayedGroup> groups = new LinkedHashMap<>();
    private final Map<String, SequenceMarks> marksOfGroups = new LinkedHashMap<>();
    private final ProducerNames producers;
    private final List<NumberedOutput> outputs = new ArrayList<>();
    private final Map<String, Long> numbers;
    private final SpaceWaiter space;
    private final ReplicaMark mark;
    private final RaisedNumbers raised;
    private UnitReplay replay;

    DurableUnit(final DurableStorage storage, final String name, final SpaceWaiter space)
    {
        this.name = name;
        this.space = space;
        snapshots = storage.snapshots(name);
        final Snapshot snapshot = snapshots.newest(damaged -> LOG.warn("{}; the snapshot before it is used, unit={}",
            damaged.getMessage(), name));
        journal = storage.openJournal(name);
        producers = new ProducerNames(journal);
        mark = new ReplicaMark(replicas, journal);
        raised = new RaisedNumbers(outputs, journal);
        states = snapshot == null ? new LinkedHashMap<>() : SnapshotContent.read(snapshot.content());
        numbers = numbers();
        newest = snapshot == null ? Journal.NONE : snapshot.position();
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

    /** The state of a pipeline or flow in the snapshot; {@code null} if it has none. */
    StateInput state(final String of)
    {
        return states.remove(of);
    }

    /** Adds a group of pipelines that receive rows together. */
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
        marksOfGroups.put(group, marks);
        return new BatchRecorder(replicas, add(group, schema, columns, new ReplayedGroup(schema, columns, target, () ->
        {
            throw new IllegalArgumentException("not a record of pipelines");
        }, marks)), schema, rejection, marks, producers, space, mark, raised);
    }

    private RecordWriter add(
        final String group, final BatchSchema schema, final IntPredicate columns, final ReplayedGroup replayed)
    {
        final RecordWriter writer = new RecordWriter(journal, writers.size(), group, schema, columns);
        writers.add(writer);
        groups.put(writer.description(), replayed);
        return writer;
    }

    /** Adds a replica of a cache that its pipelines or flows read. */
    void add(final String replica, final RecordedReplica of)
    {
        replicas.add(of);
        of.recordTo(add(replica, of.schema(), column -> true,
            new ReplayedGroup(of.schema(), column -> true, of::replay, of::replayClear, null)));
    }

    /**
     * Adds outputs of its queries.
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

    private void writeNumbers(final StateOutput to)
    {
        to.writeCount(outputs.size());
        for (final NumberedOutput output : outputs)
        {
            to.writeString(output.producer());
            to.writeLong(output.number());
        }
    }

    /** Whether the stages below have stored the rows of a state, or do not store numbers; thread-safe. */
    boolean isOutputStored(final CapturedState state)
    {
        return outputs.stream().allMatch(output -> output.isStored(state.numbers().get(output.producer())));
    }

    /** Passes on all rows from now on. */
    void openOutputs()
    {
        outputs.forEach(NumberedOutput::open);
    }

    /** Replays the records after the snapshot. Returns the number of batches. */
    long replay()
    {
        outputs.forEach(NumberedOutput::beginReplay);
        journal.onFileStart(() ->
        {
            writers.forEach(RecordWriter::describe);
            producers.describe();
        });
        try (UnitReplay all = new UnitReplay(name, journal.openReader(), groups, raised, newest))
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
            replay = new UnitReplay(name, journal.openReader(), groups, raised, newest);
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
        marksOfGroups.forEach((group, marks) -> content.add(MARKS + group, marks::write));
        content.add(NUMBERS, this::writeNumbers);
        final Map<String, Long> written = new HashMap<>();
        outputs.forEach(output -> written.put(output.producer(), output.number()));
        if (replay != null)
        {
            return new CapturedState(name, replay.position(), content, written);
        }
        // Snapshots do not contain the replicas: what follows must be enough to fill them.
        replicas.forEach(RecordedReplica::recordAgain);
        return new CapturedState(name, journal.lastPosition(), content, written);
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

    /** Gives up the older snapshot, whose records take space that is needed. */
    void deleteOldRecords()
    {
        before = newest;
        journal.deleteBefore(before);
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
