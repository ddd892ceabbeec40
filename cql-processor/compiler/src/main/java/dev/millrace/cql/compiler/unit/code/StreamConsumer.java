package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An operator that reads a stream, whose rows do not leave, and passes its output to one consumer. When the partition
 * of its rows is identified, its column may follow those of the consumer.
 *
 * <p>Not thread-safe; used for one class.
 */
public abstract class StreamConsumer extends StreamReader
{
    private final RowConsumer consumer;
    private final PartitionColumn partition;

    /**
     * @param partition {@code null} when nothing needs to be discarded
     */
    protected StreamConsumer(final RowConsumer consumer, final PartitionColumn partition)
    {
        this.consumer = consumer;
        this.partition = partition;
    }

    protected final RowConsumer consumer()
    {
        return consumer;
    }

    /** How the partition of its rows is identified; {@code null} when nothing needs to be discarded. */
    protected final PartitionColumn partition()
    {
        return partition;
    }

    /** A row with the columns of the consumer. */
    protected final SymbolicRow read(final SymbolicRow row)
    {
        return row.first(consumer.types().size());
    }

    @Override
    public final List<Integer> reads()
    {
        if (partition == null)
        {
            return consumer.reads();
        }
        final Set<Integer> reads = new TreeSet<>(consumer.reads());
        reads.add(partition.column());
        return List.copyOf(reads);
    }

    @Override
    public final Collection<Integer> compares()
    {
        final Set<Integer> compares = new TreeSet<>(consumer.compares());
        if (partition != null)
        {
            compares.add(partition.column());
        }
        return compares;
    }

    @Override
    public final List<CqlType> types()
    {
        if (partition == null || partition.column() < consumer.types().size())
        {
            return consumer.types();
        }
        final List<CqlType> types = new ArrayList<>(consumer.types());
        types.add(partition.type());
        return types;
    }
}
