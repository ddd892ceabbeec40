package dev.millrace.cql.planner.pipeline;

import dev.millrace.cql.plan.IndexPredicate;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.expression.Conditions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Splits a fused pipeline of many statements, each of which processes only few rows: an index then passes each row to
 * the statements that it concerns, whereas in one pipeline all statements would test it. Views above such a statement
 * become part of it. Not thread-safe.
 */
final class StatementIndexPlanner
{
    /** Below this number, statements test each row at lower cost than an index. */
    static final int LEAST_STATEMENTS = 32;
    /** A smaller family would test every row for the sake of few. */
    private static final int LEAST_MEMBERS = 16;

    private final PipelinePlan plan;
    private final List<Operator> indexed = new ArrayList<>();

    private StatementIndexPlanner(final PipelinePlan plan)
    {
        this.plan = plan;
    }

    /**
     * The pipelines to run instead of one.
     *
     * @param plan all statements of a channel that may run together
     * @return the plan itself, or the remaining part of it and one pipeline per statement
     */
    static List<PipelinePlan> apart(final PipelinePlan plan)
    {
        return new StatementIndexPlanner(plan).apart();
    }

    private List<PipelinePlan> apart()
    {
        final List<Operator> rest = new ArrayList<>();
        plan.roots().forEach(root -> addLeft(root, UnaryOperator.identity(), rest));
        if (indexed.size() < LEAST_STATEMENTS)
        {
            return List.of(plan);
        }
        final List<PipelinePlan> pipelines = new ArrayList<>();
        if (!rest.isEmpty())
        {
            pipelines.add(pipeline(rest, false));
        }
        indexed.forEach(root -> pipelines.add(pipeline(List.of(root), true)));
        return pipelines;
    }

    /** Finds the statements below an operator, and adds the remaining part of the operator, if any, to others. */
    private void addLeft(final Operator operator, final UnaryOperator<Operator> above, final List<Operator> others)
    {
        if (operator instanceof Operator.Calc view && view.consumers().size() >= LEAST_STATEMENTS &&
            !Conditions.canFail(view.condition()) &&
            view.fields().stream().noneMatch(field -> Conditions.canFail(field.expression())))
        {
            final List<Operator> left = new ArrayList<>();
            view.consumers().forEach(reader -> addLeft(reader, chain -> above.apply(
                new Operator.Calc(view.condition(), view.fields(), List.of(chain))), left));
            if (!left.isEmpty())
            {
                others.add(new Operator.Calc(view.condition(), view.fields(), left));
            }
            return;
        }
        if (operator instanceof Operator.Family family && family.members().size() < LEAST_MEMBERS &&
            family.members().stream().allMatch(member -> IndexPredicate.of(above.apply(member)) != null))
        {
            family.members().forEach(member -> indexed.add(above.apply(member)));
            return;
        }
        final Operator chain = above.apply(operator);
        if (IndexPredicate.of(chain) == null)
        {
            others.add(operator);
        }
        else
        {
            indexed.add(chain);
        }
    }

    private PipelinePlan pipeline(final List<Operator> roots, final boolean isIndexed)
    {
        final PipelinePlan named = new PipelinePlan(plan.name(), plan.sourceChannel(), plan.sourceType(),
            plan.ordering(), plan.partitionColumn(), roots);
        return new PipelinePlan(named.outputs().stream().map(Operator.Output::queryId).collect(Collectors.joining("_")),
            plan.sourceChannel(), plan.sourceType(), plan.ordering(), plan.partitionColumn(), roots, isIndexed);
    }
}
