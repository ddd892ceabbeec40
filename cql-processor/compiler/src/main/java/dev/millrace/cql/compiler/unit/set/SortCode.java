package dev.millrace.cql.compiler.unit.set;

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
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * ORDER BY: gathers the rows of an instant and gives them in order when it is over. Of a relation changes are net, and
 * rows that leave come first.
 *
 * <p>Used by one thread, for one class.
 */
public final class SortCode implements OperatorCode, ConsumerCode
{
    private final UnitText unit;
    private final List<CqlType> types;
    private final boolean isStream;
    private final Readers readers;
    private final String name;
    private final OrderWords order;
    private final Words words;

    /**
     * Prepares an operator.
     *
     * @param isStream whether rows only enter and are gone with the instant
     */
    public SortCode(final UnitText unit, final FlowNode.Sort sort, final boolean isStream, final Readers readers)
    {
        this.unit = unit;
        this.isStream = isStream;
        this.readers = readers;
        types = sort.rows().types();
        name = unit.name("o");
        order = new OrderWords(unit, sort.keys(), types);
        words = new Words(unit, types, Collections.nCopies(types.size(), true));
        unit.field("final NetRows", name + "rows", "new NetRows(" + width() + ", " + words.texts() + ", codes)");
        unit.field("final RowSorter", name + "sorter", "new RowSorter(" + order.order() + ')');
    }

    private int width()
    {
        return words.count() + order.count();
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
    public boolean wantsLeaving()
    {
        return !isStream;
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
        add(Row.of(code, remembered), false);
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
        final List<String> values = new ArrayList<>(words.of(code, row.all()));
        values.addAll(order.of(row));
        for (int i = 0; i < values.size(); i++)
        {
            code.line(name + "rows.words[" + at + " + " + i + "] = " + values.get(i) + ';');
        }
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + name + "rows.size() > 0) " + name + "close();");
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
            if (readers.want(enters) && (enters || !isStream))
            {
                give(code, enters);
            }
        }
        code.line(name + "rows.clear();");
        unit.method("private void " + name + "close()", code);
    }

    private void give(final ExpressionCode close, final boolean enters)
    {
        final String method = name + (enters ? "in" : "out");
        final ExpressionCode code = unit.body(this::read, "final int k", "k");
        readers.give(code, enters);
        unit.method("private void " + method + "(final int k)", code);
        final String count = close.name("n");
        close.line("final int " + count + " = " + name + "sorter.sort(" + name + "rows, " + enters + ", " + width() +
            ", " + words.count() + ");");
        close.line("for (int i = 0; i < " + count + "; i++) " + method + '(' + name + "sorter.row(i) * " + width() +
            ");");
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value = words.read(((Expression.Column)leaf).column(), name + "rows.words", "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }
}
