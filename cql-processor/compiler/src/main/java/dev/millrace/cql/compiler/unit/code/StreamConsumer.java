package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.List;

/**
 * An operator that reads a stream, whose rows do not leave, and gives what it makes of them to one consumer.
 *
 * <p>Used by one thread, for one class.
 */
public abstract class StreamConsumer implements OperatorCode, ConsumerCode
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

    @Override
    public final void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("rows of a stream do not leave");
    }

    @Override
    public final void leave(final Row row)
    {
        throw new IllegalStateException("rows of a stream do not leave");
    }

    @Override
    public final boolean wantsLeaving()
    {
        return false;
    }
}
