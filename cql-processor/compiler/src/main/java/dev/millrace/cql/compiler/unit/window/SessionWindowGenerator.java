package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.KeyTableGenerator;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowWords;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.Collections;
import java.util.List;

/**
 * {@code [session gap T [partition by P]]}: a record for each key with the chain of the rows of its open session. The
 * sessions are in a list in the order of their last rows, so that the one that ends first is at its beginning; its rows
 * leave together.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class SessionWindowGenerator extends StreamWindowGenerator
{
    /** Words of a key: number of rows, the cells of the first and the last one, and the time of the last one. */
    private static final int COUNT = 0;
    private static final int FIRST = 1;
    private static final int LAST = 2;
    private static final int LAST_NS = 3;
    /** Neighbors in the list of sessions. */
    private static final int BEFORE = 4;
    private static final int AFTER = 5;
    private static final int WORDS = 6;

    private final UnitSource unit;
    private final WindowSpec.Session window;
    private final String name;
    private final KeyTableGenerator keys;
    private final CellGenerator cells;
    private final WindowReader reader;
    private final PartitionColumn partition;

    /**
     * @param types     of its rows
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    public SessionWindowGenerator(final UnitSource unit, final WindowSpec.Session window, final List<CqlType> types,
        final ReaderEdge edge, final PartitionColumn partition)
    {
        super(types, edge, window.partitionBy(), partition);
        this.partition = partition;
        this.unit = unit;
        this.window = window;
        name = unit.name("w");
        final List<CqlType> keyTypes = window.partitionBy().stream().map(types::get).toList();
        keys = new KeyTableGenerator(unit, name + "keys",
            new RowWords(unit, keyTypes, Collections.nCopies(keyTypes.size(), true)), WORDS, "maxRows");
        cells = new CellGenerator(unit, name);
        reader = new WindowReader(edge, cells.columns());
        unit.numbers("int", name + "first", "-1");
        unit.numbers("int", name + "last", "-1");
    }

    private String word(final String key, final int word)
    {
        return keys.records() + '[' + key + " * " + keys.width() + " + " + (keys.keyWords() + word) + ']';
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final String id = keys.find(row, window.partitionBy().stream().map(row::get).toList());
        row.open("if (" + id + " < 0) full(\"groups\"); else");
        final String position = cells.columns().position();
        code.line("final int " + position + " = " + name + "enter(" + id + ");");
        row.open("if (" + position + " < 0) full(\"rows\"); else");
        reader.enter(row, position);
        if (partition != null)
        {
            forget(cells.columns().keep(code, List.of(row.get(partition.column())), position).get(0));
        }
        append();
        unlink();
        end();
        cells.write();
        return List.of();
    }

    /** Writes the method that appends a row to the session of its key. */
    private void append()
    {
        final ExpressionCode code = unit.body();
        code.line("final int p = " + cells.take() + ';');
        code.open("if (p < 0)");
        code.line("if (" + word("g", COUNT) + " == 0L) " + name + "keys.dies(g);");
        code.line("return p;");
        code.close();
        code.open("if (" + word("g", COUNT) + "++ == 0L)");
        code.line(word("g", FIRST) + " = p;");
        code.close();
        code.open("else");
        code.line(cells.next() + "[(int) " + word("g", LAST) + "] = p;");
        code.line(name + "unlink(g);");
        code.close();
        code.line(word("g", LAST) + " = p;");
        code.line(word("g", LAST_NS) + " = now;");
        code.line(word("g", BEFORE) + " = " + name + "last;");
        code.line(word("g", AFTER) + " = -1L;");
        code.line("if (" + name + "last < 0) " + name + "first = g; else " + word(name + "last", AFTER) + " = g;");
        code.line(name + "last = g;");
        code.line("return p;");
        unit.method("private int " + name + "enter(final int g)", code);
    }

    private void unlink()
    {
        final ExpressionCode code = unit.body();
        code.line("final int b = (int) " + word("g", BEFORE) + ';');
        code.line("final int a = (int) " + word("g", AFTER) + ';');
        code.line("if (b < 0) " + name + "first = a; else " + word("b", AFTER) + " = a;");
        code.line("if (a < 0) " + name + "last = b; else " + word("a", BEFORE) + " = b;");
        unit.method("private void " + name + "unlink(final int g)", code);
    }

    /** Writes the methods for the sessions that have expired, and for one of them. */
    private void end()
    {
        final ExpressionCode all = unit.body();
        all.line("while (" + due() + " <= now) " + name + "end(" + name + "first);");
        unit.method("private void " + name + "end()", all);
        final ExpressionCode code = unit.body();
        code.line(name + "unlink(g);");
        code.line("int x = (int) " + word("g", FIRST) + ';');
        code.open("for (long n = " + word("g", COUNT) + "; n > 0L; n--)");
        code.line("final int p = x;");
        code.line("x = " + cells.next() + "[p];");
        code.line("final int " + cells.columns().position() + " = p;");
        reader.leave(code);
        cells.free(code);
        code.close();
        code.line(word("g", COUNT) + " = 0L;");
        code.line(name + "keys.dies(g);");
        unit.method("private void " + name + "end(final int g)", code);
    }

    /** Writes the method for the sessions of some partitions: all rows of a session belong to one partition. */
    private void forget(final Operand value)
    {
        final ExpressionCode code = unit.body();
        code.open("for (int g = 0; g < " + name + "keys.ids(); g++)");
        code.line("if (" + word("g", COUNT) + " <= 0L) continue;");
        code.line("final int p = (int) " + word("g", FIRST) + ';');
        code.line("if (" + partition.test(value) + ") " + name + "end(g);");
        code.close();
        unit.method("private void " + name + "forget(" + PartitionColumn.PARAMETERS + ')', code);
    }

    @Override
    public void forget(final ExpressionCode code)
    {
        PartitionColumn.call(partition, code, name + "forget");
    }

    @Override
    public String due()
    {
        return '(' + name + "first < 0 ? NEVER : PeriodMath.plus(" + word(name + "first", LAST_NS) + ", " +
            unit.number(window.gapNs(), CqlType.BIGINT) + "))";
    }

    @Override
    public void atDue(final ExpressionCode code)
    {
        code.line(name + "end();");
    }

    @Override
    public void sweep(final ExpressionCode code)
    {
        code.line(name + "keys.sweep(" + keys.keyWords() + ");");
    }

    @Override
    public void state(final ExpressionCode code)
    {
        code.line("figures.accept(\"SessionWindow\", (long) " + cells.size() + ");");
    }
}
