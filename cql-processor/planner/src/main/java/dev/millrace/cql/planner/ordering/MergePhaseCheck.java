package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.plan.flow.FlowNode;
import java.util.function.Function;

/**
 * Determines which operators one engine can compute from the output of the others: those whose result depends on the
 * set of changes of each instant, not on their order. Stateless.
 */
public final class MergePhaseCheck
{
    private MergePhaseCheck()
    {
    }

    /** Whether a node can be computed from the changes that all engines emit. */
    public static boolean isMerged(final FlowNode node, final Function<FlowNode, Distribution> placements)
    {
        return ExtremeRowRewrite.of(node, placements) != null || PartialAggregation.of(node, placements) != null ||
            isOrderless(node) && node.inputs().stream().allMatch(input -> placements.apply(input).merged() ||
                !placements.apply(input).everywhere() && !isStream(input) && isReduced(input));
    }

    /** Whether the result is independent of the order of changes of an instant. */
    public static boolean isOrderless(final FlowNode node)
    {
        return node instanceof FlowNode.Calc || node instanceof FlowNode.Join ||
            node instanceof FlowNode.SetOperation || node instanceof FlowNode.Distinct ||
            node instanceof FlowNode.ToStream || node instanceof FlowNode.Evaluate ||
            node instanceof FlowNode.Group group &&
            group.aggregates().stream().allMatch(FlowNode.Aggregate::isOrderless);
    }

    /**
     * Whether the number of rows is reduced between the channels and a relation: otherwise two steps are not
     * worthwhile.
     */
    private static boolean isReduced(final FlowNode relation)
    {
        return FlowNode.upstream(relation).stream().anyMatch(node -> node instanceof FlowNode.Group ||
            node instanceof FlowNode.Distinct || node instanceof FlowNode.TopN || node instanceof FlowNode.Match);
    }

    private static boolean isStream(final FlowNode node)
    {
        return node instanceof FlowNode.Source source ? !source.relation() :
            node instanceof FlowNode.ToStream || node instanceof FlowNode.Match || node instanceof FlowNode.Timed ||
            (node instanceof FlowNode.Calc || node instanceof FlowNode.Sort ||
            node instanceof FlowNode.SetOperation) && isStream(node.inputs().get(0));
    }
}
