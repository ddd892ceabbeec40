package dev.millrace.cql.processor;

import dev.millrace.cql.processor.durable.DurableUnits;
import dev.millrace.cql.processor.durable.RuleSet;
import dev.millrace.cql.processor.durable.StoredRules;
import dev.millrace.cql.processor.durable.output.OutputGate;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.OutputOpener;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.cql.processor.unit.StoredState;
import dev.millrace.cql.processor.worker.WorkerRoutingTable;
import dev.millrace.cql.processor.worker.Workers;
import dev.millrace.cql.runtime.state.StateException;
import dev.millrace.journal.JournalException;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts a processor from a plan: compiles each pipeline once, creates an instance per worker, fills the replicas of
 * relations and starts the workers. Single use, by the deploying thread.
 */
final class ProcessorFactory
{
    private final PlannedRules rules;
    private final ProcessorStage definition;
    private final ProcessorPlanner plans;
    private final ProcessorWiring wiring;

    ProcessorFactory(final PlannedRules rules, final ProcessorPlanner plans, final ProcessorWiring wiring)
    {
        this.rules = rules;
        definition = rules.definition();
        this.plans = plans;
        this.wiring = wiring;
    }

    RunningCqlProcessor start() throws DeploymentException
    {
        checkWorkers();
        try
        {
            return wiring.storage() == null ? start(null, rules, wiring::openOutputs) : startDurable();
        }
        catch (final JournalException | StateException refused)
        {
            throw RestoreProblems.of(definition, refused);
        }
    }

    private RunningCqlProcessor startDurable() throws DeploymentException
    {
        final DurableUnits durable = new DurableUnits(wiring);
        final OutputGate gate = new OutputGate();
        boolean isStarted = false;
        try
        {
            final StoredRules stored = durable.rules();
            final boolean isSame = stored == null || stored.current().equals(RuleSet.of(definition));
            final PlannedRules first = isSame ? rules : earlier(stored);
            final Map<String, QueryOutput> earlier = new HashMap<>();
            PlanOutputs.of(first.definition(), first.plan())
                .forEach(output -> earlier.put(output.queryId(), output));
            final OutputOpener opener = isSame ? wiring::openOutputs :
                queries -> wiring.openEarlierOutputs(queries.stream().map(earlier::get).toList());
            final RunningCqlProcessor running = start(new Durability(durable, gate,
                current -> Standby.start(current, plans, durable, gate), isSame ? null : definition), first,
                queries -> gate.outputs(queries, opener::open));
            isStarted = true;
            return running;
        }
        finally
        {
            if (!isStarted)
            {
                durable.close();
            }
        }
    }

    /** The rules of the stored state, which differ from those of the processor. */
    private PlannedRules earlier(final StoredRules stored) throws DeploymentException
    {
        try
        {
            return plans.plan(stored.current().in(definition), null);
        }
        catch (final DeploymentException impossible)
        {
            throw RestoreProblems.ofEarlierRules(definition, impossible);
        }
    }

    private RunningCqlProcessor start(final Durability durable, final PlannedRules first, final OutputOpener opener)
        throws DeploymentException
    {
        final StoredRules stored = durable == null ? null : durable.units().rules();
        final Workers workers =
            new Workers(wiring, durable == null ? null : stored == null ? Map.of() : stored.assigned());
        final RelationFeeds feeds = new RelationFeeds(definition, wiring, workers::wake);
        final List<ExecutionUnit> units = new PartUnits(stored, first, plans, opener)
            .make(wiring, workers, feeds, durable == null ? StoredState.NONE : durable.units());
        feeds.open();
        units.forEach(ExecutionUnit::joinWorkers);
        final RunningCqlProcessor running =
            new RunningCqlProcessor(first, plans, wiring, workers, feeds, units, durable);
        if (durable != null)
        {
            durable.units().states().check(units);
            running.openJournals();
        }
        workers.start();
        return running;
    }

    private void checkWorkers() throws DeploymentException
    {
        if (wiring.workers() > WorkerRoutingTable.MAX_WORKERS)
        {
            throw new DeploymentException(ProcessorErrorCode.TOO_MANY_WORKERS, definition.position(),
                "too many workers, processor=" + definition.id() + " workers=" + wiring.workers() + " limit=" +
                WorkerRoutingTable.MAX_WORKERS, "lower max-threads of the channel in front, or the server's default");
        }
    }
}
