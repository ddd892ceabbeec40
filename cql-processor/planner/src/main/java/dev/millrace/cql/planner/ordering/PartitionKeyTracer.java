package dev.millrace.cql.planner.ordering;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Finds the partition value of each channel that a partition expression depends on. Single use, not thread-safe. */
final class PartitionKeyTracer
{
    private final String expression;
    private final Map<FlowNode.Source, Expression> values = new IdentityHashMap<>();

    PartitionKeyTracer(final String expression)
    {
        this.expression = expression;
    }

    Map<FlowNode.Source, Expression> values()
    {
        return values;
    }

    /** Traces a value over the columns of a node back to channels. */
    void follow(final FlowNode node, final Expression value)
    {
        if (node instanceof FlowNode.Source source)
        {
            reach(source, value);
        }
        else if (node instanceof FlowNode.Calc calc && calc.fields() != null)
        {
            followField(calc.input(), value, calc.fields().stream().map(Field::expression).toList());
        }
        else if (node instanceof FlowNode.Join join)
        {
            final int left = join.left().rows().size();
            if (ExpressionSubstitution.isOver(value, column -> column < left))
            {
                follow(join.left(), value);
            }
            else if (ExpressionSubstitution.isOver(value, column -> column >= left))
            {
                follow(join.right(), ExpressionSubstitution.shifted(value, -left));
            }
            else
            {
                throw computed();
            }
        }
        else if (node instanceof FlowNode.Pull pull)
        {
            followField(pull.input(), value, asked(pull));
        }
        else if (node instanceof FlowNode.Group group)
        {
            final Expression keys = ExpressionSubstitution.onColumns(value, column -> column < group.keys().size() ?
                group.keys().get(column) : -1);
            if (keys == null)
            {
                throw computed();
            }
            follow(group.input(), keys);
        }
        else if (node instanceof FlowNode.Timed timed)
        {
            final int time = timed.input().rows().size();
            if (!ExpressionSubstitution.isOver(value, column -> column < time))
            {
                throw computed();
            }
            follow(timed.input(), value);
        }
        else if (node instanceof FlowNode.Match match)
        {
            followField(match.input(), value, measures(match.pattern(), true));
        }
        else
        {
            node.inputs().forEach(input -> follow(input, value));
        }
    }

    private void followField(final FlowNode input, final Expression value, final List<Expression> fields)
    {
        final Expression below = ExpressionSubstitution.replace(value, leaf ->
        {
            final Expression field = fields.get(((Expression.Column)leaf).column());
            return field == null || ExpressionSubstitution.normal(field) == null ||
                ExpressionSubstitution.randomCall(field) != null ?
                null : field;
        });
        if (below == null)
        {
            throw computed();
        }
        follow(input, below);
    }

    private CqlRuleException computed()
    {
        return new CqlRuleException(Message.PARTITION_COMPUTED, null, expression);
    }

    private void reach(final FlowNode.Source source, final Expression value)
    {
        final Expression other = values.putIfAbsent(source, value);
        if (other != null && !ExpressionSubstitution.normal(other).equals(ExpressionSubstitution.normal(value)))
        {
            throw new CqlRuleException(Message.PARTITION_TWICE, null, expression, source.name());
        }
    }

    private static List<Expression> asked(final FlowNode.Pull pull)
    {
        final List<Expression> fields = new ArrayList<>();
        final int columns = pull.input().rows().size();
        for (int i = 0; i < pull.rows().size(); i++)
        {
            final int key = pull.keyColumns().indexOf(i - columns);
            fields.add(i < columns ? new Expression.Column(i, pull.rows().types().get(i), true) :
                key < 0 ? null : pull.keys().get(key));
        }
        return fields;
    }

    /**
     * Measures as expressions over the rows of a pattern, where they only read its partition columns.
     *
     * @param loosely whether to include measures that may be null although the column is not
     * @return one entry per measure, {@code null} for other measures
     */
    static List<Expression> measures(final PatternSpec pattern, final boolean loosely)
    {
        final List<Expression> all = new ArrayList<>();
        for (final Field measure : pattern.measures())
        {
            all.add(ExpressionSubstitution.replace(measure.expression(), leaf ->
                leaf instanceof PatternExpression.Navigation row && pattern.partitionBy().contains(row.column()) &&
                (loosely || isAlwaysThere(pattern, row)) ?
                new Expression.Column(row.column(), row.type(), true) :
                leaf instanceof PatternExpression.RowColumn own && pattern.partitionBy().contains(own.column()) ?
                new Expression.Column(own.column(), own.type(), true) : null));
        }
        return all;
    }

    private static boolean isAlwaysThere(final PatternSpec pattern, final PatternExpression.Navigation row)
    {
        return switch (pattern.output())
        {
            case ONE_WITHOUT_EMPTY, ONE -> row.back() == 0 && row.offset() == 0 && row.maxAgeMs() < 0 &&
                always(pattern.pattern(), row.variables());
            default -> false;
        };
    }

    /** Whether each match has a row of one of the variables. */
    private static boolean always(final PatternSpec.Term term, final long variables)
    {
        if (term instanceof PatternSpec.Variable variable)
        {
            return (variables & 1L << variable.variable()) != 0;
        }
        if (term instanceof PatternSpec.Sequence sequence)
        {
            return sequence.terms().stream().anyMatch(each -> always(each, variables));
        }
        if (term instanceof PatternSpec.Permute permute)
        {
            return permute.terms().stream().anyMatch(each -> always(each, variables));
        }
        if (term instanceof PatternSpec.Alternation alternation)
        {
            return alternation.terms().stream().allMatch(each -> always(each, variables));
        }
        if (term instanceof PatternSpec.Repeat repeat)
        {
            return repeat.min() > 0 && always(repeat.term(), variables);
        }
        // Nothing: with one row per match there are no exclusions.
        return false;
    }

    /** Propagates the value through equi-joins to channels that the expression does not name. */
    void spread(final FlowNode result)
    {
        boolean grows = true;
        while (grows)
        {
            grows = false;
            for (final FlowNode node : FlowNode.upstream(result))
            {
                grows |= node instanceof FlowNode.Join join && spread(join);
            }
        }
    }

    private boolean spread(final FlowNode.Join join)
    {
        final List<int[]> pairs = equalColumns(join);
        final int columns = join.left().rows().size();
        final Map<FlowNode.Source, List<Expression>> left =
            origins(join.left(), pairs.stream().map(pair -> pair[0]).toList());
        final Map<FlowNode.Source, List<Expression>> right =
            origins(join.right(), pairs.stream().map(pair -> pair[1] - columns).toList());
        return carry(left, right) | carry(right, left);
    }

    /**
     * Pairs of columns of a joined row that are equal: the left column, and the right column with its index in the
     * joined row.
     */
    static List<int[]> equalColumns(final FlowNode.Join join)
    {
        final int columns = join.left().rows().size();
        final List<int[]> equal = new ArrayList<>();
        for (int i = 0; i < join.leftKeys().size(); i++)
        {
            equal.add(new int[] {join.leftKeys().get(i), join.rightKeys().get(i) + columns});
        }
        if (join.condition() != null)
        {
            equalColumns(join.condition(), columns, equal);
        }
        return equal;
    }

    /** Numbers of different types and floating-point numbers are compared by a condition. */
    private static void equalColumns(final Expression condition, final int columns, final List<int[]> equal)
    {
        if (!(condition instanceof Expression.Call call))
        {
            return;
        }
        if (call.operation() == Operation.AND)
        {
            call.arguments().forEach(argument -> equalColumns(argument, columns, equal));
        }
        else if (call.operation() == Operation.EQUAL &&
            ExpressionSubstitution.normal(call.arguments().get(0)) instanceof Expression.Column a &&
            ExpressionSubstitution.normal(call.arguments().get(1)) instanceof Expression.Column b &&
            a.type() == b.type() && a.column() < columns != b.column() < columns)
        {
            equal.add(new int[] {Math.min(a.column(), b.column()), Math.max(a.column(), b.column())});
        }
    }

    private boolean carry(
        final Map<FlowNode.Source, List<Expression>> from, final Map<FlowNode.Source, List<Expression>> to)
    {
        boolean grows = false;
        for (final Map.Entry<FlowNode.Source, List<Expression>> source : from.entrySet())
        {
            final Expression value = values.get(source.getKey());
            if (value != null)
            {
                for (final Map.Entry<FlowNode.Source, List<Expression>> target : to.entrySet())
                {
                    grows |= carry(value, source.getValue(), target.getKey(), target.getValue());
                }
            }
        }
        return grows;
    }

    private boolean carry(final Expression value, final List<Expression> keys, final FlowNode.Source target,
        final List<Expression> targetKeys)
    {
        if (values.containsKey(target) || target.relation())
        {
            return false;
        }
        final List<Expression> normalKeys =
            keys.stream().map(key -> key == null ? null : ExpressionSubstitution.normal(key)).toList();
        final int whole = normalKeys.indexOf(ExpressionSubstitution.normal(value));
        final Expression carried = whole >= 0 ? targetKeys.get(whole) : ExpressionSubstitution.replace(value, leaf ->
        {
            final int position = normalKeys.indexOf(ExpressionSubstitution.normal(leaf));
            return position < 0 || targetKeys.get(position) == null || targetKeys.get(position).type() != leaf.type() ?
                null : targetKeys.get(position);
        });
        if (carried == null)
        {
            return false;
        }
        values.put(target, carried);
        return true;
    }

    /**
     * Columns of a node as expressions over each channel from which they all derive; an entry is {@code null} if a
     * column does not derive from it.
     */
    private static Map<FlowNode.Source, List<Expression>> origins(final FlowNode node, final List<Integer> columns)
    {
        final Map<FlowNode.Source, List<Expression>> all = new IdentityHashMap<>();
        for (int i = 0; i < columns.size(); i++)
        {
            final PartitionKeyTracer found = new PartitionKeyTracer("");
            try
            {
                final int column = columns.get(i);
                found.follow(node, new Expression.Column(column, node.rows().types().get(column), true));
            }
            catch (final CqlRuleException computed)
            {
                continue;
            }
            for (final Map.Entry<FlowNode.Source, Expression> origin : found.values.entrySet())
            {
                final List<Expression> own = all.computeIfAbsent(origin.getKey(),
                    source -> new ArrayList<>(Collections.nCopies(columns.size(), null)));
                own.set(i, origin.getValue());
            }
        }
        return all;
    }
}
