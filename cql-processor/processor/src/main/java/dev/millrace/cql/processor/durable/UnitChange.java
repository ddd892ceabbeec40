package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.output.NumberedOutput;
import dev.millrace.cql.processor.relation.RecordedLookup;
import dev.millrace.cql.processor.relation.RecordedReplica;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.SequenceMarks;
import dev.millrace.cql.runtime.RejectionHandler;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The pipelines and flows of a unit after a change of the rules: collected and stored first, then installed, or
 * forgotten without an effect. Used by the thread that changes the rules, while no row is in the processor.
 */
final class UnitChange
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
    UnitChange(final DurableUnit unit, final int version)
    {
        this.unit = unit;
        this.version = version;
        last = unit.newest();
        unit.begin();
    }

    /**
     * Adds a group, which may be one that the unit has.
     *
     * @param before recorders of the same channel in this unit: a new group begins where they are
     * @param opener creates the keys of a new group; {@code null} unless its channel has a primary key
     */
    BatchRecorder add(final PipelineGroup group, final Collection<BatchRecorder> before,
        final Supplier<ReceivedKeys> opener, final RejectionHandler rejection)
    {
        BatchRecorder recorder = unit.recorder(group.name());
        if (recorder == null)
        {
            final SequenceMarks marks = new SequenceMarks();
            before.forEach(each -> marks.raise(each.marks()));
            final ReceivedKeys keys = opener.get();
            before.stream().filter(each -> keys != null && each.keys() != null)
                .forEach(each -> keys.addAll(each.keys()));
            recorder = unit.newRecorder(unit.newWriter(group, true), group, marks, keys, rejection);
        }
        groups.put(group.name(), recorder);
        return recorder;
    }

    /** Adds a replica that its pipelines or flows read, which may be one that the unit has. */
    void add(final String name, final RecordedReplica replica)
    {
        final RecordWriter known = unit.writer(replica);
        replicas.put(replica, known == null ? unit.newWriter(name, replica.schema(), column -> true, true) : known);
    }

    /** Adds a look-up of its flows, which may be one that the unit has. */
    void add(final String name, final RecordedLookup lookup)
    {
        final RecordWriter known = unit.lookups().writer(lookup);
        lookups.put(lookup, known == null ? unit.newWriter(name, lookup, true) : known);
    }

    /** Adds outputs by their names: new ones continue with the number of an earlier output of the name. */
    void add(final Map<String, NumberedOutput> named)
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

    /** Copies the state after the change. */
    CapturedState capture(final long position, final Consumer<SnapshotContent> writer)
    {
        final SnapshotContent content = new SnapshotContent();
        writer.accept(content);
        groups.forEach((group, recorder) -> DurableUnit.write(group, recorder, content));
        // After the state, because writing it may emit rows.
        final Map<String, Long> numbers = unit.outputs().numbers();
        DurableUnit.writeRest(content, numbers, version);
        return new CapturedState(unit.name(), position, content, numbers);
    }

    /** Writes a snapshot, which a start uses only when the rules are stored, too. */
    void store(final CapturedState state)
    {
        stored = state;
        unit.store(state);
    }

    /** Installs what was collected. */
    void install()
    {
        unit.exchange(version, groups, replicas, lookups, outputs);
    }

    /** Writes the snapshot once more, at a later position: a damaged one costs no state. */
    void storeAgain()
    {
        unit.store(new CapturedState(unit.name(), unit.appendChange(version), stored.content(), stored.numbers()));
    }

    /** Deletes what was written. */
    void undo()
    {
        if (stored != null)
        {
            unit.discard(stored, last);
        }
        groups.values().stream().filter(each -> !unit.has(each)).forEach(BatchRecorder::close);
    }
}
