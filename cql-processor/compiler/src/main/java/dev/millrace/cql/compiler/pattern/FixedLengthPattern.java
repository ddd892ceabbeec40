package dev.millrace.cql.compiler.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionParts;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.PatternExpression;
import dev.millrace.cql.plan.expression.PatternExpression.End;
import dev.millrace.cql.plan.expression.PatternExpression.Navigation;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.PatternSpec;
import dev.millrace.cql.plan.flow.PatternSpec.RowsPerMatch;
import dev.millrace.cql.plan.flow.PatternSpec.Skip;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Patterns of consecutive variables, each for one row: the rows that they read of a match are at a fixed distance
 * before the current row, so that attempts need not store anything. {@code B.v > A.v} in the condition of the third row
 * C is {@code prev(v, 1) > prev(v, 2)}.
 *
 * <p>Stateless.
 */
public final class FixedLengthPattern
{
    /** Maximum number of rows: an attempt has a bit for each row but the last one. */
    private static final int MOST_ROWS = 31;
    /** Minimum number of rows: shorter patterns are complete with their second row, which costs even less. */
    private static final int FEWEST_ROWS = 3;
    /** Maximum number of stored values: every row shifts the earlier ones, even when no attempt reads them. */
    private static final int MOST_VALUES = 16;
    private static final int OBJECT_VALUES = 3;

    private final PatternSpec spec;
    private final int timeColumn;
    private final List<Integer> labels = new ArrayList<>();

    private FixedLengthPattern(final FlowNode.Match match)
    {
        spec = match.pattern();
        timeColumn = TimeBound.timeColumn(match.input());
    }

    /**
     * Rewrites a pattern of this kind so that it reads only the current row and earlier rows.
     *
     * @return the same pattern when it is of another kind, or stores less without the change
     */
    public static FlowNode.Match rewritten(final FlowNode.Match match)
    {
        final FixedLengthPattern length = new FixedLengthPattern(match);
        final FlowNode.Match written =
            length.isLine() ? new FlowNode.Match(match.input(), length.rewritten()) : match;
        return lastVariable(written) >= 0 ? written : match;
    }

    /**
     * The variable of the last row of a rewritten pattern.
     *
     * @return index; -1 for another pattern
     */
    static int lastVariable(final FlowNode.Match match)
    {
        final FixedLengthPattern length = new FixedLengthPattern(match);
        return length.isLine() && length.isWritten() ? length.labels.get(length.labels.size() - 1) : -1;
    }

    private boolean isWritten()
    {
        boolean isWritten = true;
        for (int position = 0; position < labels.size(); position++)
        {
            isWritten &= readsRows(spec.conditions().get(labels.get(position)), position);
        }
        final Map<Integer, Integer> depths = new HashMap<>();
        for (final Field measure : spec.measures())
        {
            isWritten &= readsRows(measure.expression(), labels.size() - 1);
            depths(measure.expression(), depths);
        }
        spec.conditions().forEach(condition -> depths(condition, depths));
        return isWritten && depths.values().stream().mapToInt(Integer::intValue).sum() <= MOST_VALUES;
    }

    /**
     * Collects how many earlier values of each column are stored; objects count more, since shifting them takes longer.
     */
    private static void depths(final Expression expression, final Map<Integer, Integer> depths)
    {
        if (expression instanceof Navigation leaf && leaf.back() > 0)
        {
            depths.merge(leaf.column(), Register.isReference(leaf.type()) ? leaf.back() * OBJECT_VALUES :
                leaf.back(), Math::max);
        }
        if (expression != null)
        {
            ExpressionParts.of(expression).forEach(each -> depths(each, depths));
        }
    }

    private boolean isLine()
    {
        final boolean isPlain = spec.withinNs() == 0 && spec.durationNs() == 0 &&
            (spec.output() == RowsPerMatch.ONE || spec.output() == RowsPerMatch.ONE_WITHOUT_EMPTY) &&
            (spec.skip() == Skip.PAST_LAST_ROW || spec.skip() == Skip.TO_NEXT_ROW);
        return isPlain && addLabels(spec.pattern()) && labels.size() >= FEWEST_ROWS && labels.size() <= MOST_ROWS &&
            labels.stream().distinct().count() == labels.size();
    }

    private boolean addLabels(final PatternSpec.Term term)
    {
        if (term instanceof PatternSpec.Variable variable)
        {
            return labels.add(variable.variable());
        }
        return term instanceof PatternSpec.Sequence sequence && sequence.terms().stream().allMatch(this::addLabels);
    }

    /** Whether an expression reads only rows, relative to the row at a position. */
    private boolean readsRows(final Expression expression, final int position)
    {
        if (expression instanceof Navigation leaf)
        {
            return leaf.variables() == 1L << labels.get(position) && leaf.end() == End.LAST && leaf.offset() == 0 &&
                leaf.back() >= 0 && leaf.maxAgeMs() < 0 && leaf.column() != timeColumn;
        }
        return !(expression instanceof PatternExpression) && (expression == null ||
            ExpressionParts.of(expression).stream().allMatch(each -> readsRows(each, position)));
    }

    private PatternSpec rewritten()
    {
        final List<Expression> conditions = new ArrayList<>(spec.conditions());
        for (int position = 0; position < labels.size(); position++)
        {
            final int variable = labels.get(position);
            final Expression condition = rewritten(conditions.get(variable), position);
            if (condition == null && conditions.get(variable) != null)
            {
                return spec;
            }
            conditions.set(variable, condition);
        }
        final List<Field> measures = new ArrayList<>();
        for (final Field measure : spec.measures())
        {
            final Expression value = rewritten(measure.expression(), labels.size() - 1);
            if (value == null)
            {
                return spec;
            }
            measures.add(new Field(measure.name(), value));
        }
        return new PatternSpec(spec.partitionBy(), spec.variables(), conditions, spec.pattern(), measures,
            spec.allMatches(), spec.withinNs(), spec.withinInclusive(), spec.durationNs(), spec.durationColumn(),
            spec.durationRepeats(), spec.skip(), spec.skipVariables(), spec.output());
    }

    /** An expression relative to the row at a position; {@code null} when it reads anything other than rows. */
    private Expression rewritten(final Expression expression, final int position)
    {
        if (expression instanceof Navigation leaf)
        {
            return rewritten(leaf, position);
        }
        if (expression instanceof PatternExpression || expression == null)
        {
            return null;
        }
        if (expression instanceof Expression.Call call)
        {
            final List<Expression> arguments = rewritten(call.arguments(), position);
            return arguments == null ? null :
                new Expression.Call(call.operation(), arguments, call.type(), call.nullable());
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            final List<Expression> arguments = rewritten(call.arguments(), position);
            return arguments == null ? null : new Expression.FunctionCall(call.function(), arguments, call.type());
        }
        if (expression instanceof Expression.Case choice)
        {
            final List<Expression> conditions = rewritten(choice.conditions(), position);
            final List<Expression> values = rewritten(choice.values(), position);
            final Expression otherwise = rewritten(choice.otherwise(), position);
            return conditions == null || values == null || otherwise == null ? null :
                new Expression.Case(conditions, values, otherwise, choice.type());
        }
        return expression;
    }

    private List<Expression> rewritten(final List<Expression> expressions, final int position)
    {
        final List<Expression> all = new ArrayList<>();
        for (final Expression each : expressions)
        {
            final Expression one = rewritten(each, position);
            if (one == null)
            {
                return null;
            }
            all.add(one);
        }
        return all;
    }

    private Expression rewritten(final Navigation leaf, final int position)
    {
        final List<Integer> rows = new ArrayList<>();
        for (int i = 0; i <= position; i++)
        {
            if ((leaf.variables() & 1L << labels.get(i)) != 0)
            {
                rows.add(i);
            }
        }
        // A condition on times ends attempts before a row arrives, which releases their partition.
        if (leaf.offset() >= rows.size() || leaf.back() < 0 || leaf.maxAgeMs() >= 0 || leaf.column() == timeColumn)
        {
            return null;
        }
        final int row = rows.get(leaf.end() == End.FIRST ? leaf.offset() : rows.size() - 1 - leaf.offset());
        final boolean isSame = leaf.back() == 0 && isEqualInPartition(leaf);
        return new Navigation(1L << labels.get(position), End.LAST, 0, isSame ? 0 : position - row + leaf.back(), -1,
            leaf.running(), leaf.column(), leaf.type());
    }

    /** Whether all rows of a partition have the same value in the same representation. */
    private boolean isEqualInPartition(final Navigation leaf)
    {
        return spec.partitionBy().contains(leaf.column()) && leaf.type() != CqlType.FLOAT &&
            leaf.type() != CqlType.DOUBLE && leaf.type() != CqlType.BIGDECIMAL;
    }
}
