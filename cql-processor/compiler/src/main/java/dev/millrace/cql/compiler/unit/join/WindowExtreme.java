package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Conditions;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.WindowSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * The greatest (or least) value so far of the rows that wait for the next multiple of a tumbling window, when the
 * window is joined with its own maximum: a row with a lesser value than another one that enters with it finds no
 * partner, and need not be stored.
 *
 * <p>Not thread-safe; used for one class.
 */
final class WindowExtreme
{
    private final int column;
    private final boolean isGreatest;
    private final String best;
    private final String tick;

    private WindowExtreme(final UnitSource unit, final String name, final FlowNode rows, final int column,
        final boolean isGreatest)
    {
        this.column = column;
        this.isGreatest = isGreatest;
        best = name + "best";
        tick = name + "tick";
        unit.value(rows.rows().types().get(column), best);
        unit.numbers("long", tick, "BEGINNING");
    }

    /** A read of a window, through filters and projections. */
    private record Read(FlowNode from, WindowSpec window, List<FlowNode.Calc> calcs)
    {
        static Read of(final FlowNode node)
        {
            final List<FlowNode.Calc> calcs = new ArrayList<>();
            WindowSpec window = null;
            FlowNode from = node;
            while (from instanceof FlowNode.Calc || from instanceof FlowNode.Window && window == null)
            {
                if (from instanceof FlowNode.Calc calc)
                {
                    calcs.add(0, calc);
                }
                else
                {
                    window = ((FlowNode.Window)from).window();
                }
                from = from.inputs().get(0);
            }
            return new Read(from, window, calcs);
        }

        /** Whether no row is filtered, and none can fail. */
        boolean isWhole()
        {
            return calcs.stream().allMatch(calc -> calc.condition() == null && (calc.fields() == null ||
                calc.fields().stream().noneMatch(field -> Conditions.canFail(field.expression()))));
        }

        Expression column(final int index)
        {
            final List<Expression> row = new ArrayList<>();
            for (int i = 0; i < from.rows().size(); i++)
            {
                row.add(new Expression.Column(i, from.rows().types().get(i), true));
            }
            return ExpressionRewriter.behind(calcs, row).get(index);
        }
    }

    /**
     * The extreme of a join of a tumbling window with the single row of a group.
     *
     * @param name    prefix of its names
     * @param rows    the window, through filters and projections
     * @param one     the group, through filters and projections
     * @param keys    columns of the rows that must be equal to those of the group
     * @param oneKeys columns of the group, in the same order
     * @return {@code null} when the group has no extreme of the window, or another condition holds
     */
    static WindowExtreme of(final UnitSource unit, final String name, final FlowNode rows, final FlowNode one,
        final List<Integer> keys, final List<Integer> oneKeys)
    {
        final List<FlowNode.Calc> above = new ArrayList<>();
        FlowNode origin = one;
        while (origin instanceof FlowNode.Calc calc)
        {
            above.add(0, calc);
            origin = calc.input();
        }
        final FlowNode.Group group = (FlowNode.Group)origin;
        final Read ofRows = Read.of(rows);
        final Read ofGroup = Read.of(group.input());
        if (ofRows.window == null || !ofRows.window.equals(ofGroup.window) || !ofRows.from.equals(ofGroup.from) ||
            !ofGroup.isWhole())
        {
            return null;
        }
        final List<Expression> row = new ArrayList<>();
        for (int i = 0; i < group.rows().size(); i++)
        {
            row.add(new Expression.Column(i, group.rows().types().get(i), true));
        }
        final List<Expression> values = ExpressionRewriter.behind(above, row);
        for (int i = 0; i < keys.size(); i++)
        {
            if (values.get(oneKeys.get(i)) instanceof Expression.Column of)
            {
                final FlowNode.Aggregate aggregate = group.aggregates().get(of.column());
                final boolean isGreatest = aggregate.function().equals("max");
                if ((isGreatest || aggregate.function().equals("min")) &&
                    aggregate.filter() == FlowNode.Aggregate.ALL_ROWS &&
                    isCompared(rows.rows().types().get(keys.get(i))) &&
                    ofGroup.column(aggregate.arguments().get(0)).equals(ofRows.column(keys.get(i))))
                {
                    return new WindowExtreme(unit, name, rows, keys.get(i), isGreatest);
                }
            }
        }
        return null;
    }

    private static boolean isCompared(final CqlType type)
    {
        return LocalTypes.isPrimitive(type) && type != CqlType.BOOLEAN;
    }

    /**
     * Opens a block for a row that may still find its partner.
     *
     * @param entersAt Java expression of the multiple at which it enters
     */
    void open(final SymbolicRow row, final String entersAt)
    {
        final ExpressionCode code = row.code();
        final Operand value = row.get(column);
        if (value.canBeNull())
        {
            // Equal to nothing.
            row.open("if (!(" + value.isNull() + "))");
        }
        row.open("if (" + tick + " != " + entersAt + " || !(" + value.value() + (isGreatest ? " < " : " > ") + best +
            "))");
        code.line(tick + " = " + entersAt + ';');
        code.line(best + " = " + value.value() + ';');
    }
}
