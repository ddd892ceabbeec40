package dev.millrace.cql.processor;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.planner.ordering.PartitionStateAnalysis;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.cql.processor.state.PartitionedStateCheck;
import dev.millrace.cql.processor.unit.PlanSplitter;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks rules over channels that are partitioned across members: a partition that moves to another member starts there
 * without state, and its state here must be discarded. Not thread-safe.
 */
final class PartitionedRuleCheck
{
    private final ProcessorStage definition;
    private final Map<String, String> shared;

    PartitionedRuleCheck(final ProcessorStage definition, final Map<String, String> shared)
    {
        this.definition = definition;
        this.shared = shared;
    }

    /**
     * Queries with state over such channels that are planned as pipelines, which keep the state of partitions together.
     */
    Set<String> keepersIn(final ProcessorPlan plan)
    {
        return plan.pipelines().stream().filter(pipeline -> shared.containsKey(pipeline.sourceChannel()))
            .flatMap(pipeline -> pipeline.outputs().stream().map(Operator.Output::queryId)
                .filter(query -> keepsTogether(pipeline, query)))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private boolean keepsTogether(final PipelinePlan pipeline, final String query)
    {
        final List<Operator> roots = PlanSplitter.of(pipeline, Set.of(query)).roots();
        return PlanSplitter.keepState(roots) &&
            !PartitionedStateCheck.isIn(roots, pipeline.sourceType().properties().size(),
            pipeline.sourceType().indexOf(shared.get(pipeline.sourceChannel())));
    }

    /** Refuses rules whose state is not separable by partition. */
    void check(final ProcessorPlan plan) throws DeploymentException
    {
        final List<Problem> problems = new ArrayList<>();
        keepersIn(plan).forEach(query -> problems.add(problem(query, "it runs as a pipeline only")));
        plan.flows().forEach(flow -> new PartitionStateAnalysis(flow, shared).problems()
            .forEach(problem -> problems.add(problem(problem.queryId(), problem.what()))));
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private Problem problem(final String query, final String reason)
    {
        return new Problem(ProcessorErrorCode.STATE_NOT_APART, definition.rules().stream()
            .filter(rule -> rule.id().equals(query)).map(ProcessorStage.Rule::position).findFirst()
            .orElse(definition.position()), "the state of the rule is not separable by partition, so that "
            + "no partition can move to another member, query=" + query + " partition-by=" + shared + " reason=" +
            reason, "group, join and partition by the property of partition-by, with windows of time; or let the rule "
            + "read a channel after another rule, where each member counts the rows that it receives", "");
    }
}
