package dev.millrace.cql.compiler.unit.code;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.LeafText;
import dev.millrace.cql.plan.expression.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The readers of an operator that passes its rows on one by one.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RowReaders
{
    private final List<ReaderEdge> edges;
    private final List<CqlType> types;

    /**
     * @param types of the rows
     */
    public RowReaders(final List<ReaderEdge> edges, final List<CqlType> types)
    {
        this.edges = List.copyOf(edges);
        this.types = List.copyOf(types);
    }

    /** Columns that any of them reads, ascending. */
    public List<Integer> reads()
    {
        final Set<Integer> reads = new TreeSet<>();
        edges.forEach(edge -> reads.addAll(edge.reads(types)));
        return List.copyOf(reads);
    }

    /** Columns that any of them compares or computes with. */
    public Set<Integer> compares()
    {
        final Set<Integer> compares = new TreeSet<>();
        edges.forEach(edge -> compares.addAll(edge.compares(types)));
        return compares;
    }

    /** Whether any of them processes rows that enter, or rows that leave. */
    public boolean want(final boolean enters)
    {
        return edges.stream().map(ReaderEdge::consumer).anyMatch(consumer ->
            enters ? consumer.wantsEntering() : consumer.wantsLeaving());
    }

    /** Whether rows that leave in an instant must come before those that enter. */
    public boolean wantLeavingFirst()
    {
        return edges.stream().anyMatch(edge -> edge.consumer().wantsLeavingFirst());
    }

    /**
     * Writes the methods that make the row at {@code k} enter and leave, if any reader processes it.
     *
     * @param name of all methods of the operator; these are {@link #method}
     * @param row  reads a column of the row at {@code k}
     */
    public void writeMethods(final UnitSource unit, final String name, final LeafText row)
    {
        for (final boolean enters : new boolean[]{true, false})
        {
            if (want(enters))
            {
                final ExpressionCode code = unit.body(row, "final int k", "k");
                give(code, enters);
                unit.method("private void " + method(name, enters) + "(final int k)", code);
            }
        }
    }

    /** Name of the method that makes a row enter or leave. */
    public static String method(final String name, final boolean enters)
    {
        return name + (enters ? "in" : "out");
    }

    /** Writes the code for a row; one that a reader cannot compute is rejected when it enters. */
    public void give(final ExpressionCode code, final boolean enters)
    {
        final List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            columns.add(new Expression.Column(i, types.get(i), true));
        }
        edges.stream().filter(edge -> enters ? edge.consumer().wantsEntering() : edge.consumer().wantsLeaving())
            .forEach(edge -> give(code, edge, columns, enters, row -> row));
    }

    /**
     * Writes the code for a row and one reader; a row that it cannot compute is rejected when it enters.
     *
     * @param origin adds to the row what is known about its origin
     */
    public static void give(final ExpressionCode code, final ReaderEdge edge, final List<Expression> columns,
        final boolean enters, final UnaryOperator<SymbolicRow> origin)
    {
        code.scope(() ->
        {
            code.open("try");
            final SymbolicRow base = origin.apply(new SymbolicRow(code, columns));
            final SymbolicRow row = base.through(edge.calcs());
            edge.consumer().reads().forEach(row::get);
            if (enters)
            {
                edge.consumer().enter(row);
            }
            else
            {
                edge.consumer().leave(row);
            }
            base.close();
            code.close();
            return null;
        });
        code.open("catch (RowRejectedException failure)");
        code.line(enters ? "reject(failure);" : "// It has not entered.");
        code.close();
    }
}
