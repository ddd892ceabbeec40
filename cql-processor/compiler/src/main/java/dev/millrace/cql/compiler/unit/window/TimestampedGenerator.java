package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.expression.Operand;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.RingColumns;
import dev.millrace.cql.compiler.unit.code.StreamReader;
import dev.millrace.cql.compiler.unit.code.SymbolicRow;
import java.util.List;

/**
 * A stream whose rows have their time as the last column.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class TimestampedGenerator extends StreamReader
{
    private final List<CqlType> types;
    private final ReaderEdge edge;
    private final List<Integer> reads;

    /**
     * @param types of the rows without the time
     * @param timed types of the rows with the time
     */
    public TimestampedGenerator(final List<CqlType> types, final List<CqlType> timed, final ReaderEdge edge)
    {
        this.types = types;
        this.edge = edge;
        reads = edge.reads(timed).stream().filter(column -> column < types.size()).toList();
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public List<Integer> reads()
    {
        return reads;
    }

    @Override
    protected List<Operand> take(final SymbolicRow row)
    {
        final List<Operand> values = RingColumns.spread(types, reads, reads.stream().map(row::get).toList());
        values.add(Operand.notNull("now", CqlType.BIGINT));
        row.code().scope(() ->
        {
            final SymbolicRow timed = SymbolicRow.of(row.code(), values);
            final SymbolicRow read = timed.through(edge.calcs());
            edge.consumer().reads().forEach(read::get);
            edge.consumer().enter(read);
            timed.close();
            return null;
        });
        return List.of();
    }
}
