package dev.millrace.cql.processor.durable;

import dev.millrace.cql.processor.durable.standby.StandbyStorage;
import dev.millrace.cql.processor.durable.standby.StandbyWiring;
import dev.millrace.cql.processor.durable.unit.DurableUnit;
import dev.millrace.cql.processor.durable.unit.SpaceWaiter;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.StoredState;
import dev.millrace.cql.processor.worker.PipelineGroup;
import dev.millrace.cql.processor.worker.Worker;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.journal.Journal;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of a durable processor from its start to its end: read, opened, replayed and closed.
 *
 * <p>Threads: used by the thread that starts, pauses or stops the processor; other threads may ask whether it is
 * restored or waits for space.
 */
public final class DurableUnits implements StoredState, AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(DurableUnits.class);

    private final ProcessorWiring wiring;
    private final SpaceWaiter space;
    private final CurrentRules rules;
    private final UnitSet units;
    private final NamedParts parts;
    private final ReceivedRows received;
    private final UnitStates states;
    private final UnitPositions positions;
    private volatile boolean isRestored;

    /**
     * @param wiring with a storage
     */
    public DurableUnits(final ProcessorWiring wiring)
    {
        this.wiring = wiring;
        rules = new CurrentRules(wiring);
        space = new SpaceWaiter(wiring.storage().settings().waitsForSpace(), wiring.conditions());
        units = new UnitSet(wiring, space, rules);
        parts = new NamedParts(wiring.storage().id(), units);
        received = new ReceivedRows(wiring, units);
        states = new UnitStates(units, parts);
        positions = new UnitPositions(units);
    }

    UnitSet units()
    {
        return units;
    }

    NamedParts parts()
    {
        return parts;
    }

    /** The rows that the groups have received. */
    public ReceivedRows received()
    {
        return received;
    }

    /** The states of the units and their snapshots. */
    public UnitStates states()
    {
        return states;
    }

    /** Positions in the journals. */
    public UnitPositions positions()
    {
        return positions;
    }

    /** The rules to which the stored state belongs; {@code null} if they are not stored. */
    public StoredRules rules()
    {
        return rules.get();
    }

    CurrentRules currentRules()
    {
        return rules;
    }

    /** Environment of a copy of the units that follows the journals. */
    public StandbyWiring standbyWiring()
    {
        final Map<String, Journal> journals = new LinkedHashMap<>();
        units.all().forEach(unit -> journals.put(unit.name(), unit.journal()));
        return new StandbyWiring(wiring, new StandbyStorage(wiring.storage(), journals));
    }

    @Override
    public StateInput of(final Worker worker, final String channel, final String name)
    {
        return units.of(worker, channel).state(name);
    }

    /**
     * Appends all that the groups receive to the journals of their units, once what they received before is replayed.
     *
     * @param all       all units of the processor
     * @param groups    all groups, by channel
     * @param rejection counts rows that cannot be appended
     */
    public void open(final List<ExecutionUnit> all, final Map<String, List<PipelineGroup>> groups,
        final RejectionHandler rejection)
    {
        all.forEach(unit -> parts.forEachReplica(unit, DurableUnit::add));
        all.forEach(unit -> parts.forEachLookup(unit, DurableUnit::add));
        received.open(groups, rejection);
        all.forEach(unit -> parts.forEachOutput(unit, unit.live(), (owner, named) -> owner.outputs().add(named)));
        units.refuseOthers();
        units.all().forEach(DurableUnit::refuseOtherState);
    }

    /**
     * Processes what the journals contain after the snapshots; the stages below have started, and receive what they
     * have not stored.
     *
     * @param groups all groups, by channel
     */
    public void replay(final Map<String, List<PipelineGroup>> groups)
    {
        for (final DurableUnit unit : units.all())
        {
            final long startNs = wiring.clock().epochNs();
            final long batches = unit.replay();
            LOG.info("state restored, unit={}/{} batches={} ms={}", wiring.qualifiedName(), unit.name(), batches,
                TimeUnit.NANOSECONDS.toMillis(wiring.clock().epochNs() - startNs));
        }
        groups.values().forEach(fed -> fed.forEach(PipelineGroup::endReplay));
        units.all().forEach(unit -> unit.outputs().open());
        isRestored = true;
    }

    /** Whether the journals are replayed, so that a snapshot contains all of them. */
    public boolean isRestored()
    {
        return isRestored;
    }

    /**
     * Stores the rules to which the state belongs, unless they are stored. If that fails, it is logged: the next start
     * tries again, but only with the same rules.
     *
     * @param first the rules, which have not been changed
     */
    public void storeFirst(final StoredRules first)
    {
        rules.storeFirst(first);
    }

    /** Whether a thread waits for space. */
    public boolean isWaitingForSpace()
    {
        return space.isWaiting();
    }

    /** Threads that wait for space, from now on, reject their rows: the processor stops. */
    public void stopWaiting()
    {
        space.stop();
    }

    @Override
    public void close()
    {
        units.close();
    }
}
