package dev.millrace.cql.processor.durable.unit;

import dev.millrace.cql.processor.durable.output.UnitOutputs;
import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.durable.snapshot.SnapshotContent;
import dev.millrace.cql.processor.durable.snapshot.UnitSnapshots;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A copy of the state of a unit, before its position in the journal is known: states of pipelines and flows, what the
 * groups have received, and the numbers of the last rows of the outputs.
 *
 * @param numbers by producer
 */
record UnitState(SnapshotContent content, Map<String, Long> numbers)
{
    /** Name of the state with the numbers of the last rows of its outputs. */
    private static final String NUMBERS = "numbers of outputs";

    /** The outputs of a unit, with the numbers of its newest snapshot. */
    static UnitOutputs outputs(final UnitSnapshots snapshots)
    {
        return new UnitOutputs(snapshots.states().remove(NUMBERS));
    }

    /**
     * Copies the state; called while no row is in the unit.
     *
     * @param version of the rules
     * @param writer  adds the states of pipelines and flows
     * @param groups  recorders by group
     */
    static UnitState copy(final int version, final Consumer<SnapshotContent> writer,
        final Map<String, BatchRecorder> groups, final UnitOutputs outputs)
    {
        final SnapshotContent content = new SnapshotContent();
        writer.accept(content);
        UnitGroups.write(groups, content);
        // After the states, because writing them may emit rows.
        final Map<String, Long> numbers = outputs.numbers();
        content.add(NUMBERS, to -> UnitOutputs.write(numbers, to));
        UnitSnapshots.writeVersion(content, version);
        return new UnitState(content, numbers);
    }

    /** The state of a unit at a position of its journal. */
    CapturedState at(final String unit, final long position)
    {
        return new CapturedState(unit, position, content, numbers);
    }
}
