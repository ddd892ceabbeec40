package dev.millrace.cql.compiler.unit.join;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.compiler.unit.output.NetChangeGenerator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;

/**
 * Pairs of a join that leave at the end of their instant: rows that leave are recorded, and processed if pairs of their
 * key have entered in the same instant.
 *
 * <p>Not thread-safe; used for one class.
 */
final class DeferredPairs
{
    private final UnitSource unit;
    private final FlowNode.Join join;
    private final JoinStrategy strategy;
    private final List<ReaderEdge> edges;
    private final String name;
    private final JoinKeyRecord record;
    private final JoinOutput output;
    private final RingSide left;
    private final RingSide right;

    DeferredPairs(final UnitSource unit, final FlowNode.Join join, final JoinStrategy strategy,
        final List<ReaderEdge> edges, final String name, final JoinKeyRecord record, final JoinOutput output,
        final RingSide left, final RingSide right)
    {
        this.unit = unit;
        this.join = join;
        this.strategy = strategy;
        this.edges = edges;
        this.name = name;
        this.record = record;
        this.output = output;
        this.left = left;
        this.right = right;
    }

    /** Writes the record of a row of a side that leaves from position {@code id}, with its current partners. */
    void writeRecord(final ExpressionCode code, final boolean ofLeft)
    {
        code.line("if (r[k + " + record.count(!ofLeft) + "] != 0L) " + name + "later(" + (ofLeft ? 0 : 1) +
            ", id, (int) r[k + " + record.oldest(!ofLeft) + "], (int) r[k + " + record.count(!ofLeft) + "]);");
    }

    /** Writes the code for the end of an instant: processes the records and releases the rows. */
    void close(final ExpressionCode code)
    {
        code.open("if (" + name + "count > 0)");
        code.line("if (" + String.join(" || ", edges.stream().map(edge ->
            ((NetChangeGenerator)edge.consumer()).hasRows()).toList()) + ") " + name + "close();");
        code.line(name + "count = 0;");
        code.close();
        left.release(code);
        right.release(code);
    }

    /** Writes the methods that record a row that leaves, and that process the records of an instant. */
    void write()
    {
        unit.numbers("int[]", name + "gone", "new int[64]");
        unit.numbers("int", name + "count");
        final ExpressionCode later = unit.body();
        later.line("if (" + name + "count == " + name + "gone.length) " + name + "gone = java.util.Arrays.copyOf(" +
            name + "gone, " + name + "count * 2);");
        for (final String each : List.of("side", "id", "first", "partners"))
        {
            later.line(name + "gone[" + name + "count++] = " + each + ';');
        }
        unit.method("private void " + name + "later(final int side, final int id, final int first, " +
            "final int partners)", later);
        final ExpressionCode code = unit.body();
        code.line("final int[] gone = " + name + "gone;");
        code.line("final long[] r = " + record.keys().records() + ';');
        code.open("for (int i = 0; i < " + name + "count; i += 4)");
        code.line("int x = gone[i + 2];");
        code.open("if (gone[i] == 0)");
        partners(code, left, right);
        code.close();
        code.open("else");
        partners(code, right, left);
        code.close();
        code.close();
        unit.method("private void " + name + "close()", code);
    }

    private void partners(final ExpressionCode code, final RingSide side, final RingSide other)
    {
        code.line("final int a = " + side.slot("gone[i + 1]") + ';');
        if (edges.stream().allMatch(edge -> isKeyShown(edge.calcs())))
        {
            code.line("if (" + record.stampOf(side.key("a")) + " != instant) continue;");
        }
        code.open("for (int n = gone[i + 3]; n > 0; n--)");
        code.line("final int b = " + other.slot("x") + ';');
        code.line("x = " + other.next("b") + ';');
        code.line(output.pair(false, side == left ? "a" : "b", side == left ? "b" : "a") + ';');
        code.close();
    }

    /** Whether rows after projections are different for different keys. */
    private boolean isKeyShown(final List<FlowNode.Calc> calcs)
    {
        final List<Expression> last = ExpressionRewriter.behind(calcs, strategy.columns(join.rows().size()));
        final int leftColumns = join.left().rows().size();
        for (int i = 0; i < join.leftKeys().size(); i++)
        {
            final int ofLeft = join.leftKeys().get(i);
            final int ofRight = join.rightKeys().get(i) + leftColumns;
            if (last.stream().noneMatch(each -> each instanceof Expression.Column column &&
                (column.column() == ofLeft || column.column() == ofRight)))
            {
                return false;
            }
        }
        return true;
    }
}
