package dev.millrace.cql.processor;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator.OutputKind;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.UniqueColumns;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        outputs = outputs(rules.definition(), rules.plan());
    }

    @Override
    public List<QueryOutput> outputs()
    {
        return outputs;
    }

    /** The outputs of a plan, in order of the rules. */
    static List<QueryOutput> outputs(final ProcessorStage definition, final ProcessorPlan plan)
    {
        final Map<String, Integer> order = new HashMap<>();
        definition.rules().forEach(rule -> order.putIfAbsent(rule.id(), order.size()));
        final Stream<QueryOutput> ofPipelines = plan.pipelines().stream()
            .flatMap(PlannedCqlProcessor::outputs);
        final Stream<QueryOutput> ofFlows = plan.flows().stream()
            .flatMap(flow -> flow.outputs().stream())
            .map(output -> new QueryOutput(output.queryId(), output.type(), !output.stream(), output.stream() ? null :
                UniqueColumns.of(output.input()).map(columns -> names(output.type(), columns)).orElse(null)));
        return Stream.concat(ofPipelines, ofFlows)
            .sorted(Comparator.comparingInt((QueryOutput output) -> order.getOrDefault(output.queryId(), order.size())))
            .toList();
    }

    private static Stream<QueryOutput> outputs(final PipelinePlan pipeline)
    {
        final Map<String, Set<Integer>> unique = UniqueColumns.of(pipeline);
        return pipeline.outputs().stream().map(output -> new QueryOutput(output.queryId(), output.type(),
            output.kind() != OutputKind.STREAM, unique.containsKey(output.queryId()) ?
            names(output.type(), unique.get(output.queryId())) : null));
    }

    private static Set<String> names(final EventType type, final Set<Integer> columns)
    {
        return columns.stream().map(column -> type.properties().get(column).name()).collect(Collectors.toSet());
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
