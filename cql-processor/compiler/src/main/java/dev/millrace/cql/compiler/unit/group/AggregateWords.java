package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;

/** Determines which aggregates are words of a group's record. Stateless. */
final class AggregateWords
{
    /** A value that changes with time: the multiple of a window's step at which the window was evaluated last. */
    static final String TICK = "tick of window";

    private AggregateWords()
    {
    }

    /** Whether all aggregates are words of the group's record only, so that they start again when these are zero. */
    static boolean areWords(final FlowNode.Group group)
    {
        return group.aggregates().stream().allMatch(each -> !each.distinct() && !each.function().equals(TICK) &&
            isOfWords(each, group.input().rows().types()));
    }

    /** Whether the aggregates of parts of a group can be added. */
    static boolean areMerged(final FlowNode.Group group)
    {
        return group.aggregates().stream().allMatch(each -> each.function().equals(TICK) ||
            !isDistinctCount(each) && isOfWords(each, group.input().rows().types()));
    }

    /** Whether an aggregate consists of words of the group's record. */
    static boolean isOfWords(final FlowNode.Aggregate aggregate, final List<CqlType> types)
    {
        if (aggregate.arguments().size() > 1)
        {
            return false;
        }
        if (aggregate.arguments().isEmpty())
        {
            return aggregate.function().equals("count");
        }
        final CqlType type = types.get(aggregate.arguments().get(0));
        return switch (aggregate.function())
        {
            case "count" -> !aggregate.distinct() || RowWords.has(type);
            case "sum", "avg" -> !aggregate.distinct() && isSummed(type);
            case "min", "max" -> isOrdered(type);
            default -> false;
        };
    }

    /** Whether an aggregate is count(distinct). */
    static boolean isDistinctCount(final FlowNode.Aggregate aggregate)
    {
        return aggregate.distinct() && aggregate.function().equals("count");
    }

    private static boolean isSummed(final CqlType type)
    {
        return switch (type)
        {
            case INT, BIGINT, INTERVAL, FLOAT, DOUBLE -> true;
            default -> false;
        };
    }

    private static boolean isOrdered(final CqlType type)
    {
        return isSummed(type) || type == CqlType.TIMESTAMP || type == CqlType.BOOLEAN;
    }
}
