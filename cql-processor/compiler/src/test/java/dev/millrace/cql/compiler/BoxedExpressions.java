package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Operation;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** Evaluates expressions over boxed values: {@code null} is null, conditions are evaluated from left to right. */
public final class BoxedExpressions
{
    /** The row cannot be computed. */
    static final class DivisionByZero extends RuntimeException
    {
        private static final long serialVersionUID = 1L;
    }

    private final Function<Expression, Object> leaves;

    /**
     * @param leaves returns the value of an expression that is neither a constant nor a call
     */
    public BoxedExpressions(final Function<Expression, Object> leaves)
    {
        this.leaves = leaves;
    }

    /** The value of an expression; {@code null} for null. */
    public Object value(final Expression expression)
    {
        if (expression instanceof Expression.Literal literal)
        {
            return "".equals(literal.value()) ? null : literal.value();
        }
        if (!(expression instanceof Expression.Call call))
        {
            return leaves.apply(expression);
        }
        switch (call.operation())
        {
            case AND:
                return logic(call.arguments(), false);
            case OR:
                return logic(call.arguments(), true);
            case IS_NULL:
                return value(call.arguments().get(0)) == null;
            case IS_NOT_NULL:
                return value(call.arguments().get(0)) != null;
            case IN:
                return logic(call.arguments().stream().skip(1).map(each -> (Expression)new Expression.Call(
                    Operation.EQUAL, List.of(call.arguments().get(0), each), CqlType.BOOLEAN, true)).toList(), true);
            default:
                final Object left = value(call.arguments().get(0));
                final Object right = call.arguments().size() == 2 ? value(call.arguments().get(1)) : left;
                return left == null || right == null ? null : strict(call, left, right);
        }
    }

    private Object logic(final List<Expression> arguments, final boolean decisive)
    {
        boolean unknown = false;
        for (final Expression argument : arguments)
        {
            final Object value = value(argument);
            if (Boolean.valueOf(decisive).equals(value))
            {
                return decisive;
            }
            unknown |= value == null;
        }
        return unknown ? null : !decisive;
    }

    private static Object strict(final Expression.Call call, final Object left, final Object right)
    {
        return switch (call.operation())
        {
            case EQUAL -> compare(left, right, c -> c == 0);
            case NOT_EQUAL -> !compare(left, right, c -> c == 0);
            case LESS -> compare(left, right, c -> c < 0);
            case LESS_OR_EQUAL -> compare(left, right, c -> c <= 0);
            case GREATER -> compare(left, right, c -> c > 0);
            case GREATER_OR_EQUAL -> compare(left, right, c -> c >= 0);
            case XOR -> (Boolean)left ^ (Boolean)right;
            case NOT -> !(Boolean)left;
            case LIKE -> Pattern.compile((String)right).matcher((String)left).find();
            case CONVERT -> convert((Number)left, call.type());
            default -> arithmetic(call, (Number)left, (Number)right);
        };
    }

    private static Object arithmetic(final Expression.Call call, final Number left, final Number right)
    {
        if (left instanceof Double)
        {
            final double a = left.doubleValue();
            final double b = right.doubleValue();
            return switch (call.operation())
            {
                case ADD -> a + b;
                case SUBTRACT -> a - b;
                case MULTIPLY -> a * b;
                case DIVIDE -> a / b;
                default -> -a;
            };
        }
        if (left instanceof Float)
        {
            final float a = left.floatValue();
            final float b = right.floatValue();
            return switch (call.operation())
            {
                case ADD -> a + b;
                case SUBTRACT -> a - b;
                case MULTIPLY -> a * b;
                case DIVIDE -> a / b;
                default -> -a;
            };
        }
        if (left instanceof BigDecimal a)
        {
            final BigDecimal b = (BigDecimal)right;
            return switch (call.operation())
            {
                case ADD -> a.add(b);
                case SUBTRACT -> a.subtract(b);
                case MULTIPLY -> a.multiply(b);
                case DIVIDE -> b.signum() == 0 ? fail() : a.divide(b, MathContext.DECIMAL128);
                default -> a.negate();
            };
        }
        final long a = left.longValue();
        final long b = right.longValue();
        final long result = switch (call.operation())
        {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> b == 0 ? (Long)fail() : Long.valueOf(a / b);
            default -> -a;
        };
        return left instanceof Integer ? (Object)(int)result : (Object)result;
    }

    private static Object fail()
    {
        throw new DivisionByZero();
    }

    private static Object convert(final Number value, final CqlType type)
    {
        return switch (type)
        {
            case INT -> value.intValue();
            case BIGINT, TIMESTAMP, INTERVAL -> value.longValue();
            case FLOAT -> value.floatValue();
            case DOUBLE -> value.doubleValue();
            default -> value instanceof BigDecimal ? value : new BigDecimal(value.longValue());
        };
    }

    /** Compares two values of one type; a comparison with NaN holds only as "not equal". */
    static boolean compare(final Object left, final Object right, final IntPredicate wanted)
    {
        if (left instanceof Double || left instanceof Float)
        {
            final double a = ((Number)left).doubleValue();
            final double b = ((Number)right).doubleValue();
            return !Double.isNaN(a) && !Double.isNaN(b) && wanted.test(a < b ? -1 : a > b ? 1 : 0);
        }
        if (left instanceof String a)
        {
            return wanted.test(Arrays.compareUnsigned(
                a.getBytes(StandardCharsets.UTF_8), ((String)right).getBytes(StandardCharsets.UTF_8)));
        }
        if (left instanceof BigDecimal a)
        {
            return wanted.test(a.compareTo((BigDecimal)right));
        }
        if (left instanceof Boolean a)
        {
            return wanted.test(a.compareTo((Boolean)right));
        }
        return wanted.test(Long.compare(((Number)left).longValue(), ((Number)right).longValue()));
    }

    /** A grouping value: both zeros are equal, and all NaN are equal. */
    static Object key(final Object value)
    {
        if (value instanceof Double number)
        {
            return number == 0 ? (Object)0.0 : number;
        }
        return value instanceof Float number && number == 0 ? (Object)0.0F : value;
    }

    static boolean sameRow(final List<Object> left, final List<Object> right)
    {
        for (int i = 0; i < left.size(); i++)
        {
            final Object a = key(left.get(i));
            final Object b = key(right.get(i));
            final boolean same = a == null || b == null ? a == b :
                a instanceof BigDecimal decimal ? decimal.compareTo((BigDecimal)b) == 0 : a.equals(b);
            if (!same)
            {
                return false;
            }
        }
        return true;
    }

    static Object aggregate(final Operator.Aggregate aggregate, final List<Object> seen)
    {
        if (aggregate.function() == Operator.AggregateFunction.COUNT)
        {
            return convert(seen.size(), aggregate.type());
        }
        if (seen.isEmpty())
        {
            return null;
        }
        return switch (aggregate.function())
        {
            case SUM -> sum(seen, aggregate.type());
            case AVG -> convert(((Number)sum(seen, CqlType.DOUBLE)).doubleValue() / seen.size(), aggregate.type());
            case MIN -> seen.stream().reduce((a, b) -> order(a, b) <= 0 ? a : b).get();
            default -> seen.stream().reduce((a, b) -> order(a, b) >= 0 ? a : b).get();
        };
    }

    private static int order(final Object left, final Object right)
    {
        return compare(left, right, c -> c < 0) ? -1 : compare(left, right, c -> c > 0) ? 1 : 0;
    }

    private static Object sum(final List<Object> seen, final CqlType type)
    {
        if (seen.get(0) instanceof Double || seen.get(0) instanceof Float || type == CqlType.DOUBLE)
        {
            double sum = 0;
            for (final Object each : seen)
            {
                sum += ((Number)each).doubleValue();
            }
            return convert(sum, type);
        }
        long sum = 0;
        for (final Object each : seen)
        {
            sum += ((Number)each).longValue();
        }
        return convert(sum, type);
    }
}
