package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * {@code sum}, {@code avg} and {@code count} of values that are objects: of bigdecimal, and of distinct values. Sums
 * are exact for bigdecimal, wrap for integers, and have Neumaier's compensation for floating-point numbers. Nulls are
 * ignored.
 *
 * <p>Not thread-safe.
 */
public final class NumberSum implements GroupAggregate, StateHolder
{
    private final CqlType result;
    private final String function;
    private long count;
    private long whole;
    private final long[] floating = new long[FloatingSums.FLOATING_WORDS];
    private BigDecimal decimal = BigDecimal.ZERO;

    /**
     * @param function sum, avg or count
     * @param result   type of the value
     */
    public NumberSum(final String function, final CqlType result)
    {
        this.function = function;
        this.result = result;
    }

    @Override
    public void reset()
    {
        count = 0;
        clear();
    }

    private void clear()
    {
        whole = 0;
        decimal = BigDecimal.ZERO;
        FloatingSums.clear(floating, 0);
    }

    @Override
    public boolean isIncremental()
    {
        return true;
    }

    @Override
    public void plus(final Object[] arguments)
    {
        change(arguments[0], 1);
    }

    @Override
    public void minus(final Object[] arguments)
    {
        change(arguments[0], -1);
    }

    private void change(final Object value, final int sign)
    {
        if (value == null)
        {
            return;
        }
        count += sign;
        if (count == 0)
        {
            // The sum of no values is exactly zero, without any rounding error.
            clear();
        }
        else if (value instanceof BigDecimal number)
        {
            decimal = sign > 0 ? decimal.add(number) : decimal.subtract(number);
        }
        else if (value instanceof Number number)
        {
            whole += sign * number.longValue();
            FloatingSums.add(floating, 0, number.doubleValue(), sign);
        }
    }

    @Override
    public Object value()
    {
        if (function.equals("count"))
        {
            return result == CqlType.INT ? (Number)FloatingSums.count(count) : (Number)count;
        }
        if (count == 0)
        {
            return null;
        }
        final boolean isAverage = function.equals("avg");
        return switch (result)
        {
            case INT -> (int)whole;
            case FLOAT, DOUBLE -> isAverage ? FloatingSums.value(floating, 0) / count : FloatingSums.value(floating, 0);
            case BIGDECIMAL -> isAverage ? decimal.divide(BigDecimal.valueOf(count), MathContext.DECIMAL128) : decimal;
            default -> isAverage ? whole / count : whole;
        };
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeLong(count);
        to.writeLong(whole);
        to.writeLongs(floating, 0, floating.length);
        to.writeValue(decimal);
    }

    @Override
    public void read(final StateInput from)
    {
        count = from.readLong();
        whole = from.readLong();
        from.readLongs(floating, 0, floating.length);
        decimal = (BigDecimal)from.readValue();
    }
}
