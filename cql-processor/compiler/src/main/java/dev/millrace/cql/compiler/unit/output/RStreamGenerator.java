package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * RSTREAM: stores the relation, and emits all of it when it has changed in an instant, in the order of its rows'
 * arrival.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RStreamGenerator implements UnitOperatorGenerator, RowConsumer
{
    private final UnitSource unit;
    private final List<CqlType> types;
    private final RowReaders readers;
    private final String name;
    private final RowWords words;

    public RStreamGenerator(final UnitSource unit, final List<CqlType> types, final RowReaders readers)
    {
        this.unit = unit;
        this.types = types;
        this.readers = readers;
        name = unit.name("r");
        words = new RowWords(unit, types, Collections.nCopies(types.size(), true));
        unit.field("final RelationBag", name + "rows", "new RelationBag(" + words.count() + ", " +
            words.held() + ", maxRows, memory)");
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
    public boolean wantsNet()
    {
        return true;
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        write(row);
        row.code().line("if (!" + name + "rows.enter()) full(\"rows\");");
        return row.all();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        leave(SymbolicRow.of(code, remembered));
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        write(row);
        row.code().line(name + "rows.leave();");
    }

    private void write(final SymbolicRow row)
    {
        final List<String> values = words.of(row.code(), row.all());
        for (int i = 0; i < values.size(); i++)
        {
            row.code().line(name + "rows.key[" + i + "] = " + values.get(i) + ';');
        }
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + name + "rows.hasChanged()) " + name + "close();");
    }

    @Override
    public void write()
    {
        final ExpressionCode in = unit.body(this::read, "final int k", "k");
        readers.give(in, true);
        unit.method("private void " + name + "in(final int k)", in);
        final ExpressionCode code = unit.body();
        code.line("for (int row = " + name + "rows.first(); row >= 0; row = " + name + "rows.next(row)) " + name +
            "in(row * " + words.count() + ");");
        unit.method("private void " + name + "close()", code);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value = words.read(((Expression.Column)leaf).column(), name + "rows.words()", "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        code.line(name + "rows.sweep();");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"RStream\", (long) " + name + "rows.size());");
    }
}
