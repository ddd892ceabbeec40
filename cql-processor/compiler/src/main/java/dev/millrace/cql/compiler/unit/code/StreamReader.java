package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.List;

/**
 * An operator that reads a stream: rows come and never leave.
 *
 * <p>Used by one thread, for one class.
 */
public abstract class StreamReader implements OperatorCode, ConsumerCode
{
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
