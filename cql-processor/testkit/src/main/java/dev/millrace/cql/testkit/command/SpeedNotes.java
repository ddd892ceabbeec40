package dev.millrace.cql.testkit.command;

import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.JoinOrder;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Says what makes a query slow or large, and what would make it faster.
 *
 * <p>Threads: safe for all.
 */
final class SpeedNotes
{
    private final Set<String> notes = new LinkedHashSet<>();

    private SpeedNotes()
    {
    }

    /**
     * Notes about a query.
     *
     * @param output query
     * @return lines, empty when nothing is known to be slow
     */
    static List<String> of(final FlowPlan.Output output)
    {
        final SpeedNotes of = new SpeedNotes();
        FlowNode.upstream(output.input()).forEach(of::node);
        if (!output.stream())
        {
            of.notes.add("cost: the query gives a relation, so each change comes out as an old and a new row; " +
                "IStream(...) gives new rows only");
        }
        return List.copyOf(of.notes);
    }

    private void node(final FlowNode node)
    {
        if (node instanceof FlowNode.Join join && JoinOrder.of(join, true) != null)
        {
            notes.add("cost: the join has no equality, so that rows of both sides are kept in order; " +
                "a row costs more the more rows are between its bounds");
        }
        else if (node instanceof FlowNode.Join join && join.leftKeys().isEmpty())
        {
            notes.add("slow: the join has no equality, so that a row is compared with all rows of the other side; " +
                "add a condition a.x = b.y, or shorten the windows");
        }
        else if (node instanceof FlowNode.Group group && !group.keys().isEmpty() && isUnbounded(group.input()))
        {
            notes.add("memory: groups are kept without end; a window, or <idle-state-time>, lets unused ones go");
        }
        else if (node instanceof FlowNode.Window window && window.window() instanceof WindowSpec.Partition partition &&
            partition.rangeNs() == 0)
        {
            notes.add("memory: partitions are kept without end; RANGE, or <idle-state-time>, lets unused ones go");
        }
        else if (node instanceof FlowNode.Distinct && isUnbounded(node))
        {
            notes.add("memory: each different row is kept without end; a window lets old ones go");
        }
        else if (node instanceof FlowNode.Pull)
        {
            notes.add("cost: each row asks a source outside of the query; a condition before the join asks less often");
        }
    }

    /** Whether rows never leave what a node reads. */
    private static boolean isUnbounded(final FlowNode node)
    {
        return FlowNode.upstream(node).stream().noneMatch(each -> each instanceof FlowNode.Window window &&
            !(window.window() instanceof WindowSpec.Unbounded) ||
            each instanceof FlowNode.Source source && source.relation());
    }
}
