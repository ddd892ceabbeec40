package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.List;

/**
 * An operator that reads a stream: rows arrive and never leave.
 *
 * <p>Not thread-safe; used for one class.
 */
public abstract class StreamReader implements UnitOperatorGenerator, RowConsumer
{
    private boolean isReached;

    /**
     * Writes the code for a row that arrives. May open blocks of the row.
     *
     * @return values that must be stored so that the row can leave
     */
    protected abstract List<Operand> take(SymbolicRow row);

    @Override
    public final List<Operand> enter(final SymbolicRow row)
    {
        isReached = true;
        return take(row);
    }

    @Override
    public final boolean isReached()
    {
        return isReached;
    }

    @Override
    public final void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("rows of a stream do not leave");
    }

    @Override
    public final void leave(final SymbolicRow row)
    {
        throw new IllegalStateException("rows of a stream do not leave");
    }

    @Override
    public final boolean wantsLeaving()
    {
        return false;
    }
}
