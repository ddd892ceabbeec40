package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.unit.DurableUnit;
import dev.millrace.cql.processor.durable.unit.SpaceWaiter;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.journal.Journal;
import dev.millrace.journal.JournalException;
import dev.millrace.network.spi.DurableStorage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The units of a processor by name, opened when they are first asked for.
 *
 * <p>Threads: used by the thread that starts, pauses or stops the processor, or writes its snapshots.
 */
final class UnitSet implements AutoCloseable
{
    private final DurableStorage storage;
    private final UnitNames names;
    private final SpaceWaiter space;
    private final CurrentRules rules;
    private final Map<String, DurableUnit> units = new LinkedHashMap<>();

    /**
     * @param wiring with a storage
     * @param rules  to which the stored state of a unit that is opened belongs
     */
    UnitSet(final ProcessorWiring wiring, final SpaceWaiter space, final CurrentRules rules)
    {
        storage = wiring.storage();
        names = new UnitNames(wiring);
        this.space = space;
        this.rules = rules;
    }

    /** The unit of a worker or, for a {@code null} worker, of the source thread of a channel. */
    DurableUnit of(final Worker worker, final String channel)
    {
        return open(names.of(worker, channel));
    }

    /**
     * The unit that runs an instance of a pipeline or flow.
     *
     * @param worker index of the worker of the pipeline or flow
     */
    DurableUnit of(final ExecutionUnit unit, final int worker)
    {
        return open(nameOf(unit, worker));
    }

    /** Name of the unit that runs an instance of a pipeline or flow; the unit is not opened. */
    String nameOf(final ExecutionUnit unit, final int worker)
    {
        return names.of(unit.workers().get(worker), unit.channel());
    }

    private DurableUnit open(final String name)
    {
        return units.computeIfAbsent(name, key -> new DurableUnit(storage, key, space, rules.version()));
    }

    /** An open unit; {@code null} if it is not. */
    DurableUnit get(final String name)
    {
        return units.get(name);
    }

    /** All open units, also those that run nothing since a change of the rules. */
    Collection<DurableUnit> all()
    {
        return units.values();
    }

    /** Fails if rows were processed by units that the processor no longer has: their state belongs to other threads. */
    void refuseOthers()
    {
        final List<String> others = new ArrayList<>(storage.units());
        others.removeAll(units.keySet());
        others.removeIf(unit -> isEmpty(unit) || open(unit).isRetired());
        if (!others.isEmpty())
        {
            throw new JournalException(ProcessorErrorCode.OTHER_RULES, "the state belongs to threads that the " +
                "processor does not have: set max-threads and the channels back, or delete the state, threads=" +
                others + " processor's threads=" + units.keySet());
        }
    }

    /** Whether a unit has seen nothing: an earlier start that was refused may have created its journal. */
    private boolean isEmpty(final String unit)
    {
        try (Journal journal = storage.openJournal(unit))
        {
            return journal.lastPosition() == Journal.NONE;
        }
    }

    @Override
    public void close()
    {
        units.values().forEach(DurableUnit::close);
    }
}
