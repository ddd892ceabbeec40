package dev.millrace.cql.compiler.unit.window;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import java.util.List;

/**
 * The reader of a window in which a row counts whether it is read or not: filters and projections are applied above it.
 * A row that they drop or cannot compute is still in the window.
 *
 * <p>Not thread-safe; used for one class.
 */
final class WindowReader
{
    private final ReaderEdge edge;
    private final RingColumns columns;
    /** Whether the reader has the row. */
    private final String taken;
    private List<Operand> remembered;

    /** Adds columns for the values that must be stored for a row to a window. */
    WindowReader(final ReaderEdge edge, final RingColumns columns)
    {
        this.edge = edge;
        this.columns = columns;
        taken = columns.addNumbers("boolean");
        edge.consumer().over(columns);
    }

    /** Writes code for the row at an index, which the reader never gets. */
    void skip(final ExpressionCode code, final String slot)
    {
        code.line(taken + '[' + slot + "] = false;");
    }

    /** Writes the code for a row in the window, at an index. */
    void enter(final SymbolicRow row, final String slot)
    {
        final ExpressionCode code = row.code();
        skip(code, slot);
        code.scope(() ->
        {
            code.open("try");
            final SymbolicRow part = row.part();
            final SymbolicRow read = part.through(edge.calcs());
            edge.consumer().reads().forEach(read::get);
            remembered = columns.keep(code, edge.consumer().remembered(edge.consumer().enter(read)), slot);
            code.line(taken + '[' + slot + "] = true;");
            part.close();
            code.close();
            return null;
        });
        code.open("catch (RowRejectedException failure)");
        code.line("reject(failure);");
        code.close();
    }

    /** Writes the code for the row at the index {@code p} that leaves before its time, at which it is skipped. */
    void leaveEarly(final ExpressionCode code)
    {
        code.open("if (" + taken + "[p])");
        edge.consumer().leave(code, remembered);
        skip(code, "p");
        code.close();
    }

    /** Writes the code for the row at the index {@code p} that leaves; there are no references to it afterwards. */
    void leave(final ExpressionCode code)
    {
        code.open("if (" + taken + "[p])");
        edge.consumer().leave(code, remembered);
        code.close();
        columns.forget(code, "p");
    }
}
