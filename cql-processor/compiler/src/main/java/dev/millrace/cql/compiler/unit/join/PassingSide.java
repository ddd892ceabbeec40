package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;

/**
 * A side of a join whose rows match only rows of the other side that arrived before them, and come after those of their
 * instant: they find their partners and are discarded. There is one row at a time.
 *
 * <p>Not thread-safe; used for one class.
 */
final class PassingSide extends JoinSide
{
    /** The index of the row. */
    private static final String ONLY = "0";

    private final UnitSource unit;
    private final RingColumns row;
    private final SideColumns columns;

    PassingSide(final UnitSource unit, final JoinGenerator join, final String name, final SideRows rows)
    {
        super(join, name, rows, null);
        this.unit = unit;
        row = new RingColumns(unit, name);
        columns = new SideColumns(unit, row, rows);
    }

    @Override
    public Operand read(final ExpressionCode code, final int column, final String index)
    {
        return columns.read(code, column, index);
    }

    @Override
    public List<Operand> enter(final SymbolicRow of)
    {
        final ExpressionCode code = of.code();
        columns.lookUp(of);
        final String id = findKey(of, false);
        of.open("if (" + id + " == KeyTable.FULL) full(\"keys\"); else");
        columns.keep(code, of, ONLY);
        code.line(name() + "enter(" + id + ");");
        row.forget(code, ONLY);
        return List.of();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("rows that pass do not leave");
    }

    @Override
    public void leave(final SymbolicRow of)
    {
        throw new IllegalStateException("rows that pass do not leave");
    }

    @Override
    public boolean wantsLeaving()
    {
        return false;
    }

    @Override
    public boolean comesLast()
    {
        return true;
    }

    @Override
    boolean isPassing()
    {
        return true;
    }

    @Override
    protected String openRows(final ExpressionCode code, final String key)
    {
        throw new IllegalStateException("rows that pass are not looked for");
    }

    @Override
    protected String found(final ExpressionCode code, final String index)
    {
        return openRows(code, index);
    }

    @Override
    public void write()
    {
        final ExpressionCode code = unit.body();
        code.line("final int p = " + ONLY + ';');
        join().record(code);
        join().pairs(code, this, true);
        code.line("if (r[k] == 0L) " + join().name() + "keys.dies(g);");
        unit.method("private void " + name() + "enter(final int g)", code);
    }

    @Override
    public String size()
    {
        return "0L";
    }
}
