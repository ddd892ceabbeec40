package dev.millrace.cql.processor.durable.unit;

import dev.millrace.cql.processor.durable.output.NumberedOutput;
import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.durable.snapshot.SnapshotContent;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The pipelines and flows of a unit after a change of the rules: collected and stored first, then installed, or
 * forgotten without an effect. Used by the thread that changes the rules, while no row is in the processor.
 */
public final class UnitChange
{
    private final DurableUnit unit;
    private final int version;
    private final Map<String, BatchRecorder> groups = new LinkedHashMap<>();
    private final Map<RecordedReplica, RecordWriter> replicas = new LinkedHashMap<>();
    private final Map<RecordedLookup, RecordWriter> lookups = new LinkedHashMap<>();
    private final Map<String, NumberedOutput> outputs = new LinkedHashMap<>();
    /** Its newest snapshot before the change. */
    private final long last;
    private CapturedState stored;

    /**
     * @param version of the rules after the change
     */
    public UnitChange(final DurableUnit unit, final int version)
    {
        this.unit = unit;
        this.version = version;
        last = unit.newest();
        unit.records().begin();
    }

    /**
     * Adds a group, which may be one that the unit has.
     *
     * @param channel recorders of the same channel: a new group begins where those of this unit are
     * @param opener  creates the keys of a new group; {@code null} unless its channel has a primary key
     */
    public BatchRecorder add(final PipelineGroup group, final Collection<BatchRecorder> channel,
        final Supplier<ReceivedKeys> opener, final RejectionHandler rejection)
    {
        BatchRecorder recorder = unit.groups().recorder(group.name());
        if (recorder == null)
        {
            final List<BatchRecorder> before = channel.stream().filter(unit.groups()::has).toList();
            final SequenceMarks marks = new SequenceMarks();
            before.forEach(each -> marks.raise(each.marks()));
            final ReceivedKeys keys = opener.get();
            before.stream().filter(each -> keys != null && each.keys() != null)
                .forEach(each -> keys.addAll(each.keys()));
            recorder = unit.groups().newRecorder(group, marks, keys, rejection, true);
        }
        groups.put(group.name(), recorder);
        return recorder;
    }

    /** Adds a replica that its pipelines or flows read, which may be one that the unit has. */
    public void add(final String name, final RecordedReplica replica)
    {
        final RecordWriter known = unit.replicas().writer(replica);
        replicas.put(replica, known == null ? unit.replicas().newWriter(name, replica, true) : known);
    }

    /** Adds a look-up of its flows, which may be one that the unit has. */
    public void add(final String name, final RecordedLookup lookup)
    {
        final RecordWriter known = unit.lookups().writer(lookup);
        lookups.put(lookup, known == null ? unit.newWriter(name, lookup, true) : known);
    }

    /** Adds outputs by their names: new ones continue with the number of an earlier output of the name. */
    public void add(final Map<String, NumberedOutput> named)
    {
        named.forEach((producer, output) ->
        {
            if (!unit.outputs().has(output))
            {
                output.restore(producer, unit.outputs().numbers().getOrDefault(producer, 0L));
                output.beginReplay();
            }
            outputs.put(producer, output);
        });
    }

    /**
     * Appends to the journal that the rules change here, and copies the state after the change.
     *
     * @param writer adds the states of pipelines and flows
     */
    public CapturedState capture(final Consumer<SnapshotContent> writer)
    {
        final long position = unit.records().appendChange(version);
        return UnitState.copy(version, writer, groups, unit.outputs()).at(unit.name(), position);
    }

    /** Writes a snapshot, which a start uses only when the rules are stored, too. */
    public void store(final CapturedState state)
    {
        stored = state;
        unit.store(state);
    }

    /** Installs what was collected. */
    public void install()
    {
        unit.exchange(version, groups, replicas, lookups, outputs);
    }

    /** Writes the snapshot once more, at a later position: a damaged one costs no state. */
    public void storeAgain()
    {
        final long position = unit.records().appendChange(version);
        unit.store(new CapturedState(unit.name(), position, stored.content(), stored.numbers()));
    }

    /** Deletes what was written. */
    public void undo()
    {
        if (stored != null)
        {
            unit.discard(stored, last);
        }
        groups.values().stream().filter(each -> !unit.groups().has(each)).forEach(BatchRecorder::close);
    }
}
