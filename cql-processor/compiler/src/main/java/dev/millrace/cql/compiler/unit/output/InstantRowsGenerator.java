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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * An operator that collects whole rows that enter and leave, in {@code NetChanges}, and emits the remaining ones at the
 * end of an instant.
 *
 * <p>Not thread-safe; used for one class.
 */
public abstract class InstantRowsGenerator implements UnitOperatorGenerator, RowConsumer
{
    private final UnitSource unit;
    private final List<CqlType> types;
    private final String name;
    private final String rows;
    private final RowWords words;
    private final Set<Integer> compares;
    private final int width;

    /**
     * Declares the rows.
     *
     * @param prefix    of the name
     * @param types     of the rows
     * @param compares  columns whose strings are not only carried
     */
    protected InstantRowsGenerator(final UnitSource unit, final String prefix, final List<CqlType> types,
        final Collection<Integer> compares)
    {
        this(unit, prefix, types, compares, 0, first -> "");
    }

    /**
     * Declares the rows.
     *
     * @param prefix    of the name
     * @param types     of the rows
     * @param compares  columns whose strings are not only carried
     * @param moreWords number of words after those of the columns
     * @param moreCodes returns, for the index of the first of these words, the Java source that declares which of them
     *                  are codes
     */
    protected InstantRowsGenerator(final UnitSource unit, final String prefix, final List<CqlType> types,
        final Collection<Integer> compares, final int moreWords, final IntFunction<String> moreCodes)
    {
        this.unit = unit;
        this.types = types;
        name = unit.name(prefix);
        rows = name + "rows";
        this.compares = Set.copyOf(compares);
        words = new RowWords(unit, types, Collections.nCopies(types.size(), true),
            IntStream.range(0, types.size()).boxed().toList(), compares);
        width = words.count() + moreWords;
        unit.field("final NetChanges", rows, "new NetChanges(" + width + ", " + words.held() +
            moreCodes.apply(words.count()) + ", memory)");
    }

    /** Prefix of all names of the operator. */
    protected final String name()
    {
        return name;
    }

    /** Name of the rows. */
    protected final String rows()
    {
        return rows;
    }

    /** Words of the columns of a row. */
    protected final int columnWords()
    {
        return words.count();
    }

    /** Words per row. */
    protected final int width()
    {
        return width;
    }

    /** Java expressions of the words after the columns of a row. */
    protected List<String> moreWords(final SymbolicRow row)
    {
        return List.of();
    }

    /** Writes the code for the rows of the instant, which are net. */
    protected abstract void give(ExpressionCode close);

    @Override
    public final List<CqlType> types()
    {
        return types;
    }

    @Override
    public final Set<Integer> compares()
    {
        return compares;
    }

    @Override
    public List<Integer> reads()
    {
        return IntStream.range(0, types.size()).boxed().toList();
    }

    @Override
    public final List<Operand> enter(final SymbolicRow row)
    {
        add(row, true);
        return row.all();
    }

    @Override
    public final void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        add(SymbolicRow.of(code, remembered), false);
    }

    @Override
    public final void leave(final SymbolicRow row)
    {
        add(row, false);
    }

    /** Whether rows only enter, and wait for later instants, so that they are rejected while memory is short. */
    protected boolean waits()
    {
        return false;
    }

    private void add(final SymbolicRow row, final boolean enters)
    {
        final ExpressionCode code = row.code();
        if (waits())
        {
            code.open("if (!" + rows + ".hasRoom()) full(\"rows\"); else");
        }
        final String at = code.name("a");
        code.line("final int " + at + " = " + rows + ".add(" + enters + ");");
        final List<String> values = new ArrayList<>(words.of(code, row.all()));
        values.addAll(moreWords(row));
        for (int i = 0; i < values.size(); i++)
        {
            code.line(rows + ".words[" + at + " + " + i + "] = " + values.get(i) + ';');
        }
        if (waits())
        {
            code.close();
        }
    }

    /** Column of the row that begins at {@code k}. */
    protected final Operand read(final Expression leaf, final ExpressionCode code)
    {
        final Operand value = words.read(((Expression.Column)leaf).column(), rows + ".words", "k", true);
        return value.type() == CqlType.CHAR ? value : code.declare(value.value(), value.isNull(), value.type());
    }

    @Override
    public void close(final ExpressionCode code)
    {
        code.line("if (" + rows + ".size() > 0) " + name + "close();");
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        if (words.hasCodes())
        {
            code.line(rows + ".endOfBatch();");
        }
    }

    @Override
    public final void write()
    {
        final ExpressionCode close = unit.body();
        close.line(rows + ".net();");
        give(close);
        close.line(rows + ".clear();");
        unit.method("private void " + name + "close()", close);
    }

    /** Writes a method that emits the row at {@code k}; returns its name. */
    protected final String method(final boolean enters, final RowReaders readers)
    {
        final String method = name + (enters ? "in" : "out");
        final ExpressionCode code = unit.body(this::read, "final int k", "k");
        readers.give(code, enters);
        unit.method("private void " + method + "(final int k)", code);
        return method;
    }
}
