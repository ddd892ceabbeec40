package dev.millrace.cql.testkit.command;

import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.JoinBoxes;
import dev.millrace.cql.plan.flow.JoinOrder;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds what makes a query slow or large, and what would make it faster.
 *
 * <p>Thread-safe.
 */
final class PerformanceHints
{
    private final Set<String> notes = new LinkedHashSet<>();

    private PerformanceHints()
    {
    }

    /**
     * Notes about a query.
     *
     * @return lines, empty when no reason is known
     */
    static List<String> of(final FlowPlan.Output output)
    {
        final PerformanceHints of = new PerformanceHints();
        FlowNode.upstream(output.input()).forEach(of::node);
        if (!output.stream())
        {
            of.notes.add("cost: the query is a relation, so each change is emitted as an old and a new row; " +
                "IStream(...) emits new rows only");
        }
        return List.copyOf(of.notes);
    }

    private void node(final FlowNode node)
    {
        if (node instanceof FlowNode.Join join && JoinOrder.of(join, true) != null)
        {
            notes.add("cost: the join has no equality, so that rows of both sides are stored in order; " +
                "the cost of a row grows with the number of rows between its bounds");
        }
        else if (node instanceof FlowNode.Join join && (JoinBoxes.of(join, true) != null ||
            JoinBoxes.of(join, false) != null))
        {
            notes.add("cost: the join has no equality, so that rows are found by the rectangles of a predicate; " +
                "the cost of a row grows with the number of rectangles that it meets");
        }
        else if (node instanceof FlowNode.Join join && join.leftKeys().isEmpty())
        {
            notes.add("slow: the join has no equality, so that a row is compared with all rows of the other side; " +
                "add a condition a.x = b.y, or shorten the windows");
        }
        else if (node instanceof FlowNode.Group group && !group.keys().isEmpty() && isUnbounded(group.input()))
        {
            notes.add("memory: groups are stored forever; a window, or <idle-state-time>, discards unused ones");
        }
        else if (node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.Partition partition &&
            partition.rangeNs() == 0)
        {
            notes.add("memory: partitions are stored forever; RANGE, or <idle-state-time>, discards unused ones");
        }
        else if (node instanceof FlowNode.Distinct && isUnbounded(node))
        {
            notes.add("memory: each distinct row is stored forever; a window discards old ones");
        }
        else if (node instanceof FlowNode.Pull)
        {
            notes.add("cost: each row asks a source outside of the query; a condition before the join " +
                "reduces the requests");
        }
    }

    /** Whether rows never leave the input of a node. */
    private static boolean isUnbounded(final FlowNode node)
    {
        return FlowNode.upstream(node).stream().noneMatch(each -> each instanceof FlowNode.Window window &&
            !(window.window() instanceof WindowSpec.Unbounded) ||
            each instanceof FlowNode.Source source && source.relation());
    }
}
