package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;

/**
 * A ring of rows that leave in order of arrival: columns, positions of the oldest row and of the next one, and times at
 * which rows are due. Positions wrap around; the index of a row is its position under the mask of the columns.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RingGenerator
{
    private final UnitSource unit;
    private final String name;
    private final RingColumns columns;

    /**
     * Declares a ring.
     *
     * @param prefix of the names of its fields and methods
     */
    public RingGenerator(final UnitSource unit, final String prefix)
    {
        this.unit = unit;
        name = unit.name(prefix);
        columns = new RingColumns(unit, name);
        unit.scratch("int", head());
        unit.scratch("int", tail());
    }

    /** Prefix of all its names. */
    public String name()
    {
        return name;
    }

    /** The stored columns of its rows. */
    public RingColumns columns()
    {
        return columns;
    }

    /** Declares a further position between the oldest and the next row. */
    public String position(final String suffix)
    {
        unit.numbers("int", name + suffix);
        return name + suffix;
    }

    /** Position of the oldest row. */
    public String head()
    {
        return name + "head";
    }

    /** Position of the next row. */
    public String tail()
    {
        return name + "tail";
    }

    /** Java expression of the index of a position. */
    public String slot(final String position)
    {
        return position + " & " + columns.length() + " - 1";
    }

    /** Java expression of its number of rows. */
    public String size()
    {
        return '(' + tail() + " - " + head() + ')';
    }

    /**
     * Opens a block of the row in which capacity for it exists.
     *
     * @param full     statement for a row that finds none
     * @param hasTexts whether its rows carry strings, for which memory must be available
     */
    public void openRoom(final SymbolicRow row, final String full, final boolean hasTexts)
    {
        row.open("if (" + size() + " >= maxRows || " + size() + " == " + columns.length() + " && !" + name +
            "grow()" + lacksMemory(hasTexts) + ") " + full + " else");
    }

    /** Java condition, after others, for whether memory for the strings that rows carry is short. */
    public static String lacksMemory(final boolean hasTexts)
    {
        return hasTexts ? " || memory.isShort()" : "";
    }

    /** Writes the method that grows the ring, when all columns are known. */
    public void writeGrow()
    {
        columns.writeGrow(name + "grow", head(), tail());
        columns.state(head(), tail());
    }

    /**
     * Opens the loop over the rows that are due. In it, the first position has moved past the row, and {@code p} is the
     * index of the row.
     *
     * @param from  position of the first row
     * @param to    position after the last one
     * @param times column of their times
     */
    public void openDue(final ExpressionCode code, final String from, final String to, final String times)
    {
        code.open("while (" + from + " != " + to + " && " + times + '[' + slot(from) + "] <= now)");
        code.line("final int " + columns.position() + " = " + from + "++;");
        code.line("final int p = " + slot(columns.position()) + ';');
    }

    /**
     * Java expression of the time at which the next row is due.
     *
     * @param from  position of the first row
     * @param to    position after the last one
     * @param times column of their times
     */
    public String due(final String from, final String to, final String times)
    {
        return '(' + from + " == " + to + " ? NEVER : " + times + '[' + slot(from) + "])";
    }

    /**
     * Writes the method that returns the time at which a row is due.
     *
     * @param time Java expression
     */
    public void writeDue(final String time)
    {
        final ExpressionCode due = unit.body();
        due.line("return " + time + ';');
        unit.method("private long " + dueCall(), due);
    }

    /** Call of the method of {@link #writeDue}. */
    public String dueCall()
    {
        return name + "due()";
    }

    /** Writes the report of its size. */
    public void state(final ExpressionCode code, final String operator)
    {
        code.line("figures.accept(\"" + operator + "\", (long) " + size() + ");");
    }
}
