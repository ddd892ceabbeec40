package dev.millrace.cql.plan;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.expression.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A necessary condition for a pipeline to process a row: the value of a column is within a range. Rows outside the
 * range need not reach the pipeline; the output is the same. Immutable.
 *
 * @param column index in the input row
 * @param type   type of the column: a number or a time, or char, whose two bounds are equal
 * @param low    lower bound; {@code null} if unbounded
 * @param high   upper bound; {@code null} if unbounded
 */
public record IndexPredicate(int column, CqlType type, Bound low, Bound high)
{
    private static final Set<CqlType> NUMBERS =
        Set.of(CqlType.INT, CqlType.BIGINT, CqlType.TIMESTAMP, CqlType.FLOAT, CqlType.DOUBLE);

    /**
     * A bound of the range.
     *
     * @param value     literal of the predicate's type
     * @param inclusive whether the value itself is in the range
     */
    public record Bound(Comparable<?> value, boolean inclusive)
    {
        @SuppressWarnings("unchecked")
        private int compareTo(final Bound other)
        {
            return ((Comparable<Object>)value).compareTo(other.value);
        }
    }

    /**
     * Derives the narrowest predicate that the conditions of an operator imply.
     *
     * @param root operator that receives the input rows
     * @return {@code null} when any row may matter, or when the passage of time matters
     */
    public static IndexPredicate of(final Operator root)
    {
        final Map<Integer, IndexPredicate> found = new TreeMap<>();
        List<Integer> origins = null;
        Operator operator = root;
        // A condition that can fail may reject any row.
        while (operator instanceof Operator.Calc calc && !Conditions.canFail(calc.condition()))
        {
            for (final Expression conjunct : Conditions.conjuncts(calc.condition()))
            {
                final IndexPredicate predicate = ofComparison(conjunct, origins);
                if (predicate != null)
                {
                    found.merge(predicate.column, predicate, IndexPredicate::and);
                }
            }
            if (calc.consumers().size() != 1 ||
                calc.fields().stream().anyMatch(field -> Conditions.canFail(field.expression())))
            {
                break;
            }
            origins = origins(calc, origins);
            operator = calc.consumers().get(0);
        }
        return found.isEmpty() || !isTimeless(root) ? null :
            found.values().stream().max(Comparator.comparingInt(IndexPredicate::rank)).get();
    }

    /** Whether an operator emits rows only in response to an input row, however much time has passed before. */
    private static boolean isTimeless(final Operator operator)
    {
        return (operator instanceof Operator.Calc || operator instanceof Operator.FixedPattern ||
            operator instanceof Operator.SequencePattern ||
            operator instanceof Operator.GroupedAggregate group && !group.keys().isEmpty() ||
            operator instanceof Operator.Output output && output.kind() != Operator.OutputKind.NOW_RELATION) &&
            operator.consumers().stream().allMatch(IndexPredicate::isTimeless);
    }

    /** For each field, the input column that it copies, or -1. */
    private static List<Integer> origins(final Operator.Calc calc, final List<Integer> before)
    {
        final List<Integer> origins = new ArrayList<>();
        for (final Field field : calc.fields())
        {
            origins.add(field.expression() instanceof Expression.Column column ? origin(column, before) : -1);
        }
        return origins;
    }

    private static int origin(final Expression.Column column, final List<Integer> origins)
    {
        return origins == null ? column.column() : origins.get(column.column());
    }

    private static IndexPredicate ofComparison(final Expression condition, final List<Integer> origins)
    {
        if (!(condition instanceof Expression.Call call) || call.arguments().size() != 2)
        {
            return null;
        }
        final Expression left = call.arguments().get(0);
        final Expression right = call.arguments().get(1);
        final boolean isMirrored = left instanceof Expression.Literal;
        if (!((isMirrored ? right : left) instanceof Expression.Column column) || origin(column, origins) < 0 ||
            !((isMirrored ? left : right) instanceof Expression.Literal literal) || literal.type() != column.type())
        {
            return null;
        }
        return of(origin(column, origins), literal, isMirrored ? call.operation().mirrored() : call.operation());
    }

    private static IndexPredicate of(final int column, final Expression.Literal literal, final Operation operation)
    {
        final boolean isText = literal.type() == CqlType.CHAR && operation == Operation.EQUAL;
        if (!isText && !NUMBERS.contains(literal.type()) || !(literal.value() instanceof Comparable<?> value) ||
            value.equals("") || value.equals(Double.NaN) || value.equals(Float.NaN))
        {
            return null;
        }
        final Bound bound = new Bound(value,
            operation != Operation.LESS && operation != Operation.GREATER);
        return switch (operation)
        {
            case EQUAL -> new IndexPredicate(column, literal.type(), bound, bound);
            case LESS, LESS_OR_EQUAL -> new IndexPredicate(column, literal.type(), null, bound);
            case GREATER, GREATER_OR_EQUAL -> new IndexPredicate(column, literal.type(), bound, null);
            default -> null;
        };
    }

    /**
     * Removes the conditions that every row of the range satisfies.
     *
     * @param root operator from which this predicate was derived
     * @return operator with the same output for these rows
     */
    public Operator residual(final Operator root)
    {
        return residual(root, null);
    }

    private Operator residual(final Operator operator, final List<Integer> before)
    {
        if (!(operator instanceof Operator.Calc calc) || Conditions.canFail(calc.condition()))
        {
            return operator;
        }
        final Expression condition = Conditions.conjunction(Conditions.conjuncts(calc.condition()).stream()
            .filter(conjunct -> !implies(ofComparison(conjunct, before))).toList());
        return new Operator.Calc(condition, calc.fields(), calc.consumers().size() != 1 ? calc.consumers() :
            List.of(residual(calc.consumers().get(0), origins(calc, before))));
    }

    /** Whether all values of this range are in another one; {@code null} is unknown. */
    private boolean implies(final IndexPredicate other)
    {
        if (other == null || other.column != column)
        {
            return false;
        }
        if (type == CqlType.CHAR)
        {
            return equals(other);
        }
        final boolean isFloat = type == CqlType.FLOAT || type == CqlType.DOUBLE;
        // NaN is above all bounds of the index, but satisfies no comparison.
        return (high != null || !isFloat) && and(other).equals(this);
    }

    /** The intersection; of two string values the first, which is narrow enough. */
    private IndexPredicate and(final IndexPredicate other)
    {
        if (type == CqlType.CHAR)
        {
            return this;
        }
        return new IndexPredicate(column, type, low == null || other.low != null && isBeyond(other.low, low, 1) ?
            other.low : low,
            high == null || other.high != null && isBeyond(other.high, high, -1) ? other.high : high);
    }

    private static boolean isBeyond(final Bound bound, final Bound than, final int sign)
    {
        final int order = bound.compareTo(than) * sign;
        return order > 0 || order == 0 && !bound.inclusive;
    }

    /** Whether the range contains exactly one value. */
    public boolean isEquality()
    {
        return low != null && high != null && low.inclusive && high.inclusive && low.compareTo(high) == 0;
    }

    private int rank()
    {
        return isEquality() ? 2 : low != null && high != null ? 1 : 0;
    }
}
