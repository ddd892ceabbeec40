package dev.millrace.cql.processor;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.processor.problem.ProcessorErrorCode;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds the rules of a durable processor whose journal would not contain all of their input: those that find objects of
 * any class in caches, tables or collections, and those over channels that are partitioned across members. Single use.
 */
final class DurableRuleCheck
{
    /** Objects of any class cannot be stored. */
    private static final String OBJECTS_OF_CACHE =
        "values of a cache that it joins contain objects that cannot be stored, cache=";

    private final ProcessorStage definition;
    private final Map<String, String> shared;
    private final List<Problem> problems = new ArrayList<>();

    /**
     * @param shared partitioned channels, and the property by which each is partitioned
     */
    DurableRuleCheck(final ProcessorStage definition, final Map<String, String> shared)
    {
        this.definition = definition;
        this.shared = shared;
    }

    /** Refuses such rules if the processor is durable. */
    void check(final ProcessorPlan plan) throws DeploymentException
    {
        if (definition.durable())
        {
            plan.pipelines().forEach(this::check);
            plan.flows().forEach(this::check);
        }
        if (!problems.isEmpty())
        {
            throw new DeploymentException(problems);
        }
    }

    private void check(final PipelinePlan pipeline)
    {
        final String query = pipeline.outputs().get(0).queryId();
        pipeline.roots().forEach(root -> checkRelations(query, root));
        checkChannel(query, pipeline.sourceChannel());
    }

    private void checkRelations(final String query, final Operator operator)
    {
        if (operator instanceof Operator.LookupJoin join && join.relation().type().properties().stream()
            .anyMatch(property -> property.type() == CqlType.OBJECT))
        {
            add(query, OBJECTS_OF_CACHE + join.relation().id());
        }
        operator.consumers().forEach(consumer -> checkRelations(query, consumer));
    }

    private void check(final FlowPlan flow)
    {
        for (final FlowPlan.Output output : flow.outputs())
        {
            for (final FlowNode node : FlowNode.upstream(output.input()))
            {
                if (node instanceof FlowNode.Pull pull)
                {
                    check(output.queryId(), pull);
                }
            }
        }
        for (final FlowNode.Source source : flow.sources())
        {
            checkChannel(flow.outputs().get(0).queryId(), source.name());
        }
    }

    private void check(final String query, final FlowNode.Pull pull)
    {
        // The rows of XMLTABLE follow from the row that they belong to.
        if (pull.kind() != FlowNode.PullKind.XML && pull.pulled().types().contains(CqlType.OBJECT))
        {
            add(query, switch (pull.kind())
            {
                case TABLE -> "a table that it joins has columns with objects that cannot be stored, table=";
                case FUNCTION -> "a collection that it joins contains objects that cannot be stored, table=";
                default -> OBJECTS_OF_CACHE;
            } + pull.source());
        }
    }

    private void checkChannel(final String query, final String channel)
    {
        if (shared.containsKey(channel))
        {
            add(query, "its channel is partitioned across members, channel=" + channel);
        }
    }

    private void add(final String query, final String reason)
    {
        final SourcePosition position = definition.rules().stream().filter(rule -> rule.id().equals(query))
            .map(ProcessorStage.Rule::position).findFirst().orElse(definition.position());
        problems.add(new Problem(ProcessorErrorCode.NOT_DURABLE, position, "the rule cannot run in a durable " +
            "processor, query=" + query + " reason=" + reason, "move the rule to another processor, or remove " +
            "durable from the configuration of this one", ""));
    }
}
