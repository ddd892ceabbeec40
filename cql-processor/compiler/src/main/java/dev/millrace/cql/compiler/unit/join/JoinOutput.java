package dev.millrace.cql.compiler.unit.join;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LocalTypes;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ExpressionRewriter;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.RowReaders;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import dev.millrace.cql.compiler.unit.code.UnitSource;
import dev.millrace.cql.compiler.unit.group.GroupGenerator;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import java.util.List;
import java.util.Set;

/**
 * Emission of a join: methods that make a pair, all pairs of a row, or a left row without partners enter or leave.
 *
 * <p>Not thread-safe; used for one class.
 */
final class JoinOutput
{
    private static final String PARAMETERS = "final int p, final int q";

    private final UnitSource unit;
    private final FlowNode.Join join;
    private final JoinStrategy strategy;
    private final List<ReaderEdge> edges;
    private final String name;
    private final JoinSide left;
    private final JoinSide right;

    JoinOutput(final UnitSource unit, final FlowNode.Join join, final JoinStrategy strategy,
        final List<ReaderEdge> edges, final String name, final JoinSide left, final JoinSide right)
    {
        this.unit = unit;
        this.join = join;
        this.strategy = strategy;
        this.edges = edges;
        this.name = name;
        this.left = left;
        this.right = right;
    }

    /** The call that makes a pair enter or leave, true for rows that are a pair. */
    String pair(final boolean enters, final String ofLeft, final String ofRight)
    {
        return pairMethod(enters) + '(' + ofLeft + ", " + ofRight + ')';
    }

    private String pairMethod(final boolean enters)
    {
        return name + (enters ? "in" : "out");
    }

    /** The call that makes all pairs of a row leave. */
    String allPairs(final String index)
    {
        return name + "all(" + index + ')';
    }

    /** Name of the method that makes a left row without partners enter or leave. */
    String alone(final boolean enters)
    {
        return name + "alone" + (enters ? "In" : "Out");
    }

    /** Writes the method that makes a pair enter or leave; it returns whether the rows are a pair. */
    void writePair(final boolean enters)
    {
        final ExpressionCode code = unit.body(this::read, PARAMETERS, "p, q");
        if (join.condition() != null)
        {
            code.scope(() ->
            {
                code.open("try");
                code.line("if (!(" + code.condition(join.condition()) + ")) return false;");
                code.close();
                return null;
            });
            code.open("catch (RowRejectedException failure)");
            if (enters)
            {
                code.line("reject(failure);");
            }
            code.line("return false;");
            code.close();
        }
        give(code, strategy.columns(join.rows().size()), enters, true);
        code.line("return true;");
        unit.method("private boolean " + pairMethod(enters) + '(' + PARAMETERS + ')', code);
    }

    /** Writes the method that makes a left row, with nulls instead of a partner, enter or leave. */
    void writeAlone(final boolean enters)
    {
        final ExpressionCode code = unit.body(this::read, "final int p", "p");
        final int leftColumns = join.left().rows().size();
        final List<Expression> row = strategy.columns(leftColumns);
        for (final CqlType type : join.right().rows().types())
        {
            final String textCode = type == CqlType.CHAR ? "0" : null;
            row.add(code.leaf(new Operand('(' + LocalTypes.zero(type) + ')', "true", type, textCode, null)));
        }
        if (enters || strategy.isLeavingRead())
        {
            give(code, row, enters, false);
        }
        unit.method("private void " + alone(enters) + "(final int p)", code);
    }

    /** Writes the method that makes all pairs of a row leave. */
    void writeAllPairs()
    {
        final String index = strategy.leavingTogether() == join.left() ? "p" : "q";
        final ExpressionCode code = unit.body(this::read, "final int " + index, index);
        final SymbolicRow row = new SymbolicRow(code,
            ExpressionRewriter.behind(edges.get(0).calcs(), strategy.columns(join.rows().size())))
            .with((of, type, what) -> storedVariable(of, type, 0 + what), true);
        ((GroupGenerator)edges.get(0).consumer()).leaveTogether(row);
        row.close();
        unit.method("private void " + allPairs("final int " + index), code);
    }

    /** Passes a row to the readers; one that they cannot compute is rejected when it enters. */
    private void give(
        final ExpressionCode code, final List<Expression> columns, final boolean enters, final boolean isPair)
    {
        for (int i = 0; i < edges.size(); i++)
        {
            final RowConsumer consumer = edges.get(i).consumer();
            final int reader = i;
            if (enters ? consumer.wantsEntering() : consumer.wantsLeaving())
            {
                RowReaders.give(code, edges.get(i), columns, enters, row -> origin(row, reader, enters, isPair));
            }
        }
    }

    private SymbolicRow origin(final SymbolicRow row, final int reader, final boolean enters, final boolean isPair)
    {
        final SymbolicRow placed = !isPair ? row : row.with((of, type, what) ->
            storedVariable(of, type, reader + what), strategy.leavingTogether() != null);
        return enters && strategy.isTimed() ? placed.leavingAt(left.isPassing() ? right.leavesAt("q") :
            right.isPassing() ? left.leavesAt("p") : "Math.min(" + left.leavesAt("p") + ", " + right.leavesAt("q") +
            ')') : placed;
    }

    /** A variable that a reader may store with the row of the side from which all of some columns come. */
    private String storedVariable(final Set<Integer> of, final String type, final String what)
    {
        final int leftColumns = join.left().rows().size();
        return of.stream().allMatch(column -> column >= 0 && column < leftColumns) ?
            left.storedVariable(type, what, "p") :
            of.stream().allMatch(column -> column >= leftColumns) ? right.storedVariable(type, what, "q") : null;
    }

    /** A column of the left row at {@code p} or of the right one at {@code q}. */
    private Operand read(final Expression leaf, final ExpressionCode code)
    {
        final int column = ((Expression.Column)leaf).column();
        final int leftColumns = join.left().rows().size();
        return column < leftColumns ? left.read(code, column, "p") : right.read(code, column - leftColumns, "q");
    }
}
