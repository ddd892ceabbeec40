package dev.millrace.cql.processor;

import dev.millrace.cql.processor.durable.DurableUnits;
import dev.millrace.cql.processor.durable.ReceivedRows;
import dev.millrace.cql.processor.durable.StoredRules;
import dev.millrace.cql.processor.durable.output.OutputGate;
import dev.millrace.cql.processor.durable.snapshot.CapturedState;
import dev.millrace.cql.processor.durable.standby.StandbyWiring;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.PipelineGroups;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.network.definition.DeploymentException;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A second copy of a durable processor, which replays its journals with a delay. Snapshots contain the state of the
 * copy, so that the processor does not pause. It needs as much memory, and the processor time of a replay. Confined to
 * the thread that writes snapshots.
 */
final class Standby implements AutoCloseable
{
    private final DurableUnits durable;
    private final StandbyWiring wiring;
    private final RelationFeeds feeds;
    private final List<ExecutionUnit> units;

    /** Creates a standby. */
    interface Opener
    {
        /**
         * Creates a standby that starts with the newest snapshots.
         *
         * @param rules of the processor
         * @throws DeploymentException if its classes cannot be created
         */
        Standby open(PlannedRules rules) throws DeploymentException;
    }

    private Standby(final DurableUnits durable, final StandbyWiring wiring, final RelationFeeds feeds,
        final List<ExecutionUnit> units)
    {
        this.durable = durable;
        this.wiring = wiring;
        this.feeds = feeds;
        this.units = units;
    }

    /** Creates the units of a processor once more, with the state of the newest snapshots. */
    static Standby start(final PlannedRules rules, final ProcessorPlanner plans, final DurableUnits active,
        final OutputGate outputs) throws DeploymentException
    {
        final StandbyWiring wiring = active.standbyWiring();
        final DurableUnits durable = new DurableUnits(wiring);
        // Never opened: the content of caches is in the journals.
        final RelationFeeds feeds = new RelationFeeds(rules.definition(), wiring, () ->
        {
        });
        final StoredRules stored = durable.rules();
        final List<ExecutionUnit> units = new PartUnits(stored, rules, plans, outputs::discarding)
            .make(wiring, new Workers(wiring, stored.assigned()), feeds, durable);
        durable.open(units, new PipelineGroups().of(units), wiring::reject);
        return new Standby(durable, wiring, feeds, units);
    }

    /**
     * Replays the journals up to positions; returns the state of each unit that is newer than its snapshot.
     *
     * @param stored    positions of the newest snapshots
     * @param isStopped asked before each record; then nothing is returned
     */
    List<CapturedState> catchUp(final Map<String, Long> until, final Map<String, Long> stored,
        final BooleanSupplier isStopped)
    {
        return durable.states().catchUp(until, stored, units, isStopped);
    }

    ReceivedRows received()
    {
        return durable.received();
    }

    long memoryBytes()
    {
        return wiring.memoryBytes();
    }

    @Override
    public void close()
    {
        durable.close();
        units.stream().filter(unit -> !unit.isPipeline()).forEach(unit -> unit.flow().close());
        feeds.close();
    }
}
