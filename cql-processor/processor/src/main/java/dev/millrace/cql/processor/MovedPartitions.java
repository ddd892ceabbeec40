package dev.millrace.cql.processor;

import dev.millrace.cql.runtime.flow.PartitionTest;
import dev.millrace.cql.runtime.flow.RowStore;
import dev.millrace.network.partition.PartitionHash;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/** Finds the rows of partitions that are elsewhere from now on, as {@link PartitionHash} finds those of batches. */
final class MovedPartitions implements PartitionTest
{
    private final BitSet partitions;

    MovedPartitions(final BitSet partitions)
    {
        this.partitions = partitions;
    }

    @Override
    public boolean test(final RowStore rows, final int row, final int column)
    {
        return partitions.get(partition(rows, row, column));
    }

    private static short partition(final RowStore rows, final int row, final int column)
    {
        if (rows.isNull(row, column))
        {
            return PartitionHash.ofNull();
        }
        return PartitionHash.partition(switch (rows.layout().type(column))
        {
            case CHAR -> PartitionHash.hash(((String)rows.getReference(row, column)).getBytes(StandardCharsets.UTF_8));
            case FLOAT -> Float.floatToIntBits((float)rows.getDouble(row, column) + 0.0F);
            case DOUBLE -> Double.doubleToLongBits(rows.getDouble(row, column) + 0.0);
            default -> rows.getLong(row, column);
        });
    }
}
