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
import dev.millrace.journal.JournalReader;
import dev.millrace.journal.Snapshot;
import dev.millrace.journal.SnapshotStore;
import dev.millrace.network.spi.DurableStorage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    /** Limit for the state of a unit: that of an array. */
    static final int MOST_BYTES = Integer.MAX_VALUE - 16;

    /** Name of the state with the numbers of the last rows of its outputs. */
    private static final String NUMBERS = "numbers of outputs";
    /** Name of the state with the marks of a group, before the group. */
    private static final String MARKS = "marks of ";

    private final String name;
    private final Journal journal;
    private final SnapshotStore snapshots;
    private final Snapshot snapshot;
    /** Positions of the newest snapshot and of the one before, which is used if the newest one is damaged. */
    private long newest;
    private long before = Journal.NONE;
    /** State in the snapshot, by name of the pipeline or flow. */
    private final Map<String, byte[]> states = new LinkedHashMap<>();
    private final List<RecordWriter> writers = new ArrayList<>();
    private final List<RecordedReplica> replicas = new ArrayList<>();
    private final Map<String, ReplayedGroup> groups = new LinkedHashMap<>();
    private final Map<String, SequenceMarks> marksOfGroups = new LinkedHashMap<>();
    private final ProducerNames producers;
    private final List<NumberedOutput> outputs = new ArrayList<>();
    private final Map<String, Long> numbers;

    DurableUnit(final DurableStorage storage, final String name)
    {
        this.name = name;
        snapshots = storage.snapshots(name);
        snapshot = snapshots.newest(damaged -> LOG.warn("{}; the snapshot before it is used, unit={}",
            damaged.getMessage(), name));
        journal = storage.openJournal(name);
        producers = new ProducerNames(journal);
        if (snapshot != null)
        {
            read(new StateInput(snapshot.content()));
        }
        numbers = numbers();
        newest = snapshot == null ? Journal.NONE : snapshot.position();
    }

    private void read(final StateInput from)
    {
        for (String state = from.readString(); state != null; state = from.readString())
        {
            final byte[] bytes = new byte[from.readSize(1)];
            from.readBytes(bytes, 0, bytes.length);
            states.put(state, bytes);
        }
        from.end();
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
        final byte[] bytes = states.remove(of);
        return bytes == null ? null : new StateInput(bytes);
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
        }, marks)), schema, rejection, marks, producers);
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

    /** Whether the stages below have stored all rows that it has emitted, or do not store numbers. */
    boolean isOutputStored()
    {
        return outputs.stream().allMatch(NumberedOutput::isStored);
    }

    /** Passes on all rows from now on. */
    void openOutputs()
    {
        outputs.forEach(NumberedOutput::open);
    }

    /** Replays the records after the snapshot. Returns their number. */
    long replay()
    {
        outputs.forEach(NumberedOutput::beginReplay);
        journal.onFileStart(() ->
        {
            writers.forEach(RecordWriter::describe);
            producers.describe();
        });
        try (JournalReader reader = journal.openReader())
        {
            return new UnitReplay(name, reader, groups).run(snapshot == null ? Journal.NONE : snapshot.position());
        }
    }

    /**
     * Writes a snapshot, unless nothing was appended since the last one, and deletes the records before the older one
     * that is kept; called while no row is in the unit.
     *
     * @param writer writes names and states
     */
    void snapshot(final Consumer<StateOutput> writer)
    {
        if (journal.lastPosition() == newest)
        {
            return;
        }
        final StateOutput to = new StateOutput(MOST_BYTES);
        writer.accept(to);
        marksOfGroups.forEach((group, marks) -> write(MARKS + group, marks::write, to));
        write(NUMBERS, this::writeNumbers, to);
        to.writeString(null);
        final long position = journal.sync();
        snapshots.write(position, to.toBytes());
        before = newest;
        newest = position;
        journal.deleteBefore(before);
        // Snapshots do not contain the replicas: what follows must be enough to fill them.
        replicas.forEach(RecordedReplica::recordAgain);
    }

    /** Writes a named state. */
    static void write(final String name, final Consumer<StateOutput> writer, final StateOutput to)
    {
        final StateOutput state = new StateOutput(MOST_BYTES);
        writer.accept(state);
        final byte[] bytes = state.toBytes();
        to.writeString(name);
        to.writeCount(bytes.length);
        to.writeBytes(bytes, 0, bytes.length);
    }

    @Override
    public void close()
    {
        journal.close();
    }
}
