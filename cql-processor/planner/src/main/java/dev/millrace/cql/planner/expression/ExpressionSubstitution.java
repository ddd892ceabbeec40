package dev.millrace.cql.planner.expression;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** Substitutes columns of expressions with other expressions, and compares expressions. */
public final class ExpressionSubstitution
{
    /** Maximum number of equivalent forms of a value; more forms would find no further plan in practice. */
    private static final int MAX_FORMS = 16;

    private ExpressionSubstitution()
    {
    }

    /**
     * Replaces the leaves of an expression.
     *
     * @param expression expression to rewrite
     * @param leaves     returns the replacement of a leaf that is not a literal, or {@code null} to abandon the whole
     *     expression
     * @return the new expression; {@code null} if it was abandoned
     */
    public static Expression replace(final Expression expression, final Function<Expression, Expression> leaves)
    {
        if (expression instanceof Expression.Literal)
        {
            return expression;
        }
        if (expression instanceof Expression.Call call)
        {
            final List<Expression> arguments = replaceAll(call.arguments(), leaves);
            return arguments == null ? null : new Expression.Call(call.operation(), arguments, call.type(), true);
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            final List<Expression> arguments = replaceAll(call.arguments(), leaves);
            return arguments == null ? null : new Expression.FunctionCall(call.function(), arguments, call.type());
        }
        if (expression instanceof Expression.Case choice)
        {
            final List<Expression> conditions = replaceAll(choice.conditions(), leaves);
            final List<Expression> values = replaceAll(choice.values(), leaves);
            final Expression otherwise = replace(choice.otherwise(), leaves);
            return conditions == null || values == null || otherwise == null ? null :
                new Expression.Case(conditions, values, otherwise, choice.type());
        }
        return leaves.apply(expression);
    }

    private static List<Expression> replaceAll(
        final List<Expression> expressions, final Function<Expression, Expression> leaves)
    {
        final List<Expression> replaced = new ArrayList<>();
        for (final Expression expression : expressions)
        {
            final Expression other = replace(expression, leaves);
            if (other == null)
            {
                return null;
            }
            replaced.add(other);
        }
        return replaced;
    }

    /**
     * The form of an expression in which values are compared: an integer constant equals the same constant as a bigint.
     *
     * @return normal form; {@code null} if the expression reads anything other than plain columns
     */
    public static Expression normal(final Expression expression)
    {
        if (expression instanceof Expression.Call call && call.operation() == Operation.CONVERT &&
            (call.arguments().get(0).type() == call.type() || call.arguments().get(0).type() == CqlType.INT &&
            call.type() == CqlType.BIGINT))
        {
            return normal(call.arguments().get(0));
        }
        if (expression instanceof Expression.Call call)
        {
            final List<Expression> arguments = normalAll(call.arguments());
            return arguments == null ? null : new Expression.Call(call.operation(), arguments, call.type(), true);
        }
        if (expression instanceof Expression.FunctionCall call)
        {
            final List<Expression> arguments = normalAll(call.arguments());
            return arguments == null ? null : new Expression.FunctionCall(call.function(), arguments, call.type());
        }
        if (expression instanceof Expression.Case choice)
        {
            final List<Expression> conditions = normalAll(choice.conditions());
            final List<Expression> values = normalAll(choice.values());
            final Expression otherwise = normal(choice.otherwise());
            return conditions == null || values == null || otherwise == null ? null :
                new Expression.Case(conditions, values, otherwise, choice.type());
        }
        return expression instanceof Expression.Column column ? column(column.column(), column.type()) :
            expression instanceof Expression.Literal ? expression : null;
    }

    private static List<Expression> normalAll(final List<Expression> expressions)
    {
        final List<Expression> all = new ArrayList<>();
        for (final Expression expression : expressions)
        {
            final Expression normal = normal(expression);
            if (normal == null)
            {
                return null;
            }
            all.add(normal);
        }
        return all;
    }

    /** A column in normal form. */
    static Expression column(final int column, final CqlType type)
    {
        return new Expression.Column(column, type == CqlType.INT ? CqlType.BIGINT : type, true);
    }

    /** The expression with its column indexes shifted. */
    public static Expression shifted(final Expression expression, final int by)
    {
        return onColumns(expression, column -> column + by);
    }

    /** The expression over other columns; a column that maps to -1 abandons the whole expression. */
    public static Expression onColumns(
        final Expression expression, final IntUnaryOperator columns)
    {
        return replace(expression, leaf ->
        {
            final Expression.Column column = (Expression.Column)leaf;
            final int other = columns.applyAsInt(column.column());
            return other < 0 ? null : new Expression.Column(other, column.type(), true);
        });
    }

    /** Columns of an expression in normal form. */
    public static Set<Integer> columns(final Expression expression)
    {
        final Set<Integer> found = new HashSet<>();
        replace(expression, leaf ->
        {
            found.add(((Expression.Column)leaf).column());
            return leaf;
        });
        return found;
    }

    public static boolean isOver(final Expression expression, final IntPredicate columns)
    {
        return columns(expression).stream().allMatch(columns::test);
    }

    /**
     * All forms of a value over the output columns of a projection.
     *
     * @param value  in normal form, over the columns before the projection
     * @param fields output of the projection in normal form; {@code null} for an expression without one
     */
    public static Set<Expression> after(final Expression value, final List<Expression> fields)
    {
        final Set<Expression> found = new LinkedHashSet<>();
        for (int i = 0; i < fields.size(); i++)
        {
            if (value.equals(fields.get(i)))
            {
                found.add(column(i, value.type()));
            }
        }
        final Expression parts = replace(value, leaf ->
        {
            final int position = fields.indexOf(leaf);
            return position < 0 ? null : column(position, leaf.type());
        });
        if (parts != null)
        {
            found.add(parts);
        }
        return found;
    }

    /** The values, and their forms with one column replaced by another that equals it. */
    public static Set<Expression> closed(final Set<Expression> values, final List<int[]> equalColumns)
    {
        final Set<Expression> all = new LinkedHashSet<>(values);
        boolean grows = true;
        while (grows && all.size() < MAX_FORMS)
        {
            final Set<Expression> next = new LinkedHashSet<>(all);
            for (final Expression value : all)
            {
                for (final int[] pair : equalColumns)
                {
                    next.add(onColumns(value, column -> column == pair[0] ? pair[1] : column));
                    next.add(onColumns(value, column -> column == pair[1] ? pair[0] : column));
                }
            }
            grows = next.size() > all.size();
            all.addAll(next);
        }
        return all;
    }

    /** The name of a function in an expression whose result differs from call to call, or {@code null}. */
    public static String randomCall(final Expression expression)
    {
        if (expression instanceof Expression.FunctionCall call)
        {
            return call.function().deterministic() ? randomCall(call.arguments()) : call.function().name();
        }
        if (expression instanceof Expression.Case choice)
        {
            final List<Expression> parts = new ArrayList<>(choice.conditions());
            parts.addAll(choice.values());
            parts.add(choice.otherwise());
            return randomCall(parts);
        }
        return expression instanceof Expression.Call call ? randomCall(call.arguments()) : null;
    }

    private static String randomCall(final List<Expression> expressions)
    {
        return expressions.stream().map(ExpressionSubstitution::randomCall).filter(Objects::nonNull).findFirst()
            .orElse(null);
    }
}
