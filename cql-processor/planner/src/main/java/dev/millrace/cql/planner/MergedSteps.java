package dev.millrace.cql.planner;

import dev.millrace.cql.plan.flow.FlowNode;

/**
 * Says which operators one engine computes of what the others put out: those whose result follows from the changes of
 * each instant, in whatever order they come. Keeps no state.
 */
final class MergedSteps
{
    private MergedSteps()
    {
    }

    /** Whether a node can be computed of the changes that all engines put out. */
    static boolean isMerged(final FlowNode node, final Placements placements)
    {
        return ExtremeRows.of(node, placements) != null || PartialGroup.of(node, placements) != null ||
            isOrderless(node) && node.inputs().stream().allMatch(input -> placements.of(input).merged() ||
                !placements.of(input).everywhere() && !isStream(input) && isReduced(input));
    }

    /** Whether the result follows from the changes of an instant in any order. */
    static boolean isOrderless(final FlowNode node)
    {
        return node instanceof FlowNode.Calc || node instanceof FlowNode.Join ||
            node instanceof FlowNode.SetOperation || node instanceof FlowNode.Distinct ||
            node instanceof FlowNode.ToStream || node instanceof FlowNode.Evaluate ||
            node instanceof FlowNode.Group group &&
            group.aggregates().stream().allMatch(FlowNode.Aggregate::isOrderless);
    }

    /** Whether the rows of channels have become fewer on the way to a relation: others are not worth two steps. */
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
