package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitOperatorGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.runtime.RejectionHandler;
import dev.millrace.cql.runtime.unit.RelationRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A relation that comes from a channel: stores the columns of its rows that are read, and converts inserts, deletes and
 * updates to rows that enter and leave. The kind of a change is the column after those of the row.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RelationInputGenerator implements UnitOperatorGenerator, RowConsumer
{
    private static final String PARAMETERS = "final int p";

    private final UnitSource unit;
    private final FlowNode.Source source;
    private final RowReaders readers;
    private final String name;
    /** Columns that are stored, ascending. */
    private final List<Integer> kept;
    private final List<Integer> key;
    private final RowWords words;
    private final KeyTableGenerator keys;

    public RelationInputGenerator(final UnitSource unit, final FlowNode.Source source, final RowReaders readers)
    {
        this.unit = unit;
        this.source = source;
        this.readers = readers;
        name = unit.name("rel");
        key = source.primaryKey().isEmpty() ? IntStream.range(0, source.rows().size()).boxed().toList() :
            source.primaryKey();
        final TreeSet<Integer> columns = new TreeSet<>(readers.reads());
        columns.addAll(key);
        kept = List.copyOf(columns);
        words = words(kept);
        keys = new KeyTableGenerator(unit, name + "keys", words(key), RelationRows.WORDS, "maxRows");
        unit.field("final RowSlab", name + "rows", "new RowSlab(" + words.count() + ", " + words.held() +
            ", maxRows, memory)");
        unit.scratch("final RelationRows", name, "new RelationRows(" + name + "rows, " + name + "keys, " +
            keys.width() + ", " + keys.keyWords() + ')');
    }

    private RowWords words(final List<Integer> columns)
    {
        return new RowWords(unit, columns.stream().map(source.rows().types()::get).toList(),
            Collections.nCopies(columns.size(), true));
    }

    @Override
    public List<Integer> reads()
    {
        final List<Integer> all = new ArrayList<>(kept);
        all.add(source.rows().size());
        return all;
    }

    @Override
    public List<CqlType> types()
    {
        final List<CqlType> all = new ArrayList<>(source.rows().types());
        all.add(CqlType.INT);
        return all;
    }

    @Override
    public boolean wantsLeaving()
    {
        return false;
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final String id = keys.find(code, key.stream().map(row::get).toList());
        final String index = code.name("p");
        code.line("final int " + index + " = " + id + " < 0 ? RowSlab.NONE : " + name + "rows.take();");
        code.open("if (" + index + " < 0)");
        code.line("full(\"rows\");");
        code.line("if (" + id + " >= 0 && " + keys.records() + '[' + id + " * " + keys.width() + " + " +
            keys.keyWords() + "] == 0L) " + name + "keys.dies(" + id + ");");
        code.close();
        row.open("else");
        final String base = code.name("b");
        code.line("final int " + base + " = " + index + " * " + words.count() + ';');
        final List<String> values = words.of(code, kept.stream().map(row::get).toList());
        for (int i = 0; i < values.size(); i++)
        {
            code.line(name + "rows.words[" + base + " + " + i + "] = " + values.get(i) + ';');
        }
        code.line(name + "change(" + index + ", " + id + ", " + row.get(source.rows().size()).value() + ");");
        return List.of();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("changes of a channel do not leave");
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        throw new IllegalStateException("changes of a channel do not leave");
    }

    @Override
    public void write()
    {
        shown(true);
        shown(false);
        missing();
        final boolean hasKey = !source.primaryKey().isEmpty();
        final ExpressionCode code = unit.body();
        code.open("if (kind != " + EventBatch.INSERT + ')');
        code.line("final int before = " + name + ".find(p, g, kind == " + EventBatch.DELETE + ");");
        code.open("if (before < 0" + (hasKey ? "" : " || kind == " + EventBatch.UPDATE) + ')');
        code.line(name + "missing(p);");
        code.line(name + "rows.free(p);");
        code.line("return;");
        code.close();
        code.line(name + "out(before);");
        code.line(name + ".remove(before, g);");
        code.open("if (kind == " + EventBatch.DELETE + ')');
        code.line(name + "rows.free(p);");
        code.line("return;");
        code.close();
        code.close();
        code.line(name + ".add(p, g);");
        code.line(name + "in(p);");
        unit.method("private void " + name + "change(final int p, final int g, final int kind)", code);
    }

    private void shown(final boolean enters)
    {
        final ExpressionCode code = unit.body(this::read, PARAMETERS, "p");
        readers.give(code, enters);
        unit.method("private void " + name + (enters ? "in(" : "out(") + PARAMETERS + ')', code);
    }

    /** Writes the method that rejects a change of a row that does not exist. */
    private void missing()
    {
        final ExpressionCode code = unit.body(this::read, PARAMETERS, "p");
        final StringBuilder text = new StringBuilder();
        for (final int column : key)
        {
            final Operand value = code.write(new Expression.Column(column, source.rows().types().get(column), true));
            text.append(text.isEmpty() ? "" : " + \",\"").append(" + (").append(value.isNull()).append(" ? \"null\" : ")
                .append("String.valueOf(").append(value.value()).append("))");
        }
        code.line("reject(new RowRejectedException(\"" + RejectionHandler.MISSING_ROW + "\", \"source=" +
            source.name() +
            " key=\"" + text + "));");
        unit.method("private void " + name + "missing(" + PARAMETERS + ')', code);
    }

    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final int column = ((Expression.Column)leaf).column();
        final Operand value = words.read(kept.indexOf(column), name + "rows.words", "p * " + words.count(), true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        code.line(name + "keys.sweep(" + keys.keyWords() + ");");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"Relation\", (long) " + name + "rows.size());");
    }
}
