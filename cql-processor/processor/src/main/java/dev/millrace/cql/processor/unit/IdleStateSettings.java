package dev.millrace.cql.processor.unit;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.network.definition.ProcessorStage;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Determines how long the state of queries keeps idle keys: the time of the query, otherwise that of its processor. Not
 * thread-safe.
 */
public final class IdleStateSettings
{
    private final ProcessorStage definition;

    public IdleStateSettings(final ProcessorStage definition)
    {
        this.definition = definition;
    }

    /** The nanoseconds for queries that run as one, which use the maximum of their times; 0 if keys are kept. */
    public long ns(final Collection<String> queries)
    {
        long longestNs = 0;
        for (final String query : queries)
        {
            final long ns = ns(query);
            if (ns == 0)
            {
                return 0;
            }
            longestNs = Math.max(longestNs, ns);
        }
        return longestNs;
    }

    private long ns(final String query)
    {
        return definition.rules().stream().filter(rule -> rule.id().equals(query))
            .map(this::duration).findFirst().orElse(definition.idleStateTime()).toNanos();
    }

    /** How long the state of a rule keeps idle keys; zero if forever. */
    private Duration duration(final ProcessorStage.Rule rule)
    {
        return rule.idleStateTime() == null ? definition.idleStateTime() : rule.idleStateTime();
    }

    /** Queries that are planned as pipelines and have unbounded keys that they must discard: only flows can. */
    public Set<String> forgettersIn(final ProcessorPlan plan)
    {
        final Set<String> forgetting = definition.rules().stream().filter(rule -> !duration(rule).isZero())
            .map(ProcessorStage.Rule::id).collect(Collectors.toSet());
        return plan.pipelines().stream().filter(pipeline -> !forgetting.isEmpty())
            .flatMap(pipeline -> pipeline.outputs().stream().map(Operator.Output::queryId)
                .filter(query -> forgetting.contains(query) && keepsKeys(pipeline, query)))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static boolean keepsKeys(final PipelinePlan pipeline, final String query)
    {
        return keepsKeys(PlanSplitter.of(pipeline, Set.of(query)).roots());
    }

    private static boolean keepsKeys(final List<Operator> operators)
    {
        return operators.stream().anyMatch(operator ->
            operator instanceof Operator.GroupedAggregate || operator instanceof Operator.FixedPattern ||
            operator instanceof final Operator.SequencePattern sequence && sequence.within().ns() == 0 ||
            keepsKeys(operator.consumers()));
    }
}
