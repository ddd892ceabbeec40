package dev.millrace.cql.compiler.unit.window;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.RingGenerator;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.runtime.state.StateField;

/**
 * Rows that leave in any order: each occupies a cell, an index in dedicated columns. Free cells are reused first.
 *
 * <p>Not thread-safe; used for one class.
 */
final class CellGenerator
{
    private final UnitSource unit;
    private final String name;
    private final RingColumns columns;
    private final String next;

    CellGenerator(final UnitSource unit, final String name)
    {
        this.unit = unit;
        this.name = name;
        columns = new RingColumns(unit, name);
        next = columns.addNumbers("int");
        unit.numbers("int", name + "free", "-1");
        unit.scratch("int", name + "used");
        unit.numbers("int", name + "size");
    }

    /** Columns of the rows. */
    RingColumns columns()
    {
        return columns;
    }

    /** Name of the column with a link to another cell; while the cell is in use, its owner may use the column. */
    String next()
    {
        return next;
    }

    /** Java expression of the number of rows. */
    String size()
    {
        return name + "size";
    }

    /** Java expression that allocates a cell; it is negative when the maximum is reached. */
    String take()
    {
        return name + "take()";
    }

    /** Writes code that frees the cell {@code p}, whose row has left. */
    void free(final ExpressionCode code)
    {
        code.line(next + "[p] = " + name + "free;");
        code.line(name + "free = p;");
        code.line(name + "size--;");
    }

    /** Writes its methods, when all columns are known. */
    void write()
    {
        columns.writeGrow(name + "grow", "0", next + ".length");
        columns.state(StateField.Ring.ZERO, name + "used");
        final ExpressionCode code = unit.body();
        code.line("if (" + name + "size >= maxRows || " + name + "free < 0 && " + name + "used == " + next +
            ".length && !" + name + "grow()" + RingGenerator.lacksMemory(columns.carriesTexts()) + ") return -1;");
        code.line(name + "size++;");
        code.line("if (" + name + "free < 0) return " + name + "used++;");
        code.line("final int p = " + name + "free;");
        code.line(name + "free = " + next + "[p];");
        code.line("return p;");
        unit.method("private int " + name + "take()", code);
    }
}
