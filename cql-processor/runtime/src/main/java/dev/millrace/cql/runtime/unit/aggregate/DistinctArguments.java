package dev.millrace.cql.runtime.unit.aggregate;

import dev.millrace.cql.runtime.function.GroupAggregate;
import dev.millrace.cql.runtime.state.StateHolder;
import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Passes each distinct argument of a group to an aggregate once.
 *
 * <p>Not thread-safe.
 */
public final class DistinctArguments extends RetainedValues implements StateHolder
{
    private final GroupAggregate target;
    private final Map<List<Object>, Integer> counts = new HashMap<>();

    /**
     * @param target receives the arguments
     */
    public DistinctArguments(final GroupAggregate target)
    {
        this.target = target;
    }

    /** Equal for equal arguments: zeros and all NaN are equal, and decimals regardless of their scale. */
    private static List<Object> key(final Object[] arguments)
    {
        final List<Object> key = new ArrayList<>(arguments.length);
        for (final Object each : arguments)
        {
            key.add(each instanceof BigDecimal decimal ? decimal.stripTrailingZeros() :
                each instanceof Double number ? (Object)(number + 0.0) : each instanceof Float number ?
                (Object)(number + 0.0F) : each instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : each);
        }
        return key;
    }

    @Override
    public void reset()
    {
        gone(counts.size());
        counts.clear();
        target.reset();
    }

    @Override
    public boolean isIncremental()
    {
        return target.isIncremental();
    }

    @Override
    public void plus(final Object[] arguments)
    {
        final List<Object> key = key(arguments);
        if (!counts.containsKey(key))
        {
            need();
            target.plus(arguments);
            kept();
        }
        counts.merge(key, 1, Integer::sum);
    }

    @Override
    public void minus(final Object[] arguments)
    {
        final List<Object> key = key(arguments);
        final Integer count = counts.get(key);
        // Null when a nested function returned another value than when the same row entered.
        if (count != null && counts.merge(key, -1, Integer::sum) == 0)
        {
            counts.remove(key);
            gone(1);
            target.minus(arguments);
        }
    }

    @Override
    public Object value()
    {
        return target.value();
    }

    @Override
    public void write(final StateOutput to)
    {
        to.writeCount(counts.size());
        counts.forEach((key, count) ->
        {
            to.writeCount(key.size());
            key.forEach(each -> to.writeValue(each instanceof ByteBuffer bytes ? bytes.array() : each));
            to.writeCount(count);
        });
        GroupFunctions.part(target, "distinct").write(to);
    }

    @Override
    public void read(final StateInput from)
    {
        for (int n = from.readSize(2); n > 0; n--)
        {
            final Object[] arguments = new Object[from.readSize(1)];
            Arrays.setAll(arguments, i -> from.readValue());
            counts.put(key(arguments), from.readCount());
            kept();
        }
        GroupFunctions.part(target, "distinct").read(from);
    }
}
