package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.plan.Conditions;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A row at some place of a method: its columns as expressions over what the method reads. A column is computed where it
 * is first asked for. Whoever has made the row closes the blocks that were opened for it.
 *
 * <p>Used by one thread, for one method.
 */
public final class Row
{
    private final ExpressionCode code;
    private final List<Expression> columns;
    private final int[] blocks;
    private final Origin origin;

    /**
     * What is known of a row beyond its columns.
     *
     * @param leavesAt Java expression of the time at which it leaves; {@code null} where that is not known
     * @param places   of what can be kept with what some columns came from; {@code null} without
     * @param addsUp   whether what it adds is to be added up there
     */
    private record Origin(String leavesAt, Places places, boolean addsUp)
    {
        static final Origin UNKNOWN = new Origin(null, null, false);
    }

    /** Where numbers can be kept with what columns of a row came from. */
    public interface Places
    {
        /**
         * A variable, which is 0 when the origin of the columns is new.
         *
         * @param columns of the row
         * @param type    int or long
         * @param what    tells it from others
         * @return Java variable, {@code null} where the columns are not of one origin
         */
        String of(Set<Integer> columns, String type, String what);
    }

    /** A row of these columns, in a block of its own. */
    public Row(final ExpressionCode code, final List<Expression> columns)
    {
        this(code, columns, new int[1], Origin.UNKNOWN);
    }

    private Row(final ExpressionCode code, final List<Expression> columns, final int[] blocks, final Origin origin)
    {
        this.code = code;
        this.columns = columns;
        this.blocks = blocks;
        this.origin = origin;
    }

    /** A row of values that are there already. */
    public static Row of(final ExpressionCode code, final List<Operand> values)
    {
        return new Row(code, values.stream().map(code::leaf).toList());
    }

    public ExpressionCode code()
    {
        return code;
    }

    public int size()
    {
        return columns.size();
    }

    /** The same row, which leaves at a time that is known already; its blocks are blocks of the row. */
    public Row leavingAt(final String time)
    {
        return new Row(code, columns, blocks, new Origin(time, origin.places, origin.addsUp));
    }

    /**
     * The same row, some of whose columns came from where numbers can be kept; its blocks are blocks of the row.
     *
     * @param addsUp whether what it adds to a group is to be added up there, for rows that leave together
     */
    public Row with(final Places places, final boolean addsUp)
    {
        return new Row(code, columns, blocks, new Origin(origin.leavesAt, places, addsUp));
    }

    /** Whether what it adds to a group is to be added up where its columns came from. */
    public boolean addsUp()
    {
        return origin.addsUp;
    }

    /**
     * A Java variable of a number that stays with what some columns came from.
     *
     * @param of   columns
     * @param type int or long
     * @param what tells it from others of the same reader
     * @return {@code null} where there is none
     */
    public String place(final List<Integer> of, final String type, final String what)
    {
        final Set<Integer> read = new TreeSet<>();
        of.forEach(column -> Expressions.columns(columns.get(column), read));
        return origin.places == null || read.isEmpty() ? null : origin.places.of(read, type, what);
    }

    /** Java expression of the time at which it leaves; {@code null} where that is not known. */
    public String leavesAt()
    {
        return origin.leavesAt;
    }

    /** Computes a column, or finds it where it was computed before. */
    public Operand get(final int column)
    {
        return code.write(columns.get(column));
    }

    /** All columns. */
    public List<Operand> all()
    {
        final List<Operand> all = new ArrayList<>();
        for (int i = 0; i < size(); i++)
        {
            all.add(get(i));
        }
        return all;
    }

    /** The first columns of the row; blocks that are opened for them are blocks of the row. */
    public Row first(final int count)
    {
        return count == size() ? this : new Row(code, columns.subList(0, count), blocks, origin);
    }

    /** The same row for one of several readers, who closes its blocks. */
    public Row part()
    {
        return new Row(code, columns, new int[1], origin);
    }

    /** Begins a block in which the rest of what happens to the row stands. */
    public void open(final String heading)
    {
        code.open(heading);
        blocks[0]++;
    }

    /** Ends all blocks. */
    public void close()
    {
        for (; blocks[0] > 0; blocks[0]--)
        {
            code.close();
        }
    }

    /** The row behind filters and projections. What can fail is computed here, whoever reads it. */
    public Row through(final List<FlowNode.Calc> calcs)
    {
        Row row = this;
        for (final FlowNode.Calc calc : calcs)
        {
            row = row.through(calc);
        }
        return row;
    }

    private Row through(final FlowNode.Calc calc)
    {
        if (calc.condition() != null)
        {
            open("if (" + code.condition(Expressions.over(calc.condition(), columns::get)) + ')');
        }
        if (calc.fields() == null)
        {
            return this;
        }
        final List<Expression> fields = new ArrayList<>();
        for (final Field field : calc.fields())
        {
            final Expression expression = Expressions.over(field.expression(), columns::get);
            if (Conditions.canFail(expression))
            {
                code.write(expression);
            }
            fields.add(expression);
        }
        return new Row(code, fields, blocks, origin);
    }
}
