package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;

/**
 * EVALUATE EVERY: collects changes, and emits the remaining ones at the next multiple of the period. Changes that
 * cancel each other are removed earlier. Changes of the beginning of time are emitted there.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class EvaluateGenerator extends InstantRowsGenerator
{
    private final RowReaders readers;
    private final String period;
    private final boolean isGrowing;

    /**
     * @param isGrowing whether rows never leave
     */
    public EvaluateGenerator(final UnitSource unit, final List<CqlType> types, final long periodNs,
        final boolean isGrowing,
        final RowReaders readers)
    {
        super(unit, "v", types, readers.compares());
        this.readers = readers;
        this.isGrowing = isGrowing;
        period = unit.number(periodNs, CqlType.BIGINT);
    }

    @Override
    protected boolean waits()
    {
        return isGrowing;
    }

    @Override
    public String due()
    {
        return '(' + rows() + ".size() == 0 ? NEVER : PeriodMath.up(now, " + period + "))";
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.open("if (" + rows() + ".size() > 0)");
        code.line("if (now == BEGINNING || Math.floorMod(now, " + period + ") == 0L) " + name() + "close();");
        code.line("else " + rows() + ".shrink();");
        code.close();
    }

    @Override
    protected void give(final ExpressionCode close)
    {
        for (final boolean enters : new boolean[] {false, true})
        {
            if (readers.want(enters))
            {
                final String next = rows() + ".next(";
                close.line("for (int i = " + next + "-1, " + enters + "); i >= 0; i = " + next + "i, " + enters +
                    ")) " + method(enters, readers) + "(i * " + width() + ");");
            }
        }
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Evaluate\", (long) " + rows() + ".size());");
    }

    @Override
    public void drop(final ExpressionCode code)
    {
        code.line("if (" + rows() + ".size() > 0) inseparable(\"changes that wait for EVALUATE EVERY\");");
    }

    @Override
    public void dropped(final ExpressionCode code)
    {
        code.line(rows() + ".clear();");
    }
}
