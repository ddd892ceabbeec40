package dev.millrace.cql.processor.state;

import dev.millrace.cql.runtime.state.PartitionPredicate;
import dev.millrace.network.partition.PartitionHash;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/** Partitions that have moved to other members: finds their rows with {@link PartitionHash}, as for batches. */
public final class PartitionMovePredicate implements PartitionPredicate
{
    private final BitSet partitions;

    public PartitionMovePredicate(final BitSet partitions)
    {
        this.partitions = partitions;
    }

    private boolean test(final long value)
    {
        return partitions.get(PartitionHash.partition(value));
    }

    @Override
    public boolean ofNull()
    {
        return partitions.get(PartitionHash.ofNull());
    }

    @Override
    public boolean ofString(final String value)
    {
        return test(PartitionHash.hash(value.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean ofLong(final long value)
    {
        return test(value);
    }

    @Override
    public boolean ofFloat(final float value)
    {
        return test(Float.floatToIntBits(value + 0.0F));
    }

    @Override
    public boolean ofDouble(final double value)
    {
        return test(Double.doubleToLongBits(value + 0.0));
    }
}
