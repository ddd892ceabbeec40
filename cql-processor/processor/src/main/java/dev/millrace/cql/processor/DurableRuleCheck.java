package dev.millrace.cql.processor;

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
 * Finds the rules of a durable processor whose input is not only rows of channels, so that the journal does not contain
 * all of it: those that read caches, tables and collections, those over relation channels, whose primary keys are
 * stored in the channel, and those over channels that are partitioned across members. Single use.
 */
final class DurableRuleCheck
{
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
        if (pipeline.roots().stream().anyMatch(DurableRuleCheck::readsRelation))
        {
            add(query, "it joins a cache");
        }
        checkChannel(query, pipeline.sourceChannel());
    }

    private static boolean readsRelation(final Operator operator)
    {
        return operator instanceof Operator.LookupJoin ||
            operator.consumers().stream().anyMatch(DurableRuleCheck::readsRelation);
    }

    private void check(final FlowPlan flow)
    {
        for (final FlowPlan.Output output : flow.outputs())
        {
            if (looksUp(output.input()))
            {
                add(output.queryId(), "it joins a cache, a table or a collection");
            }
        }
        for (final FlowNode.Source source : flow.sources())
        {
            final String query = flow.outputs().get(0).queryId();
            checkChannel(query, source.name());
            if (source.relation())
            {
                add(query, "its channel is a relation, whose keys do not survive the process, channel=" +
                    source.name());
            }
        }
    }

    private static boolean looksUp(final FlowNode node)
    {
        return node instanceof FlowNode.Pull || node.inputs().stream().anyMatch(DurableRuleCheck::looksUp);
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
