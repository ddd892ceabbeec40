package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.durable.snapshot.SnapshotContent;
import dev.millrace.cql.processor.durable.unit.DurableUnit;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.runtime.state.StateOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Copies the states of the units and stores them as snapshots.
 *
 * <p>Threads: used by the thread that writes snapshots, or starts, pauses or stops the processor. Failure:
 * {@link dev.millrace.journal.JournalException} if a snapshot cannot be written.
 */
public final class UnitStates
{
    private final UnitSet units;
    private final NamedParts parts;

    UnitStates(final UnitSet units, final NamedParts parts)
    {
        this.units = units;
        this.parts = parts;
    }

    /**
     * Checks that all state can be written.
     *
     * @param all all units of the processor
     * @throws dev.millrace.cql.runtime.state.StateException with the name of state that cannot
     */
    public void check(final List<ExecutionUnit> all)
    {
        for (final ExecutionUnit unit : all)
        {
            for (int i = 0; i < unit.workers().size(); i++)
            {
                unit.write(i, new StateOutput(SnapshotContent.MOST_BYTES));
            }
        }
    }

    /**
     * Copies the state of the units that have received rows since the last snapshot; called while no row is in the
     * processor.
     *
     * @param all all units of the processor
     */
    public List<CapturedState> capture(final List<ExecutionUnit> all)
    {
        return units.all().stream().filter(DurableUnit::hasNews).map(unit -> capture(unit, all)).toList();
    }

    private CapturedState capture(final DurableUnit unit, final List<ExecutionUnit> all)
    {
        return unit.capture(content -> parts.write(all, unit.name(), content));
    }

    /**
     * Replays what the active units have recorded, and copies the state of each unit that is newer than its snapshot.
     *
     * @param until     position in each journal
     * @param stored    position of the newest snapshot of each unit
     * @param all       all units of the standby
     * @param isStopped asked before each record
     * @return nothing if it was stopped
     */
    public List<CapturedState> catchUp(
        final Map<String, Long> until, final Map<String, Long> stored, final List<ExecutionUnit> all,
        final BooleanSupplier isStopped)
    {
        final List<CapturedState> captured = new ArrayList<>();
        for (final DurableUnit unit : units.all())
        {
            if (unit.catchUp(until.get(unit.name()), stored.get(unit.name()), isStopped))
            {
                captured.add(capture(unit, all));
            }
        }
        return isStopped.getAsBoolean() ? List.of() : captured;
    }

    /** Whether the stages below have stored all output, or do not store numbers. */
    boolean isOutputStored()
    {
        return units.all().stream().allMatch(unit -> unit.outputs().isStored());
    }

    /** Whether the stages below have stored the output of states, or do not store numbers; thread-safe. */
    public boolean isOutputStored(final List<CapturedState> states)
    {
        return states.stream().allMatch(state -> units.get(state.unit()).outputs().isStored(state.numbers()));
    }

    /**
     * Writes snapshots.
     *
     * @param states of these units, or of those that follow them
     */
    public void store(final List<CapturedState> states)
    {
        states.forEach(state -> units.get(state.unit()).store(state));
    }

    /** Deletes the records before the newest snapshots: there is no space, and none is newer. */
    public void deleteOldRecords()
    {
        units.all().forEach(DurableUnit::deleteOldRecords);
    }
}
