package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Determines which engine has which rows when channels are partitioned by a value, and refuses nodes that need rows of
 * different engines together. Used for one rule.
 */
public final class DistributionAnalysis
{
    private final String expression;
    private final Map<FlowNode.Source, Expression> split;
    private final Function<FlowNode, String> owner;
    private final boolean merges;
    private final Map<FlowNode, Distribution> known = new IdentityHashMap<>();
    /** The reason why rows of a node are on no engine. */
    private final Map<FlowNode, CqlRuleException> causes = new IdentityHashMap<>();

    /**
     * @param expression the partition expression as written
     * @param split      the value by which a channel is partitioned; other channels go to all engines
     * @param owner      returns the rule that a node belongs to, for messages
     * @param merges     whether one more engine may combine the output of the others
     */
    public DistributionAnalysis(final String expression, final Map<FlowNode.Source, Expression> split,
        final Function<FlowNode, String> owner, final boolean merges)
    {
        this.merges = merges;
        this.expression = expression;
        this.split = split;
        this.owner = owner;
    }

    /** The distribution of a node's rows. */
    public Distribution of(final FlowNode node)
    {
        Distribution placement = known.get(node);
        if (placement == null)
        {
            placement = find(node);
            known.put(node, placement);
        }
        return placement;
    }

    private Distribution find(final FlowNode node)
    {
        // All inputs are analyzed, so that each refusal below is raised.
        final List<FlowNode> merged = node.inputs().stream().filter(input -> of(input).merged()).toList();
        CqlRuleException cause = merged.isEmpty() ? null : causes.get(merged.get(0));
        try
        {
            if (cause == null)
            {
                return apart(node);
            }
        }
        catch (final CqlRuleException refusal)
        {
            cause = refusal;
        }
        if (!merges || !MergePhaseCheck.isMerged(node, this::of))
        {
            throw merges && !merged.isEmpty() ? notMerged(node) : cause;
        }
        causes.put(node, cause);
        return Distribution.MERGED;
    }

    /** The reason why a node cannot be computed from the output of all engines. */
    private CqlRuleException notMerged(final FlowNode node)
    {
        return node.inputs().stream().anyMatch(input -> of(input).everywhere()) ?
            new CqlRuleException(Message.PARTITION_MERGED, null, owner.apply(node), expression,
                "a result over all partitions is combined with rows that all workers have", "join them before") :
            new CqlRuleException(Message.PARTITION_MERGED, null, owner.apply(node), expression,
                MergePhaseCheck.isOrderless(node) ?
                "a result over all partitions is combined with single rows of a stream" :
                "a window, pattern, cache, table, aggregate or ORDER BY reads a result over all partitions, " +
                "whose rows arrive in any order within an instant", "let another query read the result");
    }

    /** The distribution of a node none of whose inputs is merged. */
    private Distribution apart(final FlowNode node)
    {
        if (node instanceof FlowNode.Source source)
        {
            return split.containsKey(source) ?
                Distribution.by(Set.of(ExpressionSubstitution.normal(split.get(source)))) : Distribution.EVERYWHERE;
        }
        if (node instanceof FlowNode.Join join)
        {
            return join(join, of(join.left()), of(join.right()));
        }
        if (node instanceof FlowNode.SetOperation set)
        {
            return set(set, of(set.left()), of(set.right()));
        }
        final FlowNode input = node.inputs().get(0);
        final Distribution before = of(input);
        if (node instanceof FlowNode.Window window)
        {
            window(window, before);
            return before;
        }
        if (node instanceof FlowNode.Match match)
        {
            need(before, match.pattern().partitionBy(), Message.PARTITION_ILLEGAL, node,
                "add " + expression + " to its PARTITION BY or GROUP BY, or use ORDERED");
            return after(before, PartitionKeyTracer.measures(match.pattern(), false));
        }
        if (node instanceof FlowNode.Calc calc && calc.fields() != null)
        {
            return after(before, calc.fields().stream().map(Field::expression).toList());
        }
        return before.everywhere() ? before : ofRelation(node, before);
    }

    /** Operators over one relation whose rows are on different engines. */
    private Distribution ofRelation(final FlowNode node, final Distribution before)
    {
        if (node instanceof FlowNode.Group group)
        {
            if (group.keys().isEmpty())
            {
                throw refusal(Message.PARTITION_AGGREGATE, node, "");
            }
            need(before, group.keys(), Message.PARTITION_ILLEGAL, node,
                "add " + expression + " to its PARTITION BY or GROUP BY, or use ORDERED");
            final List<Expression> keys = new ArrayList<>();
            group.keys().forEach(key -> keys.add(new Expression.Column(
                key, group.input().rows().types().get(key), true)));
            return after(before, keys);
        }
        if (node instanceof FlowNode.TopN top)
        {
            need(before, top.partitionBy(), Message.PARTITION_TOP, node, Long.toString(top.limit()));
        }
        else if (node instanceof FlowNode.Distinct)
        {
            needAny(before, Message.PARTITION_DISTINCT, node, "");
        }
        else if (node instanceof FlowNode.ToStream stream)
        {
            stream(stream, before);
        }
        return before;
    }

    private static Distribution after(final Distribution before, final List<Expression> fields)
    {
        if (before.everywhere())
        {
            return before;
        }
        final List<Expression> normal = new ArrayList<>();
        fields.forEach(field -> normal.add(field == null ? null : ExpressionSubstitution.normal(field)));
        final Set<Expression> values = new HashSet<>();
        before.values().forEach(value -> values.addAll(ExpressionSubstitution.after(value, normal)));
        return Distribution.by(values);
    }

    private void need(final Distribution placement, final List<Integer> columns, final Message message,
        final FlowNode node, final String detail)
    {
        if (!placement.keepsTogether(columns))
        {
            throw refusal(message, node, detail);
        }
    }

    private void needAny(final Distribution placement, final Message message, final FlowNode node, final String detail)
    {
        if (!placement.everywhere() && placement.values().isEmpty())
        {
            throw refusal(message, node, detail);
        }
    }

    private CqlRuleException refusal(final Message message, final FlowNode node, final String detail)
    {
        return new CqlRuleException(message, null, owner.apply(node), expression, detail);
    }

    private void window(final FlowNode.Window window, final Distribution before)
    {
        if (window.window() instanceof WindowSpec.Partition partition)
        {
            need(before, partition.partitionBy(), Message.PARTITION_WINDOW, window, "PARTITION BY");
        }
        else if (window.window() instanceof WindowSpec.Session session)
        {
            need(before, session.partitionBy(), Message.PARTITION_WINDOW, window, "SESSION GAP ... PARTITION BY");
        }
        else if (window.window() instanceof WindowSpec.Rows rows)
        {
            throw refusal(Message.PARTITION_WINDOW, window, "ROWS " + rows.rows());
        }
        else if (window.window() instanceof WindowSpec.ValueRange)
        {
            throw refusal(Message.PARTITION_WINDOW, window, "RANGE ... ON");
        }
    }

    private void stream(final FlowNode.ToStream stream, final Distribution before)
    {
        final FlowNode input = stream.input();
        if (stream.kind() == FlowNode.StreamKind.RSTREAM)
        {
            if (!isOfInstant(input))
            {
                throw refusal(Message.PARTITION_RSTREAM, stream, "");
            }
        }
        else if (!stream.difference().isEmpty())
        {
            need(before, stream.difference(), Message.PARTITION_STREAM, stream, "DIFFERENCE USING");
        }
        else if (!isOfInstant(input) && !onlyGrows(input))
        {
            needAny(before, Message.PARTITION_STREAM, stream, stream.kind().name());
        }
    }

    /**
     * Whether a relation has rows only at instants at which rows arrive through a window of the instant. Rows that
     * EVALUATE EVERY retains stay until the next multiple of the period.
     */
    static boolean isOfInstant(final FlowNode node)
    {
        if (node instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Now;
        }
        if (node instanceof FlowNode.Join join)
        {
            return isOfInstant(join.left()) ||
                join.kind() == FlowNode.JoinKind.INNER && isOfInstant(join.right());
        }
        return !(node instanceof FlowNode.Source) && !(node instanceof FlowNode.ToStream) &&
            !(node instanceof FlowNode.Match) && !(node instanceof FlowNode.Evaluate) &&
            node.inputs().stream().allMatch(DistributionAnalysis::isOfInstant);
    }

    /** Whether a node depends on relations only. */
    static boolean hasNoStream(final FlowNode node)
    {
        return FlowNode.upstream(node).stream().noneMatch(
            each -> each instanceof FlowNode.Source source && !source.relation());
    }

    /** Whether a relation never deletes rows. */
    private static boolean onlyGrows(final FlowNode node)
    {
        if (node instanceof FlowNode.Window window)
        {
            return window.window() instanceof WindowSpec.Unbounded;
        }
        final boolean isMonotone = node instanceof FlowNode.Calc || node instanceof FlowNode.Distinct ||
            node instanceof FlowNode.Sort || node instanceof FlowNode.Evaluate ||
            node instanceof FlowNode.Join join && join.kind() == FlowNode.JoinKind.INNER ||
            node instanceof FlowNode.SetOperation set && (set.kind() == FlowNode.SetKind.UNION ||
            set.kind() == FlowNode.SetKind.UNION_ALL);
        return isMonotone && node.inputs().stream().allMatch(DistributionAnalysis::onlyGrows);
    }

    private Distribution join(final FlowNode.Join join, final Distribution left, final Distribution right)
    {
        if (left.everywhere() && right.everywhere())
        {
            return Distribution.EVERYWHERE;
        }
        final boolean inner = join.kind() == FlowNode.JoinKind.INNER;
        if (left.everywhere() && !inner)
        {
            throw refusal(Message.PARTITION_OUTER, join, "");
        }
        final int columns = join.left().rows().size();
        if (left.everywhere() || right.everywhere())
        {
            checkCopied(join, left.everywhere() ? join.left() : join.right(),
                left.everywhere() ? join.right() : join.left());
        }
        else if (left.values().stream().noneMatch(value -> right.values().stream().anyMatch(
            other -> meet(join, value, other))))
        {
            throw refusal(Message.PARTITION_JOIN, join, "");
        }
        final Set<Expression> values = new HashSet<>(left.values());
        if (!inner)
        {
            return Distribution.by(values);
        }
        right.values().forEach(value -> values.add(ExpressionSubstitution.shifted(value, columns)));
        return Distribution.by(ExpressionSubstitution.closed(values, PartitionKeyTracer.equalColumns(join)));
    }

    /**
     * A stream that all engines receive must not be stored in a join with another stored stream: its rows would exist n
     * times.
     */
    private void checkCopied(final FlowNode.Join join, final FlowNode copied, final FlowNode divided)
    {
        if (!hasNoStream(copied) && !isOfInstant(copied) && !isOfInstant(divided))
        {
            throw refusal(Message.PARTITION_JOIN, join, "");
        }
    }

    /** Whether rows that a join combines have the same partition value. */
    private static boolean meet(final FlowNode.Join join, final Expression left, final Expression right)
    {
        return ExpressionSubstitution.closed(Set.of(left), PartitionKeyTracer.equalColumns(join)).contains(
            ExpressionSubstitution.shifted(right, join.left().rows().size()));
    }

    private Distribution set(final FlowNode.SetOperation set, final Distribution left, final Distribution right)
    {
        if (left.everywhere() && right.everywhere())
        {
            return Distribution.EVERYWHERE;
        }
        final boolean isUnion =
            set.kind() == FlowNode.SetKind.UNION || set.kind() == FlowNode.SetKind.UNION_ALL;
        final Set<Expression> values = new HashSet<>(left.values());
        if (!right.everywhere())
        {
            values.retainAll(right.values());
        }
        if (left.everywhere() || isUnion && right.everywhere() ||
            set.kind() != FlowNode.SetKind.UNION_ALL && values.isEmpty())
        {
            throw refusal(Message.PARTITION_SET, set, set.kind().name().replace('_', ' '));
        }
        return Distribution.by(values);
    }
}
