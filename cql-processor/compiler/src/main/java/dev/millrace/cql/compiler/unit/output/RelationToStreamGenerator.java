package dev.millrace.cql.compiler.unit.output;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RowConsumer;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * ISTREAM and DSTREAM over a relation whose changes are net: rows that enter, or those that leave, are emitted at once.
 * So are the rows of RSTREAM over a relation that contains rows of the instant only.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class RelationToStreamGenerator implements RowConsumer
{
    private final boolean isEntering;
    private final boolean isNet;
    private final List<CqlType> types;
    private final List<ReaderEdge> edges;

    /**
     * @param isEntering whether rows that enter are emitted, otherwise those that leave
     * @param isNet      whether equal rows never enter and leave in the same instant
     * @param types      of the rows
     */
    public RelationToStreamGenerator(
        final boolean isEntering, final boolean isNet, final List<CqlType> types, final List<ReaderEdge> edges)
    {
        this.isNet = isNet;
        this.isEntering = isEntering;
        this.types = types;
        this.edges = edges;
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public boolean wantsNet()
    {
        return isNet;
    }

    @Override
    public boolean isOfInstant()
    {
        return !isNet;
    }

    @Override
    public List<Integer> reads()
    {
        return IntStream.range(0, types.size()).boxed().toList();
    }

    @Override
    public Set<Integer> compares()
    {
        final Set<Integer> compares = new TreeSet<>();
        edges.forEach(edge -> compares.addAll(edge.compares(types)));
        return compares;
    }

    @Override
    public List<Operand> enter(final SymbolicRow row)
    {
        if (isEntering)
        {
            give(row);
        }
        return row.all();
    }

    @Override
    public void leave(final ExpressionCode code, final List<Operand> remembered)
    {
        final SymbolicRow row = SymbolicRow.of(code, remembered);
        leave(row);
        row.close();
    }

    @Override
    public void leave(final SymbolicRow row)
    {
        if (!isEntering)
        {
            give(row);
        }
    }

    private void give(final SymbolicRow row)
    {
        for (final ReaderEdge edge : edges)
        {
            row.code().scope(() ->
            {
                final SymbolicRow part = row.part();
                edge.consumer().enter(part.through(edge.calcs()));
                part.close();
                return null;
            });
        }
    }

    @Override
    public boolean wantsEntering()
    {
        return isEntering;
    }

    @Override
    public boolean wantsLeaving()
    {
        return !isEntering;
    }
}
