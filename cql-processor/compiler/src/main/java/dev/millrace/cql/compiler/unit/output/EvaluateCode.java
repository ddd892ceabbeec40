package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ConsumerCode;
import dev.millrace.cql.compiler.unit.code.OperatorCode;
import dev.millrace.cql.compiler.unit.code.Readers;
import dev.millrace.cql.compiler.unit.code.Row;
import dev.millrace.cql.compiler.unit.code.UnitText;
import dev.millrace.cql.compiler.unit.code.Words;
import dev.millrace.cql.plan.Expression;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * EVALUATE EVERY: gathers changes, and gives what is left of them at the next multiple of the period. Changes that
 * cancel each other do not wait for it. Those of the beginning of time are seen there.
 *
 * <p>Used by one thread, for one class.
 */
public final class EvaluateCode implements OperatorCode, ConsumerCode
{
    private final UnitText unit;
    private final List<CqlType> types;
    private final Readers readers;
    private final String period;
    private final String name;
    private final Words words;

    /** Prepares an operator over rows of these types. */
    public EvaluateCode(final UnitText unit, final List<CqlType> types, final long periodNs, final Readers readers)
    {
        this.unit = unit;
        this.types = types;
        this.readers = readers;
        period = unit.number(periodNs, CqlType.BIGINT);
        name = unit.name("v");
        words = new Words(unit, types, Collections.nCopies(types.size(), true));
        unit.field("final NetRows", name + "rows",
            "new NetRows(" + words.count() + ", " + words.texts() + ", codes)");
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public List<Integer> reads()
    {
        return IntStream.range(0, types.size()).boxed().toList();
    }

    @Override
    public List<Operand> enter(final Row row)
    {
        add(row, true);
        return row.all();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        leave(Row.of(code, remembered));
    }

    @Override
    public void leave(final Row row)
    {
        add(row, false);
    }

    private void add(final Row row, final boolean enters)
    {
        final ExpressionCode code = row.code();
        final String at = code.name("a");
        code.line("final int " + at + " = " + name + "rows.add(" + enters + ");");
        final List<String> values = words.of(code, row.all());
        for (int i = 0; i < values.size(); i++)
        {
            code.line(name + "rows.words[" + at + " + " + i + "] = " + values.get(i) + ';');
        }
    }

    @Override
    public String due()
    {
        return '(' + name + "rows.size() == 0 ? NEVER : Ticks.up(now, " + period + "))";
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.open("if (" + name + "rows.size() > 0)");
        code.line("if (now == BEGINNING || Math.floorMod(now, " + period + ") == 0L) " + name + "close();");
        code.line("else " + name + "rows.shrink();");
        code.close();
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        if (words.hasTexts())
        {
            code.line(name + "rows.endOfBatch();");
        }
    }

    @Override
    public void write()
    {
        final ExpressionCode code = unit.body();
        code.line(name + "rows.net();");
        for (final boolean enters : new boolean[] {false, true})
        {
            if (readers.want(enters))
            {
                final String method = name + (enters ? "in" : "out");
                final ExpressionCode give = unit.body(this::read, "final int k", "k");
                readers.give(give, enters);
                unit.method("private void " + method + "(final int k)", give);
                final String next = name + "rows.next(";
                code.line("for (int i = " + next + "-1, " + enters + "); i >= 0; i = " + next + "i, " + enters +
                    ")) " + method + "(i * " + words.count() + ");");
            }
        }
        code.line(name + "rows.clear();");
        unit.method("private void " + name + "close()", code);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value = words.read(((Expression.Column)leaf).column(), name + "rows.words", "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Evaluate\", (long) " + name + "rows.size());");
    }
}
