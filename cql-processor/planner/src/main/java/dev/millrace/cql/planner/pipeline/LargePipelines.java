package dev.millrace.cql.planner.pipeline;

import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Splits a pipeline of very many statements into several whose classes have a size that the JVM and the compiler can
 * handle. Statements of the same operators come together, so that parts are often equal except for literals and share a
 * class. Parts stay as large as possible, because the statements of a part share the codes of strings.
 */
final class LargePipelines
{
    /** Up to this number, statements run as one pipeline. */
    static final int MOST_STATEMENTS = 64;
    private static final int STATEMENTS_OF_PART = 16;

    private LargePipelines()
    {
    }

    /**
     * The pipelines to run instead of one.
     *
     * @param plan statements of a channel; each tree of operators counts as one
     * @return the plan itself, or its parts
     */
    static List<PipelinePlan> split(final PipelinePlan plan)
    {
        if (plan.roots().size() <= MOST_STATEMENTS)
        {
            return List.of(plan);
        }
        final Map<String, List<Operator>> alike = new LinkedHashMap<>();
        plan.roots().forEach(root -> alike.computeIfAbsent(operators(root), key -> new ArrayList<>()).add(root));
        final List<PipelinePlan> parts = new ArrayList<>();
        final List<Operator> few = new ArrayList<>();
        for (final List<Operator> kind : alike.values())
        {
            final int whole = kind.size() - kind.size() % STATEMENTS_OF_PART;
            addParts(plan, kind.subList(0, whole), parts);
            few.addAll(kind.subList(whole, kind.size()));
        }
        addParts(plan, few, parts);
        return parts;
    }

    private static void addParts(final PipelinePlan plan, final List<Operator> roots, final List<PipelinePlan> parts)
    {
        for (int from = 0; from < roots.size(); from += STATEMENTS_OF_PART)
        {
            parts.add(part(plan, roots.subList(from, Math.min(roots.size(), from + STATEMENTS_OF_PART))));
        }
    }

    /** The operators of a tree, without their expressions. */
    private static String operators(final Operator operator)
    {
        return operator.getClass().getSimpleName() +
            operator.consumers().stream().map(LargePipelines::operators).toList();
    }

    private static PipelinePlan part(final PipelinePlan plan, final List<Operator> roots)
    {
        final PipelinePlan unnamed = new PipelinePlan(plan.name(), plan.sourceChannel(), plan.sourceType(),
            plan.ordering(), plan.partitionColumn(), List.copyOf(roots));
        return new PipelinePlan(
            unnamed.outputs().stream().map(Operator.Output::queryId).collect(Collectors.joining("_")),
            plan.sourceChannel(), plan.sourceType(), plan.ordering(), plan.partitionColumn(), unnamed.roots());
    }
}
