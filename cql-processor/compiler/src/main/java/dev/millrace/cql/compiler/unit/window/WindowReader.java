package dev.millrace.cql.compiler.unit.window;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.Edge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.Row;
import java.util.List;

/**
 * What reads a window in which a row counts whether it is read or not: filters and projections stand above it. A row
 * that they drop or cannot compute is in the window all the same.
 *
 * <p>Used by one thread, for one class.
 */
final class WindowReader
{
    private final Edge edge;
    private final RingColumns columns;
    /** Whether the reader has the row. */
    private final String taken;
    private List<Operand> remembered;

    /** Adds what is to be remembered of a row to the columns of a window. */
    WindowReader(final Edge edge, final RingColumns columns)
    {
        this.edge = edge;
        this.columns = columns;
        taken = columns.addNumbers("boolean");
        edge.consumer().over(columns);
    }

    /** Writes that the reader never gets the row at a place. */
    void skip(final ExpressionCode code, final String place)
    {
        code.line(taken + '[' + place + "] = false;");
    }

    /** Writes what happens when a row is in the window, at a place. */
    void enter(final Row row, final String place)
    {
        final ExpressionCode code = row.code();
        skip(code, place);
        code.scope(() ->
        {
            code.open("try");
            final Row part = row.part();
            final Row read = part.through(edge.calcs());
            edge.consumer().reads().forEach(read::get);
            remembered = columns.keep(code, edge.consumer().remembered(edge.consumer().enter(read)), place);
            code.line(taken + '[' + place + "] = true;");
            part.close();
            code.close();
            return null;
        });
        code.open("catch (RowRejectedException failure)");
        code.line("reject(failure);");
        code.close();
    }

    /** Writes what happens when the row at the place {@code p} leaves before its time, at which it is passed over. */
    void leaveEarly(final ExpressionCode code)
    {
        code.open("if (" + taken + "[p])");
        edge.consumer().leave(code, remembered);
        skip(code, "p");
        code.close();
    }

    /** Writes what happens when the row at the place {@code p} leaves, to which nothing refers then. */
    void leave(final ExpressionCode code)
    {
        code.open("if (" + taken + "[p])");
        edge.consumer().leave(code, remembered);
        code.close();
        columns.forget(code, "p");
    }
}
