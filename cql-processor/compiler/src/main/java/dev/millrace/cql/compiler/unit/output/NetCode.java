package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.code.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Gathers the rows that enter and leave in an instant, lets equal ones cancel each other when it is over, and gives
 * what remains to a reader, rows that leave first.
 *
 * <p>Used by one thread, for one class.
 */
public final class NetCode implements OperatorCode, ConsumerCode
{
    private final UnitText unit;
    private final ConsumerCode consumer;
    private final String name;
    private final Words words;
    private final List<CqlType> types;

    public NetCode(final UnitText unit, final ConsumerCode consumer)
    {
        this.unit = unit;
        this.consumer = consumer;
        types = consumer.types();
        name = unit.name("net");
        words = new Words(unit, types, Collections.nCopies(types.size(), true));
        unit.field("final NetRows", name, "new NetRows(" + words.count() + ", " + words.texts() + ", codes)");
    }

    /** Whether rows that leave are only of interest where they cancel others that enter. */
    public boolean isEnteringOnly()
    {
        return !consumer.wantsLeaving();
    }

    /** Java condition of whether it has rows of the open instant. */
    public String hasRows()
    {
        return name + ".size() > 0";
    }

    @Override
    public List<Integer> reads()
    {
        return consumer.reads();
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public List<Operand> enter(final Row row)
    {
        final List<Operand> all = row.all();
        add(row.code(), all, true);
        return all;
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        add(code, remembered, false);
    }

    @Override
    public void leave(final Row row)
    {
        add(row.code(), row.all(), false);
    }

    private void add(final ExpressionCode code, final List<Operand> row, final boolean enters)
    {
        final String at = code.name("a");
        code.line("final int " + at + " = " + name + ".add(" + enters + ");");
        final List<String> values = words.of(code, row);
        for (int i = 0; i < values.size(); i++)
        {
            code.line(name + ".words[" + at + " + " + i + "] = " + values.get(i) + ';');
        }
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + name + ".size() > 0) " + name + "close();");
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        if (words.hasTexts())
        {
            code.line(name + ".endOfBatch();");
        }
    }

    @Override
    public void write()
    {
        final ExpressionCode body = unit.body();
        body.line(name + ".net();");
        if (consumer.wantsLeaving())
        {
            give(body, false);
        }
        if (consumer.wantsEntering())
        {
            give(body, true);
        }
        body.line(name + ".clear();");
        unit.method("private void " + name + "close()", body);
    }

    private void give(final ExpressionCode code, final boolean enters)
    {
        final String place = code.name("i");
        code.open("for (int " + place + " = " + name + ".next(-1, " + enters + "); " + place + " >= 0; " + place +
            " = " + name + ".next(" + place + ", " + enters + "))");
        final String base = code.name("b");
        code.line("final int " + base + " = " + place + " * " + words.count() + ';');
        final List<Operand> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            final Operand value = words.read(i, name + ".words", base, true);
            values.add(value.type() == CqlType.CHAR ? value :
                code.declare(value.value(), value.isNull(), value.type()));
        }
        final Row row = Row.of(code, values);
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
