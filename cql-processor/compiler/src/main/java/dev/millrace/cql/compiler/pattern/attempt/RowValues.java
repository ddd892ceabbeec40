package dev.millrace.cql.compiler.pattern.attempt;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.pattern.AttemptLayout;
import dev.millrace.cql.compiler.pattern.Register;
import dev.millrace.cql.compiler.pattern.StoredColumn;
import dev.millrace.cql.plan.expression.Expression;

/**
 * Source text for values of the current row and of earlier rows: columns of the row are fields {@code x..} and
 * {@code z..} (null) of the class; {@code r, o, p} are array, index and id of the partition.
 */
final class RowValues
{
    private final AttemptLayout layout;
    private final Registers registers;

    RowValues(final AttemptLayout layout, final Registers registers)
    {
        this.layout = layout;
        this.registers = registers;
    }

    /** A column of the current row. */
    static Operand ofRow(final Expression leaf)
    {
        if (leaf instanceof Expression.Column column)
        {
            return new Operand("x" + column.column(), "z" + column.column(), column.type());
        }
        throw new IllegalStateException("not a column of a row, leaf=" + leaf);
    }

    /** The test whether a row is older than a limit and therefore null. */
    String isOlder(final int back, final long maxAgeNs)
    {
        return maxAgeNs < 0 ? "" :
            " || nowNs - r[o + " + (layout.partition().agesAt() + back - 1) + "] > " + maxAgeNs + 'L';
    }

    Operand row(final Register register, final ExpressionCode code)
    {
        return row(((Expression.Column)register.value()).column(), register.back(), register.maxAgeNs(),
            register.type(), code);
    }

    Operand row(
        final int column, final int back, final long maxAgeNs, final CqlType type, final ExpressionCode code)
    {
        if (back == 0)
        {
            return new Operand("x" + column, "z" + column, type);
        }
        final StoredColumn kept = layout.partition().earlier(column);
        final String value = kept.isReference() ?
            '(' + LocalTypes.local(type) + ") partitions.reference(p, " + (kept.index() + back - 1) + ')' :
            Registers.decode(type, "r[o + " + (kept.index() + back - 1) + ']');
        final String isNull = kept.flag() >= 0 ? "(r[o] & 1L << " + (kept.flag() + back - 1) + ") != 0L" :
            "r[o + " + (kept.known() + back - 1) + "] == 0L";
        return code.declare(value, isNull + isOlder(back, maxAgeNs), type);
    }

    /** An argument of an aggregate, of the current row. */
    Operand argument(final Expression argument, final ExpressionCode code)
    {
        final int computed = layout.computed().indexOf(argument);
        return computed < 0 ? code.write(argument) :
            new Operand("argument" + computed, "noArgument" + computed, argument.type());
    }

    /** The variable of an earlier row. */
    Operand earlierLabel(final int back, final long maxAgeNs, final ExpressionCode code)
    {
        final Operand label = registers.value(layout.registers().earlierLabel(back), code);
        return maxAgeNs < 0 ? label : code.declare(label.value(), label.isNull() + isOlder(back, maxAgeNs),
            label.type());
    }
}
