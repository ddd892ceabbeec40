package dev.millrace.cql.processor;

import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.ProcessorWiring;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a processor from a plan: compiles each pipeline once, creates an instance per worker, fills the replicas of
 * relations and starts the workers. Single use, by the deploying thread.
 */
final class ProcessorStart
{
    private final PlannedRules rules;
    private final ProcessorStage definition;
    private final RulePlans plans;
    private final ProcessorWiring wiring;

    ProcessorStart(final PlannedRules rules, final RulePlans plans, final ProcessorWiring wiring)
    {
        this.rules = rules;
        definition = rules.definition();
        this.plans = plans;
        this.wiring = wiring;
    }

    RunningCqlProcessor start() throws DeploymentException
    {
        checkWorkers();
        final Workers workers = new Workers(wiring);
        final Feeds feeds = new Feeds(definition, wiring, workers::wake);
        final UnitMaker maker = new UnitMaker(definition, wiring, wiring::openOutputs, workers, feeds,
            plans);
        final List<Unit> units = new ArrayList<>();
        for (final PipelinePlan pipeline : rules.plan().pipelines())
        {
            units.add(maker.make(maker.compile(pipeline)));
        }
        for (final FlowPlan flow : rules.plan().flows())
        {
            units.add(maker.make(maker.compile(flow)));
        }
        feeds.open();
        units.forEach(Unit::joinWorkers);
        workers.start();
        return new RunningCqlProcessor(rules, plans, wiring, workers, feeds, units);
    }

    private void checkWorkers() throws DeploymentException
    {
        if (wiring.workers() > RouteTable.MAX_WORKERS)
        {
            throw new DeploymentException(ProcessorErrors.TOO_MANY_WORKERS, definition.position(),
                "too many workers, processor=" + definition.id() + " workers=" + wiring.workers() + " limit=" +
                RouteTable.MAX_WORKERS, "lower max-threads of the channel in front, or the server's default");
        }
    }
}
