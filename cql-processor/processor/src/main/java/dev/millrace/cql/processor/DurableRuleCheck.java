package dev.millrace.cql.processor;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
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
 * Finds the rules of a durable processor whose journal would not contain all of their input: those that look up tables
 * and collections, or caches that cannot be replicated or stored, and those over channels that are partitioned across
 * members. Single use.
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
        pipeline.roots().forEach(root -> checkRelations(query, root));
        checkChannel(query, pipeline.sourceChannel());
    }

    private void checkRelations(final String query, final Operator operator)
    {
        if (operator instanceof Operator.LookupJoin join)
        {
            checkTypes(query, join.relation().id(),
                join.relation().type().properties().stream().map(EventProperty::type).toList());
        }
        operator.consumers().forEach(consumer -> checkRelations(query, consumer));
    }

    /** Objects of any class cannot be stored. */
    private void checkTypes(final String query, final String cache, final List<CqlType> types)
    {
        if (types.contains(CqlType.OBJECT))
        {
            add(query, "values of a cache that it joins contain objects that cannot be stored, cache=" + cache);
        }
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
        if (pull.kind() != FlowNode.PullKind.CACHE)
        {
            add(query, "it joins a table or a collection");
        }
        else if (!pull.isReplicable())
        {
            add(query, "it asks a cache for each row, because it compares other values than one integer or string, " +
                "cache=" + pull.source());
        }
        else if (findsElsewhere(pull.source()))
        {
            add(query, "it asks a cache for each row, because the loader of the cache finds single keys, cache=" +
                pull.source());
        }
        else
        {
            checkTypes(query, pull.source(), pull.pulled().types());
        }
    }

    private boolean findsElsewhere(final String cache)
    {
        return definition.cacheSources().entrySet().stream()
            .anyMatch(entry -> entry.getKey().equalsIgnoreCase(cache) && entry.getValue().cache().findsElsewhere());
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
