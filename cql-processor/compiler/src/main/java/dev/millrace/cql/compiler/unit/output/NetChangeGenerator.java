package dev.millrace.cql.compiler.unit.output;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the rows that enter and leave in an instant, cancels equal ones at its end, and passes the remaining ones to
 * a reader, rows that leave first.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class NetChangeGenerator extends InstantRowsGenerator
{
    private final RowConsumer consumer;

    public NetChangeGenerator(final UnitSource unit, final RowConsumer consumer)
    {
        super(unit, "net", consumer.types(), consumer.compares());
        this.consumer = consumer;
    }

    /** Whether rows that leave only matter when they cancel others that enter. */
    public boolean isEnteringOnly()
    {
        return !consumer.wantsLeaving();
    }

    /** Java condition for whether it has rows of the open instant. */
    public String hasRows()
    {
        return rows() + ".size() > 0";
    }

    @Override
    public List<Integer> reads()
    {
        return consumer.reads();
    }

    @Override
    protected void give(final ExpressionCode close)
    {
        if (consumer.wantsLeaving())
        {
            give(close, false);
        }
        if (consumer.wantsEntering())
        {
            give(close, true);
        }
    }

    private void give(final ExpressionCode code, final boolean enters)
    {
        final String index = code.name("i");
        code.open("for (int " + index + " = " + rows() + ".next(-1, " + enters + "); " + index + " >= 0; " + index +
            " = " + rows() + ".next(" + index + ", " + enters + "))");
        code.line("final int k = " + index + " * " + width() + ';');
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < types().size(); i++)
        {
            columns.add(code.leaf(read(new Expression.Column(i, types().get(i), true), code)));
        }
        final SymbolicRow row = new SymbolicRow(code, columns);
        if (enters)
        {
            consumer.enter(row);
        }
        else
        {
            consumer.leave(row);
        }
        row.close();
        code.close();
    }
}
