package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;

/**
 * {@code [now]}, {@code [range T]}, {@code [range unbounded]}: a ring of the rows that are in, with what must be
 * remembered so that they can leave. Filters and projections above the window stand below it: rows that nobody reads
 * are not kept. An unbounded window keeps nothing.
 *
 * <p>Used by one thread, for one class.
 */
public final class RangeWindowCode implements OperatorCode, ConsumerCode
{
    /** Length of a window that rows never leave. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    private final UnitText unit;
    private final String ring;
    private final boolean isUnbounded;
    private String range;
    private final ConsumerCode consumer;
    private final RingColumns columns;
    private final ExpressionCode leaving;

    public RangeWindowCode(final UnitText unit, final long rangeNs, final ConsumerCode consumer)
    {
        this.unit = unit;
        this.consumer = consumer;
        isUnbounded = rangeNs == UNBOUNDED;
        ring = unit.name("w");
        columns = new RingColumns(unit, ring);
        if (!isUnbounded)
        {
            consumer.over(columns);
        }
        leaving = unit.body();
        if (!isUnbounded)
        {
            unit.field("int", ring + "head");
            unit.field("int", ring + "tail");
            range = unit.number(rangeNs, CqlType.BIGINT);
        }
    }

    @Override
    public List<Integer> reads()
    {
        return consumer.reads();
    }

    @Override
    public List<CqlType> types()
    {
        return consumer.types();
    }

    @Override
    public List<Operand> enter(final Row row)
    {
        if (isUnbounded)
        {
            consumer.enter(row);
            return List.of();
        }
        final ExpressionCode code = row.code();
        final String times = columns.add("long");
        final String size = ring + "tail - " + ring + "head";
        row.open("if (" + size + " >= maxRows || " + size + " == " + times + ".length && !" + ring +
            "grow()) full(\"rows\"); else");
        code.line("final int " + columns.position() + " = " + ring + "tail;");
        final List<Operand> remembered = consumer.enter(row);
        code.line(ring + "tail++;");
        final String place = code.name("p");
        code.line("final int " + place + " = " + columns.position() + " & " + times + ".length - 1;");
        code.line(times + '[' + place + "] = Ticks.plus(now, " + range + ");");
        final List<Operand> kept = columns.keep(code, remembered, place);
        columns.writeGrow(ring + "grow", ring + "head", ring + "tail");
        final String loop = ring + "head != " + ring + "tail && " + times + '[' + ring + "head & " + times +
            ".length - 1] <= now";
        leaving.open("while (" + loop + ')');
        leaving.line("final int " + columns.position() + " = " + ring + "head++;");
        leaving.line("final int p = " + columns.position() + " & " + times + ".length - 1;");
        consumer.leave(leaving, kept);
        columns.forget(leaving, "p");
        leaving.close();
        unit.method("private void " + ring + "leave()", leaving);
        final ExpressionCode due = unit.body();
        due.line("return " + ring + "head == " + ring + "tail ? NEVER : " + times + '[' + ring + "head & " + times +
            ".length - 1];");
        unit.method("private long " + ring + "due()", due);
        return List.of();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("a window reads a stream");
    }

    @Override
    public void leave(final Row row)
    {
        throw new IllegalStateException("a window reads a stream");
    }

    @Override
    public boolean wantsLeaving()
    {
        return false;
    }

    @Override
    public String due()
    {
        return isUnbounded ? null : ring + "due()";
    }

    @Override
    public void atDue(final ExpressionCode code)
    {
        if (!isUnbounded)
        {
            code.line(ring + "leave();");
        }
    }

    @Override
    public void state(final ExpressionCode code)
    {
        if (!isUnbounded)
        {
            code.line("figures.accept(\"RangeWindow\", (long) (" + ring + "tail - " + ring + "head));");
        }
    }

    /** The length of a window whose rows leave in the order in which they came; -1 for others. */
    public static long rangeNs(final WindowSpec window)
    {
        if (window instanceof WindowSpec.Now)
        {
            return 1;
        }
        if (window instanceof WindowSpec.Unbounded)
        {
            return UNBOUNDED;
        }
        return window instanceof WindowSpec.Range range && range.slideNs() <= 1 ? range.rangeNs() : -1;
    }
}
