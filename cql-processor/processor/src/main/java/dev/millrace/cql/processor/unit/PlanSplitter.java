package dev.millrace.cql.processor.unit;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.FlowRoute;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Splits fused pipelines, and flows that run several queries. */
public final class PlanSplitter
{
    private PlanSplitter()
    {
    }

    /**
     * The part of a pipeline that some of its queries need.
     *
     * @param queries ids of some of its queries
     * @return the same pipeline without all other outputs and the operators that only they use; {@code null} if nothing
     *     remains
     */
    public static PipelinePlan of(final PipelinePlan plan, final Collection<String> queries)
    {
        final List<Operator> roots = parts(plan.roots(), queries);
        return roots.isEmpty() ? null : new PipelinePlan(
            plan.outputs().stream().map(Operator.Output::queryId).filter(queries::contains)
                .collect(Collectors.joining("_")),
            plan.sourceChannel(), plan.sourceType(), plan.ordering(), plan.partitionColumn(), roots, plan.indexed());
    }

    /**
     * The part of a flow that some of its queries need; all of them have the same sources.
     *
     * @param queries ids of some of its queries
     * @return a flow without all other outputs, its sources in order of discovery; {@code null} if none remains
     */
    public static FlowPlan of(final FlowPlan plan, final Collection<String> queries)
    {
        final List<FlowPlan.Output> outputs =
            plan.outputs().stream().filter(output -> queries.contains(output.queryId())).toList();
        if (outputs.isEmpty() || outputs.size() == plan.outputs().size())
        {
            return outputs.isEmpty() ? null : plan;
        }
        final List<FlowNode.Source> sources = new ArrayList<>();
        final List<FlowRoute> routes = new ArrayList<>();
        for (final FlowNode node : FlowNode.upstream(outputs.get(0).input()))
        {
            if (node instanceof FlowNode.Source source)
            {
                sources.add(source);
                routes.add(plan.routes().get(plan.sources().indexOf(source)));
            }
        }
        return new FlowPlan(outputs.stream().map(FlowPlan.Output::queryId).collect(Collectors.joining("_")), sources,
            outputs, plan.ordering(), routes);
    }

    private static List<Operator> parts(final List<Operator> operators, final Collection<String> queries)
    {
        final List<Operator> kept = new ArrayList<>();
        for (final Operator operator : operators)
        {
            final Operator part = part(operator, queries);
            if (part != null)
            {
                kept.add(part);
            }
        }
        return kept;
    }

    private static Operator part(final Operator operator, final Collection<String> queries)
    {
        if (operator instanceof Operator.Output output)
        {
            return queries.contains(output.queryId()) ? output : null;
        }
        if (operator instanceof Operator.Family family)
        {
            return family(family, queries);
        }
        final List<Operator> consumers = parts(operator.consumers(), queries);
        if (consumers.isEmpty())
        {
            return null;
        }
        if (operator instanceof Operator.Calc calc)
        {
            return new Operator.Calc(calc.condition(), calc.fields(), consumers);
        }
        if (operator instanceof Operator.LookupJoin join)
        {
            return new Operator.LookupJoin(
                join.relation(), join.key(), join.condition(), join.fields(), consumers);
        }
        if (operator instanceof Operator.FixedPattern pattern)
        {
            return new Operator.FixedPattern(
                pattern.partitionBy(), pattern.conditions(), pattern.allMatches(), pattern.measures(), consumers);
        }
        if (operator instanceof Operator.KeyedOutputs keyed)
        {
            final List<Expression.Literal> values = IntStream.range(0, keyed.values().size())
                .filter(i -> queries.contains(((Operator.Output)keyed.consumers().get(i)).queryId()))
                .mapToObj(keyed.values()::get).toList();
            return new Operator.KeyedOutputs(keyed.key(), values, keyed.shape(), keyed.fields(), consumers);
        }
        if (operator instanceof Operator.SequencePattern pattern)
        {
            return new Operator.SequencePattern(pattern.partitionBy(), pattern.start(), pattern.value(),
                pattern.comparison(), pattern.bound(), pattern.between(), pattern.within(), pattern.condition(),
                pattern.fields(), consumers);
        }
        if (operator instanceof Operator.WindowAggregate window)
        {
            return new Operator.WindowAggregate(window.window(), window.keys(), window.aggregates(), window.having(),
                window.fields(), consumers);
        }
        if (operator instanceof Operator.WindowIStream rows)
        {
            return new Operator.WindowIStream(rows.window(), rows.fields(), consumers);
        }
        final Operator.GroupedAggregate group = (Operator.GroupedAggregate)operator;
        return new Operator.GroupedAggregate(
            group.keys(), group.aggregates(), group.having(), group.fields(), consumers);
    }

    /** The remaining part of a family: with one statement it is that statement. */
    private static Operator family(final Operator.Family family, final Collection<String> queries)
    {
        final List<Operator> members = parts(family.members(), queries);
        return members.isEmpty() ? null : members.size() == 1 ? members.get(0) :
            new Operator.Family(part(family.fused(), queries), members);
    }

    /**
     * The queries that run as one and emit rows of the same type.
     *
     * @param operators operator trees
     * @return ids, one list per family
     */
    static List<List<String>> families(final List<Operator> operators)
    {
        final List<List<String>> found = new ArrayList<>();
        for (final Operator operator : operators)
        {
            if (operator instanceof Operator.KeyedOutputs keyed)
            {
                found.add(keyed.consumers().stream().map(output -> ((Operator.Output)output).queryId()).toList());
            }
            found.addAll(families(operator.consumers()));
        }
        return found;
    }

    /**
     * Whether one of the operators keeps rows as state.
     *
     * @param operators operator trees
     * @return true if stopping them loses state
     */
    public static boolean keepState(final List<Operator> operators)
    {
        return operators.stream().anyMatch(operator -> operator instanceof Operator.FixedPattern ||
            operator instanceof Operator.SequencePattern || operator instanceof Operator.WindowIStream ||
            operator instanceof Operator.GroupedAggregate || operator instanceof Operator.WindowAggregate ||
            operator instanceof Operator.KeyedOutputs keyed && keyed.shape() != null ||
            keepState(operator.consumers()));
    }
}
