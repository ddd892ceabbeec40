package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.List;

/**
 * {@code [rows N [slide M]]}: a ring of the last N rows. With SLIDE, rows wait in it until M of them have arrived, and
 * enter together.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RowsWindowGenerator extends StreamWindowGenerator
{
    private final UnitSource unit;
    private final WindowSpec.Rows window;
    private final RingGenerator ring;
    private final RingColumns columns;
    /** Position of the first row that waits for its step. */
    private final String mid;
    private final WindowReader reader;
    private final String limit;

    public RowsWindowGenerator(
        final UnitSource unit, final WindowSpec.Rows window, final List<CqlType> types, final ReaderEdge edge)
    {
        super(types, edge, List.of(), null);
        this.unit = unit;
        this.window = window;
        ring = new RingGenerator(unit, "w");
        columns = ring.columns();
        mid = ring.position("mid");
        limit = unit.number(window.rows(), CqlType.BIGINT);
        reader = new WindowReader(edge, columns);
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final ExpressionCode code = row.code();
        final boolean isStep = window.slide() > 1;
        if (!isStep)
        {
            code.line("if (" + ring.size() + " >= " + limit + ") " + ring.name() + "leave();");
        }
        ring.openRoom(row, "full(\"rows\");", carriesTexts());
        code.line("final int " + columns.position() + " = " + ring.tail() + ';');
        final String slot = code.name("p");
        code.line("final int " + slot + " = " + ring.slot(columns.position()) + ';');
        if (isStep)
        {
            final List<Operand> kept = columns.keep(code, carried(row), slot);
            code.line(ring.tail() + "++;");
            code.line("if (" + ring.tail() + " - " + mid + " >= " + unit.number(window.slide(), CqlType.BIGINT) + ") " +
                ring.name() + "step();");
            step(kept);
        }
        else
        {
            code.line(ring.tail() + "++;");
            reader.enter(row, slot);
        }
        leave();
        ring.writeGrow();
        return List.of();
    }

    /** Writes the method for the oldest row when it leaves; with SLIDE it may not have entered. */
    private void leave()
    {
        final ExpressionCode code = unit.body();
        code.line("final int " + columns.position() + " = " + ring.head() + "++;");
        code.line("final int p = " + ring.slot(columns.position()) + ';');
        reader.leave(code);
        unit.method("private void " + ring.name() + "leave()", code);
    }

    /** Writes the method for a step: rows that are not among the last ones leave, those that waited enter. */
    private void step(final List<Operand> kept)
    {
        final ExpressionCode code = unit.body();
        code.open("while (" + ring.size() + " > " + limit + ')');
        code.open("if (" + ring.head() + " == " + mid + ')');
        code.line("// It came and went within the step.");
        reader.skip(code, ring.slot(mid + "++"));
        code.close();
        code.line(ring.name() + "leave();");
        code.close();
        code.open("while (" + mid + " != " + ring.tail() + ')');
        code.line("final int " + columns.position() + " = " + mid + "++;");
        code.line("final int p = " + ring.slot(columns.position()) + ';');
        final SymbolicRow row = SymbolicRow.of(code, RingColumns.spread(types(), reads(), kept));
        reader.enter(row, "p");
        row.close();
        code.close();
        unit.method("private void " + ring.name() + "step()", code);
    }

    @Override
    public void state(final ExpressionCode code)
    {
        ring.state(code, "RowsWindow");
    }
}
