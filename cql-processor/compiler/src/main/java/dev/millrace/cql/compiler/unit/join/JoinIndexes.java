package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.JoinBoxes;
import dev.millrace.cql.plan.flow.JoinOrder;

/** Chooses the indexes of joins without keys. Stateless. */
final class JoinIndexes
{
    private JoinIndexes()
    {
    }

    /**
     * The index of a side.
     *
     * @param side prefix of its names
     * @return {@code null} when all its rows are possible partners
     */
    static JoinIndex of(final UnitSource unit, final String side, final FlowNode.Join join, final boolean isLeft)
    {
        final JoinRange range = JoinRange.of(unit, side, join, isLeft);
        return range == null ? JoinSearch.of(unit, side, join, isLeft) : range;
    }

    /** Whether the rows of a join are found by an index. */
    static boolean isFound(final FlowNode.Join join)
    {
        return JoinOrder.of(join, true) != null || JoinBoxes.of(join, true) != null ||
            JoinBoxes.of(join, false) != null;
    }
}
