package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code [range T slide D]}: rows wait in a ring for the multiple of D at which they enter, and stay in it until the
 * one at which they leave. Both happen when the instant of the multiple is over, so that all its rows have come.
 *
 * <p>Used by one thread, for one class.
 */
public final class SlideWindowCode implements OperatorCode, ConsumerCode
{
    private final UnitText unit;
    private final String ring;
    private final String range;
    private final String slide;
    private final ConsumerCode consumer;
    private final RingColumns columns;
    private final String enterTimes;
    private final String leaveTimes;

    public SlideWindowCode(final UnitText unit, final WindowSpec.Range window, final ConsumerCode consumer)
    {
        this.unit = unit;
        this.consumer = consumer;
        ring = unit.name("w");
        range = unit.number(window.rangeNs(), CqlType.BIGINT);
        slide = unit.number(window.slideNs(), CqlType.BIGINT);
        columns = new RingColumns(unit, ring);
        enterTimes = columns.add("long");
        leaveTimes = columns.add("long");
        unit.field("int", ring + "head");
        unit.field("int", ring + "mid");
        unit.field("int", ring + "tail");
        consumer.over(columns);
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
        final String enters = code.name("e");
        final String leaves = code.name("l");
        code.line("final long " + enters + " = Ticks.up(now, " + slide + ");");
        code.line("final long " + leaves + " = Ticks.up(Ticks.plus(now, " + range + "), " + slide + ");");
        row.open("if (" + leaves + " > " + enters + ')');
        final String size = ring + "tail - " + ring + "head";
        row.open("if (" + size + " >= maxRows || " + size + " == " + enterTimes + ".length && !" + ring +
            "grow()) full(\"rows\"); else");
        final String place = code.name("p");
        code.line("final int " + place + " = " + ring + "tail++ & " + enterTimes + ".length - 1;");
        code.line(enterTimes + '[' + place + "] = " + enters + ';');
        code.line(leaveTimes + '[' + place + "] = " + leaves + ';');
        final List<Operand> kept = columns.keep(code, reads().stream().map(row::get).toList(), place);
        final List<Operand> values = new ArrayList<>();
        for (final CqlType type : types())
        {
            values.add(Operand.notNull(LocalTypes.zero(type), type));
        }
        for (int i = 0; i < kept.size(); i++)
        {
            values.set(reads().get(i), kept.get(i));
        }
        ticks(values);
        return List.of();
    }

    /** The methods for rows that enter, that leave, and for the growth of the ring. */
    private void ticks(final List<Operand> values)
    {
        final String inside = columns.add("boolean");
        final ExpressionCode entering = unit.body();
        loop(entering, "mid", "tail", enterTimes);
        entering.line(inside + "[p] = false;");
        final Row row = Row.of(entering, values);
        final List<Operand> remembered = columns.keep(entering, consumer.enter(row), "p");
        entering.line(inside + "[p] = true;");
        row.close();
        entering.close();
        unit.method("private void " + ring + "enter()", entering);
        final ExpressionCode leaving = unit.body();
        loop(leaving, "head", "mid", leaveTimes);
        leaving.open("if (" + inside + "[p])");
        consumer.leave(leaving, remembered);
        leaving.close();
        columns.forget(leaving, "p");
        leaving.close();
        unit.method("private void " + ring + "leave()", leaving);
        columns.writeGrow(ring + "grow", ring + "head", ring + "tail");
        final ExpressionCode due = unit.body();
        due.line("return Math.min(" + first("head", "mid", leaveTimes) + ", " + first("mid", "tail", enterTimes) +
            ");");
        unit.method("private long " + ring + "due()", due);
    }

    private void loop(final ExpressionCode code, final String from, final String to, final String times)
    {
        code.open("while (" + ring + from + " != " + ring + to + " && " + times + '[' + ring + from + " & " + times +
            ".length - 1] <= now)");
        code.line("final int " + columns.position() + " = " + ring + from + "++;");
        code.line("final int p = " + columns.position() + " & " + times + ".length - 1;");
    }

    private String first(final String from, final String to, final String times)
    {
        return '(' + ring + from + " == " + ring + to + " ? NEVER : " + times + '[' + ring + from + " & " + times +
            ".length - 1])";
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
        return ring + "due()";
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.open("if (" + ring + "due() <= now)");
        code.line(ring + "leave();");
        code.line(ring + "enter();");
        code.close();
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"SlideWindow\", (long) (" + ring + "tail - " + ring + "head));");
    }
}
