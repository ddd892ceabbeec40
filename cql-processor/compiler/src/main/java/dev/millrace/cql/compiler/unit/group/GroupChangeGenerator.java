package dev.millrace.cql.compiler.unit.group;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LeafText;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;

/**
 * The method that passes the change of a group to one of its readers: old and new row pass filters and projections;
 * nothing happens when the results are equal. A new row that cannot be computed is rejected and does not exist; the
 * same applies to the old row.
 *
 * <p>Not thread-safe; used for one method.
 */
public final class GroupChangeGenerator
{
    private static final int MOST_COMPARED = 32;

    private final UnitSource unit;
    private final ReaderEdge edge;
    private final List<Expression> columns;
    private final int keys;
    private final ExpressionCode code;
    private final List<Operand> oldRow = new ArrayList<>();
    private final List<Operand> newRow = new ArrayList<>();

    /**
     * @param columns of the old row, then of the new row
     * @param keys    number of key columns at the beginning of both
     * @param leaves  reads the columns
     */
    public GroupChangeGenerator(final UnitSource unit, final ReaderEdge edge, final List<Expression> columns,
        final int keys,
        final LeafText leaves)
    {
        this.keys = keys;
        this.unit = unit;
        this.edge = edge;
        this.columns = columns;
        code = unit.body(leaves, "final long[] r, final long[] old, final int g, final int k, final int o, final int b",
            "r, old, g, k, o, b");
    }

    /**
     * Writes the method: phase 1 makes the old row leave, phase 2 makes the new one enter, 3 does both. Phase 1 returns
     * whether there is a new row to enter; phase 2 is called only in this case and does not read the old row.
     *
     * @param method its name
     * @param head   statements at its beginning
     */
    public void write(final String method, final List<String> head)
    {
        final boolean hasKeys = keys > 0;
        head.forEach(code::line);
        code.line("boolean was = phase != 2 && old[b] " + (hasKeys ? "> 0L;" : ">= 0L;"));
        code.line("boolean is = " + (hasKeys ? "r[o] > 0L;" : "true;"));
        final int size = columns.size() / 2;
        compute("was", columns.subList(0, size), oldRow, "");
        compute("is", columns.subList(size, columns.size()), newRow, "reject(failure);");
        final List<String> equalities = new ArrayList<>();
        for (int i = 0; i < oldRow.size(); i++)
        {
            if (!oldRow.get(i).equals(newRow.get(i)))
            {
                equalities.add(equal(oldRow.get(i), newRow.get(i)));
            }
        }
        returnIfEqual(equalities);
        if (edge.consumer().wantsLeaving())
        {
            give("was", oldRow, false);
        }
        if (edge.consumer().wantsEntering())
        {
            give("is && (phase & 2) != 0", newRow, true);
        }
        code.line("return is;");
        unit.method("private boolean " + method + "(final int j, final int phase)", code);
    }

    /** A condition over few columns is one statement. */
    private void returnIfEqual(final List<String> equalities)
    {
        if (equalities.size() <= MOST_COMPARED)
        {
            code.line("if (was && is" + (equalities.isEmpty() ? "" : " && " + String.join(" && ", equalities)) +
                ") return false;");
            return;
        }
        code.line("boolean same = was && is;");
        for (int i = 0; i < equalities.size(); i += MOST_COMPARED)
        {
            code.line("if (same) same = " + String.join(" && ", equalities.subList(i,
                Math.min(i + MOST_COMPARED, equalities.size()))) + ';');
        }
        code.line("if (same) return false;");
    }

    /** Writes the computation of one row into variables that are declared outside of its block. */
    private void compute(final String flag, final List<Expression> row, final List<Operand> into, final String fault)
    {
        final List<Expression> last = ExpressionRewriter.behind(edge.calcs(), row);
        final List<Operand> variables = new ArrayList<>();
        for (final Expression expression : last)
        {
            variables.add(isKey(expression) ? code.write(expression) : variable(expression.type()));
        }
        into.addAll(variables);
        code.scope(() ->
        {
            code.open("if (" + flag + ')');
            code.open("try");
            code.line(flag + " = false;");
            final SymbolicRow base = new SymbolicRow(code, row);
            final SymbolicRow behind = base.through(edge.calcs());
            for (int i = 0; i < last.size(); i++)
            {
                if (!isKey(last.get(i)))
                {
                    assign(variables.get(i), behind.get(i));
                }
            }
            code.line(flag + " = true;");
            base.close();
            code.close();
            code.open("catch (RowRejectedException failure)");
            code.line(fault);
            code.close();
            code.close();
            return null;
        });
    }

    /** Whether a column is a key, which is equal in both rows. */
    private boolean isKey(final Expression expression)
    {
        return expression instanceof Expression.Column column && column.column() < keys;
    }

    private Operand variable(final CqlType type)
    {
        final String flag = code.name("n");
        code.line("boolean " + flag + " = true;");
        final String value = code.name("v");
        code.line(LocalTypes.local(type) + ' ' + value + " = " + LocalTypes.zero(type) + ';');
        return new Operand(value, flag, type);
    }

    private void assign(final Operand variable, final Operand value)
    {
        code.line(variable.isNull() + " = " + value.isNull() + ';');
        code.line(variable.value() + " = " + value.value() + ';');
    }

    private void give(final String condition, final List<Operand> row, final boolean enters)
    {
        final SymbolicRow change = SymbolicRow.of(code, row);
        change.open("if (" + condition + ')');
        if (enters)
        {
            edge.consumer().enter(change);
        }
        else
        {
            edge.consumer().leave(change);
        }
        change.close();
    }

    /** A comparison of two values as source text; both may be null. */
    private static String equal(final Operand a, final Operand b)
    {
        final String values = a.type() == CqlType.CHAR && a.code() != null && b.code() != null ?
            a.code() + " == " + b.code() : LocalTypes.isFloating(a.type()) ?
            "Double.compare(" + a.value() + " + 0.0, " + b.value() + " + 0.0) == 0" : a.type() == CqlType.CHAR ?
            a.value() + ".equals(" + b.value() + ')' : !LocalTypes.isPrimitive(a.type()) ?
            "Values.isSame(" + a.value() + ", " + b.value() + ')' : a.value() + " == " + b.value();
        if (!a.canBeNull() && !b.canBeNull() || a.code() != null && b.code() != null)
        {
            return values;
        }
        return '(' + a.isNull() + " ? " + b.isNull() + " : !" + b.isNull() + " && " + values + ')';
    }
}
