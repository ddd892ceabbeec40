package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * An operator that reads a stream, whose rows do not leave, and gives what it makes of them to one consumer. Where its
 * rows tell their partition, the column may stand behind those of the consumer.
 *
 * <p>Used by one thread, for one class.
 */
public abstract class StreamConsumer extends StreamReader
{
    private final ConsumerCode consumer;
    private final Partition partition;

    /**
     * For subclasses.
     *
     * @param partition {@code null} where nothing need be forgotten
     */
    protected StreamConsumer(final ConsumerCode consumer, final Partition partition)
    {
        this.consumer = consumer;
        this.partition = partition;
    }

    /** What reads it. */
    protected final ConsumerCode consumer()
    {
        return consumer;
    }

    /** How its rows tell their partition; {@code null} where nothing need be forgotten. */
    protected final Partition partition()
    {
        return partition;
    }

    /** A row as the consumer reads it. */
    protected final Row read(final Row row)
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
