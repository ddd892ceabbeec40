package dev.millrace.cql.processor;

import dev.millrace.cql.processor.durable.DurableUnits;
import dev.millrace.cql.processor.durable.OutputGate;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.relation.RelationFeeds;
import dev.millrace.cql.processor.unit.ExecutionUnit;
import dev.millrace.cql.processor.unit.ExecutionUnitFactory;
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
import java.util.List;

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
        if (wiring.storage() == null)
        {
            return start(null, wiring::openOutputs, null);
        }
        final DurableUnits durable = new DurableUnits(wiring);
        final OutputGate gate = new OutputGate();
        boolean isStarted = false;
        try
        {
            final RunningCqlProcessor running =
                start(durable, queries -> gate.outputs(queries, wiring::openOutputs),
                    () -> Standby.start(rules, plans, durable, gate));
            isStarted = true;
            return running;
        }
        catch (final JournalException | StateException refused)
        {
            throw RestoreProblems.of(definition, refused);
        }
        finally
        {
            if (!isStarted)
            {
                durable.close();
            }
        }
    }

    private RunningCqlProcessor start(final DurableUnits durable, final OutputOpener opener,
        final Standby.Opener standby) throws DeploymentException
    {
        final Workers workers = new Workers(wiring);
        final RelationFeeds feeds = new RelationFeeds(definition, wiring, workers::wake);
        final ExecutionUnitFactory maker = new ExecutionUnitFactory(definition, wiring, opener, workers, feeds, plans,
            durable == null ? StoredState.NONE : durable);
        final List<ExecutionUnit> units = maker.makeAll(rules);
        feeds.open();
        units.forEach(ExecutionUnit::joinWorkers);
        final RunningCqlProcessor running =
            new RunningCqlProcessor(rules, plans, wiring, workers, feeds, units, durable, standby);
        if (durable != null)
        {
            durable.checkStates(units);
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
