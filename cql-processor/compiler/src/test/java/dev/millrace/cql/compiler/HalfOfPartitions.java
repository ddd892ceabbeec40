package dev.millrace.cql.compiler;

import dev.millrace.cql.runtime.state.PartitionPredicate;

/** About every second value. Stateless. */
final class HalfOfPartitions implements PartitionPredicate
{
    @Override
    public boolean ofNull()
    {
        return true;
    }

    @Override
    public boolean ofString(final String value)
    {
        return value.hashCode() % 2 == 0;
    }

    @Override
    public boolean ofLong(final long value)
    {
        return value % 2 == 0;
    }

    @Override
    public boolean ofFloat(final float value)
    {
        return ofDouble(value);
    }

    @Override
    public boolean ofDouble(final double value)
    {
        return Double.hashCode(value + 0.0) % 2 == 0;
    }
}
