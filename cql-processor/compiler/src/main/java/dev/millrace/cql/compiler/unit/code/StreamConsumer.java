package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import java.util.List;

/**
 * An operator that reads a stream, whose rows do not leave, and gives what it makes of them to one consumer.
 *
 * <p>Used by one thread, for one class.
 */
public abstract class StreamConsumer extends StreamReader
{
    private final ConsumerCode consumer;

    /** For subclasses. */
    protected StreamConsumer(final ConsumerCode consumer)
    {
        this.consumer = consumer;
    }

    /** What reads it. */
    protected final ConsumerCode consumer()
    {
        return consumer;
    }

    @Override
    public final List<Integer> reads()
    {
        return consumer.reads();
    }

    @Override
    public final List<CqlType> types()
    {
        return consumer.types();
    }
}
