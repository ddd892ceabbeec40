package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.JoinOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ordered index of a side of a join without keys: rows of the other side find their partners in it by their bounds.
 *
 * <p>Not thread-safe; used for one class.
 */
final class JoinRange implements JoinIndex
{
    private final UnitSource unit;
    private final String name;
    private final JoinOrder order;

    private JoinRange(final UnitSource unit, final String name, final JoinOrder order)
    {
        this.unit = unit;
        this.name = name;
        this.order = order;
    }

    /**
     * The index of a side.
     *
     * @param side prefix of its names
     * @return {@code null} when its rows are not found by an order
     */
    static JoinRange of(final UnitSource unit, final String side, final FlowNode.Join join, final boolean isLeft)
    {
        final JoinOrder order = JoinOrder.of(join, isLeft);
        return order == null ? null : new JoinRange(unit, side + "order", order);
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public String type()
    {
        return "OrderedIndex";
    }

    private static String word(final Operand value)
    {
        return LocalTypes.isFloating(value.type()) ? "OrderedLongs.of(" + value.value() + ')' :
            "(long) " + value.value();
    }

    private static String anyNull(final List<Operand> values)
    {
        return values.stream().filter(Operand::canBeNull).map(Operand::isNull).collect(Collectors.joining(" || "));
    }

    @Override
    public void write(final Body own, final Body other)
    {
        final ExpressionCode add = own.of("final int p, final int rowIndex", "p, rowIndex");
        final List<Operand> values = new ArrayList<>();
        values.add(add.write(order.value()));
        if (order.second() != null)
        {
            values.add(add.write(order.second()));
        }
        final String isNull = anyNull(values);
        add.line((isNull.isEmpty() ? "" : "if (!(" + isNull + ")) ") + name + ".add(rowIndex, " +
            values.stream().map(JoinRange::word).collect(Collectors.joining(", ")) + ");");
        unit.method("private void " + name + "add(final int p, final int rowIndex)", add);
        bound("Low", order.low(), "Math.max", other);
        bound("High", order.high(), "Math.min", other);
    }

    /** A row that has a null bound finds nothing. */
    private void bound(final String suffix, final List<Expression> bounds, final String inner, final Body other)
    {
        final ExpressionCode code = other.of("final int p", "p");
        final boolean isLow = suffix.equals("Low");
        if (bounds.isEmpty())
        {
            code.line("return Long." + (isLow ? "MIN" : "MAX") + "_VALUE;");
        }
        else
        {
            final List<Operand> values = bounds.stream().map(code::write).toList();
            final String isNull = anyNull(values);
            if (!isNull.isEmpty())
            {
                code.line("if (" + isNull + ") return Long." + (isLow ? "MAX" : "MIN") + "_VALUE;");
            }
            String bound = word(values.get(0));
            for (final Operand each : values.subList(1, values.size()))
            {
                bound = inner + '(' + bound + ", " + word(each) + ')';
            }
            code.line("return " + (isLow && order.second() != null ? name + ".least(" + bound + ')' : bound) + ';');
        }
        unit.method("private long " + name + suffix + "(final int p)", code);
    }

    @Override
    public String open(final ExpressionCode code, final String rowIndex)
    {
        final String most = code.name("h");
        final String found = code.name("f");
        code.line("final long " + most + " = " + name + "High(" + rowIndex + ");");
        final String first = name + ".first(" + name + "Low(" + rowIndex + "), " + most + ')';
        code.open("for (int " + found + " = " + first + "; " + found + " >= 0; " + found + " = " + name + ".next(" +
            found + ", " + most + "))");
        return found;
    }

    @Override
    public void add(final ExpressionCode code, final String rowIndex)
    {
        code.line(name + "add(p, " + rowIndex + ");");
    }

    @Override
    public void remove(final ExpressionCode code, final String rowIndex)
    {
        code.line(name + ".remove(" + rowIndex + ");");
    }
}
