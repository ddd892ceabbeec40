package dev.millrace.cql.runtime.pattern;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.function.GroupAggregateFactory;
import dev.millrace.cql.runtime.function.Values;
import java.math.BigDecimal;
import java.math.MathContext;

/** Built-in aggregates for arguments that registers cannot hold: decimals, and distinct values. */
public final class BoxedAggregates
{
    private BoxedAggregates()
    {
    }

    /**
     * Finds a built-in aggregate.
     *
     * @param function lower-case name
     * @return {@code null} when it is not built in
     */
    public static GroupAggregateFactory factory(final String function, final CqlType argument, final CqlType result)
    {
        return switch (function)
        {
            case "count" -> Count::new;
            case "sum", "avg" -> () -> argument == CqlType.BIGDECIMAL ?
                new DecimalSum(function.equals("avg")) : new Sum(function.equals("avg"), result);
            case "min", "max" -> () -> new Extreme(function.equals("min"));
            case "first" -> () -> new Pick(true);
            case "last" -> () -> new Pick(false);
            default -> null;
        };
    }

    /** Number of values. */
    private static final class Count implements GroupAggregate
    {
        private long count;

        @Override
        public void reset()
        {
            count = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            count++;
        }

        @Override
        public Object value()
        {
            return count;
        }
    }

    /** Sum or mean of decimals. */
    private static final class DecimalSum implements GroupAggregate
    {
        private final boolean isAverage;
        private BigDecimal sum;
        private long count;

        DecimalSum(final boolean isAverage)
        {
            this.isAverage = isAverage;
        }

        @Override
        public void reset()
        {
            sum = null;
            count = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            final BigDecimal value = (BigDecimal)arguments[0];
            sum = sum == null ? value : sum.add(value);
            count++;
        }

        @Override
        public Object value()
        {
            return sum == null || !isAverage ? sum : sum.divide(BigDecimal.valueOf(count), MathContext.DECIMAL128);
        }
    }

    /** Sum or mean of other numbers. */
    private static final class Sum implements GroupAggregate
    {
        private final boolean isAverage;
        private final boolean isIntegral;
        private long whole;
        private double sum;
        private double lost;
        private long count;

        Sum(final boolean isAverage, final CqlType result)
        {
            this.isAverage = isAverage;
            isIntegral = result == CqlType.INT || result == CqlType.BIGINT || result == CqlType.INTERVAL;
        }

        @Override
        public void reset()
        {
            whole = 0;
            sum = 0;
            lost = 0;
            count = 0;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            final Number number = (Number)arguments[0];
            whole += number.longValue();
            final double value = number.doubleValue();
            final double total = sum + value;
            lost += Math.abs(sum) >= Math.abs(value) ? sum - total + value : value - total + sum;
            sum = total;
            count++;
        }

        @Override
        public Object value()
        {
            if (count == 0)
            {
                return null;
            }
            if (isIntegral && !isAverage)
            {
                return whole;
            }
            final double total = Double.isFinite(sum) ? sum + lost : sum;
            return isAverage ? total / count : total;
        }
    }

    /** Minimum or maximum. */
    private static final class Extreme implements GroupAggregate
    {
        private final boolean isLeast;
        private Object value;

        Extreme(final boolean isLeast)
        {
            this.isLeast = isLeast;
        }

        @Override
        public void reset()
        {
            value = null;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            final int order = value == null ? 0 : compare(arguments[0], value);
            if (value == null || (isLeast ? order < 0 : order > 0))
            {
                value = arguments[0];
            }
        }

        @SuppressWarnings("unchecked") // all arguments have one type
        private static int compare(final Object a, final Object b)
        {
            return a instanceof String text ? Values.compareTexts(text, (String)b) :
                ((Comparable<Object>)a).compareTo(b);
        }

        @Override
        public Object value()
        {
            return value;
        }
    }

    /** First or last value. */
    private static final class Pick implements GroupAggregate
    {
        private final boolean isFirst;
        private Object value;

        Pick(final boolean isFirst)
        {
            this.isFirst = isFirst;
        }

        @Override
        public void reset()
        {
            value = null;
        }

        @Override
        public void plus(final Object[] arguments)
        {
            if (!isFirst || value == null)
            {
                value = arguments[0];
            }
        }

        @Override
        public Object value()
        {
            return value;
        }
    }
}
