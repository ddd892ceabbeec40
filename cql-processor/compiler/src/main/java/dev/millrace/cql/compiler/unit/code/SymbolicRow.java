package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A row at some point of a method: its columns as expressions over what the method reads. A column is computed where it
 * is first used. The creator of the row closes the blocks that were opened for it.
 *
 * <p>Not thread-safe; used for one method.
 */
public final class SymbolicRow
{
    private final ExpressionCode code;
    private final List<Expression> columns;
    private final int[] blocks;
    private final Origin origin;

    /**
     * Properties of a row other than its columns.
     *
     * @param leavesAt Java expression of the time at which it leaves; {@code null} when it is not known
     * @param stored   variables that can be stored with the origin of some columns; {@code null} without
     * @param addsUp   whether contributions to groups are summed at the origin
     * @param number   Java variable with its number in the batch; {@code null} when it does not come from a batch
     */
    private record Origin(String leavesAt, StoredVariables stored, boolean addsUp, String number)
    {
        static final Origin UNKNOWN = new Origin(null, null, false, null);
    }

    /** Provides variables that are stored with the origin of some columns of a row. */
    public interface StoredVariables
    {
        /**
         * A variable that is 0 when the origin of the columns is new.
         *
         * @param columns of the row
         * @param type    int or long
         * @param what    distinguishes it from others
         * @return Java variable, {@code null} when the columns do not have one origin
         */
        String of(Set<Integer> columns, String type, String what);
    }

    /** A row of these columns, in a separate block. */
    public SymbolicRow(final ExpressionCode code, final List<Expression> columns)
    {
        this(code, columns, new int[1], Origin.UNKNOWN);
    }

    private SymbolicRow(final ExpressionCode code, final List<Expression> columns, final int[] blocks,
        final Origin origin)
    {
        this.code = code;
        this.columns = columns;
        this.blocks = blocks;
        this.origin = origin;
    }

    /** A row of values that have been computed. */
    public static SymbolicRow of(final ExpressionCode code, final List<Operand> values)
    {
        return new SymbolicRow(code, values.stream().map(code::leaf).toList());
    }

    public ExpressionCode code()
    {
        return code;
    }

    public int size()
    {
        return columns.size();
    }

    /** The same row with a known leave time; its blocks are blocks of the row. */
    public SymbolicRow leavingAt(final String time)
    {
        return new SymbolicRow(code, columns, blocks, new Origin(time, origin.stored, origin.addsUp,
            origin.number));
    }

    /**
     * The same row, with variables at the origin of some columns; its blocks are blocks of the row.
     *
     * @param addsUp whether contributions to a group are summed at the origin, for rows that leave together
     */
    public SymbolicRow with(final StoredVariables stored, final boolean addsUp)
    {
        return new SymbolicRow(code, columns, blocks, new Origin(origin.leavesAt, stored, addsUp, origin.number));
    }

    /** The same row, whose number in its batch is in a variable; its blocks are blocks of the row. */
    public SymbolicRow numbered(final String number)
    {
        return new SymbolicRow(code, columns, blocks,
            new Origin(origin.leavesAt, origin.stored, origin.addsUp, number));
    }

    /** Java variable with its number in the batch, by which keys may have been found ahead; {@code null} without. */
    public String number()
    {
        return origin.number;
    }

    /** Whether contributions to a group are summed at the origin of its columns. */
    public boolean addsUp()
    {
        return origin.addsUp;
    }

    /**
     * A Java variable that is stored with the origin of some columns.
     *
     * @param of   columns
     * @param type int or long
     * @param what distinguishes it from others of the same reader
     * @return {@code null} if none exists
     */
    public String storedVariable(final List<Integer> of, final String type, final String what)
    {
        final Set<Integer> read = new TreeSet<>();
        of.forEach(column -> ExpressionRewriter.columns(columns.get(column), read));
        return origin.stored == null || read.isEmpty() ? null : origin.stored.of(read, type, what);
    }

    /** Java expression of the time at which it leaves; {@code null} when it is not known. */
    public String leavesAt()
    {
        return origin.leavesAt;
    }

    /** Computes a column, or returns the value that was computed before. */
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
    public SymbolicRow first(final int count)
    {
        return count == size() ? this : new SymbolicRow(code, columns.subList(0, count), blocks, origin);
    }

    /** The same row for one of several readers, which closes its blocks. */
    public SymbolicRow part()
    {
        return new SymbolicRow(code, columns, new int[1], origin);
    }

    /** Opens a block that contains the rest of the code for the row. */
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

    /**
     * The row after filters and projections. Expressions that can fail are computed here, regardless of the readers.
     */
    public SymbolicRow through(final List<FlowNode.Calc> calcs)
    {
        SymbolicRow row = this;
        for (final FlowNode.Calc calc : calcs)
        {
            row = row.through(calc);
        }
        return row;
    }

    private SymbolicRow through(final FlowNode.Calc calc)
    {
        if (calc.condition() != null)
        {
            open("if (" + code.condition(ExpressionRewriter.over(calc.condition(), columns::get)) + ')');
        }
        if (calc.fields() == null)
        {
            return this;
        }
        final List<Expression> fields = new ArrayList<>();
        for (final Field field : calc.fields())
        {
            final Expression expression = ExpressionRewriter.over(field.expression(), columns::get);
            if (Conditions.canFail(expression))
            {
                code.write(expression);
            }
            fields.add(expression);
        }
        return new SymbolicRow(code, fields, blocks, origin);
    }
}
