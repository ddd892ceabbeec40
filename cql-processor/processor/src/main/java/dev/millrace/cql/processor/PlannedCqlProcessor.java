package dev.millrace.cql.processor;

import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.RuleWarnings;
import dev.millrace.cql.processor.binding.RuleCatalog;
import dev.millrace.cql.processor.problem.RuleProblems;
import dev.millrace.cql.processor.unit.PlannedRules;
import dev.millrace.cql.processor.unit.ProcessorPlanner;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.spi.PlannedProcessor;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.QueryOutput;
import dev.millrace.network.spi.RunningProcessor;
import java.util.List;

/** The plan of a CQL processor. Immutable, except that {@link #start} hands the planned forms of its rules over. */
public final class PlannedCqlProcessor implements PlannedProcessor
{
    private PlannedRules rules;
    private final ProcessorPlanner plans;
    private final List<QueryOutput> outputs;

    /** Creates a processor whose rules cannot be changed later. */
    public PlannedCqlProcessor(final ProcessorStage definition, final ProcessorPlan plan)
    {
        this(new PlannedRules(definition, plan), null);
    }

    /**
     * @param plans plans changed rules of the same processor later; {@code null} if they cannot be changed
     */
    public PlannedCqlProcessor(final PlannedRules rules, final ProcessorPlanner plans)
    {
        this.rules = rules;
        this.plans = plans;
        outputs = PlanOutputs.of(rules.definition(), rules.plan());
    }

    PlannedRules rules()
    {
        return rules;
    }

    @Override
    public List<QueryOutput> outputs()
    {
        return outputs;
    }

    @Override
    public List<DeploymentException.Problem> warnings()
    {
        return RuleWarnings.of(RuleCatalog.texts(rules.definition())).stream()
            .map(warning -> RuleProblems.inFile(rules.definition(), warning)).toList();
    }

    @Override
    public RunningProcessor start(final ProcessorWiring wiring) throws DeploymentException
    {
        final PlannedRules started = rules;
        // The network keeps this object, but the forms belong to the rules that run.
        rules = new PlannedRules(started.definition(), started.plan());
        return new ProcessorFactory(started, plans, wiring).start();
    }
}
