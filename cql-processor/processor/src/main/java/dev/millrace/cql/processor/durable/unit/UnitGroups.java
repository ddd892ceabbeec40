package dev.millrace.cql.processor.durable.unit;

import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cql.processor.durable.snapshot.SnapshotContent;
import dev.millrace.cql.processor.durable.snapshot.UnitSnapshots;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The groups of pipelines of a unit: the recorder of each, with the numbers and keys of the rows that it has received,
 * which are part of snapshots.
 *
 * <p>Threads: as {@link DurableUnit}.
 */
final class UnitGroups implements AutoCloseable
{
    /** Name of the state with the marks of a group, before the group. */
    private static final String MARKS = "marks of ";
    /** Name of the state with the keys that a group has received from a relation, before the group. */
    private static final String KEYS = "keys of ";

    private final UnitJournal journal;
    private final UnitSnapshots snapshots;
    private final UnitContext context;
    private final Map<String, BatchRecorder> recorders = new LinkedHashMap<>();

    UnitGroups(final UnitJournal journal, final UnitSnapshots snapshots, final UnitContext context)
    {
        this.journal = journal;
        this.snapshots = snapshots;
        this.context = context;
    }

    /**
     * Adds a group before the replay.
     *
     * @param target receives the rows of the replay
     * @param keys   that it will receive; {@code null} unless the channel has a primary key
     * @param replay receives what replays the records of the group, by their description
     */
    BatchRecorder add(final PipelineGroup group, final EventBatchSink target, final ReceivedKeys keys,
        final RejectionHandler rejection, final Map<String, ReplayedGroup> replay)
    {
        final SequenceMarks marks = new SequenceMarks();
        read(MARKS + group.name(), marks::read);
        if (keys != null)
        {
            read(KEYS + group.name(), keys::read);
        }
        final BatchRecorder recorder = newRecorder(group, marks, keys, rejection, false);
        journal.add(recorder.writer());
        replay.put(recorder.writer().description(), new ReplayedGroup(group.schema(), group.columns(), target, () ->
        {
            throw new IllegalArgumentException("not a record of pipelines");
        }, marks, keys));
        recorders.put(group.name(), recorder);
        return recorder;
    }

    private void read(final String name, final Consumer<StateInput> reader)
    {
        final StateInput stored = snapshots.states().remove(name);
        if (stored != null)
        {
            reader.accept(stored);
            stored.end();
        }
    }

    /**
     * A recorder of a group, which the unit does not have yet.
     *
     * @param marks numbers of the rows that the group has received
     * @param keys  of these rows; {@code null} unless the channel has a primary key
     * @param isNew whether the current file of the journal lacks the description of the group
     */
    BatchRecorder newRecorder(final PipelineGroup group, final SequenceMarks marks, final ReceivedKeys keys,
        final RejectionHandler rejection, final boolean isNew)
    {
        return new BatchRecorder(context, journal.newWriter(group, isNew), group.schema(), rejection, marks, keys);
    }

    boolean has(final BatchRecorder recorder)
    {
        return recorders.containsValue(recorder);
    }

    /** The recorder of a group; {@code null} if the unit does not have the group. */
    BatchRecorder recorder(final String group)
    {
        return recorders.get(group);
    }

    /** The recorders by group; the map changes with the rules. */
    Map<String, BatchRecorder> recorders()
    {
        return recorders;
    }

    List<RecordWriter> writers()
    {
        return recorders.values().stream().map(BatchRecorder::writer).toList();
    }

    /** Adds what groups have received to a snapshot. */
    static void write(final Map<String, BatchRecorder> all, final SnapshotContent content)
    {
        all.forEach((group, recorder) ->
        {
            content.add(MARKS + group, recorder.marks()::write);
            if (recorder.keys() != null)
            {
                content.add(KEYS + group, recorder.keys()::write);
            }
        });
    }

    /** Replaces the groups; those that have ended release their memory. */
    void exchange(final Map<String, BatchRecorder> next)
    {
        recorders.values().stream().filter(each -> !next.containsValue(each)).forEach(BatchRecorder::close);
        recorders.clear();
        recorders.putAll(next);
    }

    @Override
    public void close()
    {
        recorders.values().forEach(BatchRecorder::close);
    }
}
