package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import java.util.List;

/**
 * A side of a join whose rows exist for their instant and are looked up once, at its end: they wait until the other
 * side has all changes of the instant.
 *
 * <p>Not thread-safe; used for one class.
 */
final class NowSide extends JoinSide
{
    private final RingGenerator ring;
    private final SideColumns columns;

    NowSide(final UnitSource unit, final JoinGenerator join, final String name, final SideRows rows)
    {
        super(join, name, rows, null);
        ring = new RingGenerator(unit, name);
        columns = new SideColumns(unit, ring.columns(), rows);
    }

    @Override
    public boolean isOfInstant()
    {
        return true;
    }

    @Override
    public Operand read(final ExpressionCode code, final int column, final String index)
    {
        return columns.read(code, column, index);
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        final String index = row.code().name("p");
        row.code().line("final int " + index + " = " + ring.slot(ring.tail()) + ';');
        columns.keep(row.code(), row, index);
        row.code().line(ring.tail() + "++;");
        return List.of();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        throw new IllegalStateException("rows of an instant do not leave");
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        throw new IllegalStateException("rows of an instant do not leave");
    }

    @Override
    public boolean wantsLeaving()
    {
        return false;
    }

    /** Java condition for whether rows wait for the end of the instant. */
    String hasRows()
    {
        return ring.head() + " != " + ring.tail();
    }

    /** Opens the loop over the rows of the instant, which are discarded after it; returns the name of a row's index. */
    String openInstant(final ExpressionCode code)
    {
        code.open("while (" + hasRows() + ')');
        final String index = code.name("p");
        code.line("final int " + index + " = " + ring.slot(ring.head() + "++") + ';');
        return index;
    }

    /** Ends the loop. */
    void closeInstant(final ExpressionCode code, final String index)
    {
        ring.columns().forget(code, index);
        code.close();
    }

    /** The key of the row at an index. */
    List<Operand> key(final ExpressionCode code, final String index)
    {
        return keys().stream().map(column -> read(code, column, index)).toList();
    }

    @Override
    protected String openRows(final ExpressionCode code, final String key)
    {
        throw new IllegalStateException("rows of an instant are not looked for");
    }

    @Override
    protected String found(final ExpressionCode code, final String index)
    {
        return openRows(code, index);
    }

    @Override
    public void write()
    {
        ring.writeGrow();
    }

    @Override
    public String size()
    {
        return ring.size();
    }
}
