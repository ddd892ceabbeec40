package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.plan.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a stream that wait until all streams of the unit have come as far: a ring of the columns that are read.
 * Filters and projections stand before it.
 *
 * <p>Used by one thread, for one class.
 */
public final class WaitCode implements OperatorCode, ConsumerCode
{
    private final UnitText unit;
    private final ConsumerCode consumer;
    private final String name;
    private final String times;
    private final RingColumns columns;

    public WaitCode(final UnitText unit, final ConsumerCode consumer)
    {
        this.unit = unit;
        this.consumer = consumer;
        name = unit.name("q");
        columns = new RingColumns(unit, name);
        times = columns.add("long");
        unit.field("int", name + "head");
        unit.field("int", name + "tail");
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
        final ExpressionCode code = row.code();
        final String size = name + "tail - " + name + "head";
        row.open("if (" + size + " >= maxRows || " + size + " == " + times + ".length && !" + name +
            "grow()) fullOfWaiting(); else");
        final String place = code.name("p");
        code.line("final int " + place + " = " + name + "tail++ & " + times + ".length - 1;");
        code.line(times + '[' + place + "] = t;");
        final List<Operand> kept = columns.keep(code, reads().stream().map(row::get).toList(), place);
        arrive(kept, row.size());
        columns.writeGrow(name + "grow", name + "head", name + "tail");
        final ExpressionCode due = unit.body();
        due.line("return " + name + "head == " + name + "tail ? NEVER : " + times + '[' + name + "head & " + times +
            ".length - 1];");
        unit.method("private long " + name + "due()", due);
        return List.of();
    }

    /** The method that gives the rows of the instant to the reader. */
    private void arrive(final List<Operand> kept, final int size)
    {
        final ExpressionCode code = unit.body();
        code.open("while (" + name + "head != " + name + "tail && " + times + '[' + name + "head & " + times +
            ".length - 1] <= now)");
        code.line("final int p = " + name + "head++ & " + times + ".length - 1;");
        final List<Expression> row = new ArrayList<>();
        for (int i = 0; i < size; i++)
        {
            final int index = reads().indexOf(i);
            row.add(index < 0 ? new Expression.Column(i, types().get(i), true) :
                code.leaf(local(code, kept.get(index))));
        }
        final Row arrived = new Row(code, row);
        consumer.enter(arrived);
        arrived.close();
        columns.forget(code, "p");
        code.close();
        unit.method("private void " + name + "arrive()", code);
    }

    private static Operand local(final ExpressionCode code, final Operand value)
    {
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("rows of a stream do not leave");
    }

    @Override
    public void leave(final Row row)
    {
        throw new IllegalStateException("rows of a stream do not leave");
    }

    @Override
    public boolean wantsLeaving()
    {
        return false;
    }

    @Override
    public String due()
    {
        return name + "due()";
    }

    @Override
    public void arrive(final ExpressionCode code)
    {
        code.line(name + "arrive();");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Waiting\", (long) (" + name + "tail - " + name + "head));");
    }
}
