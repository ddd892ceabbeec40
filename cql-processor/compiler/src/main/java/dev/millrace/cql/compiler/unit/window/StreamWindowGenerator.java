package dev.millrace.cql.compiler.unit.window;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.compiler.unit.code.PartitionColumn;
import dev.millrace.cql.compiler.unit.code.ReaderEdge;
import dev.millrace.cql.compiler.unit.code.StreamReader;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A window that stores all rows of its stream; operators above it read it through a {@link WindowReader}.
 *
 * <p>Not thread-safe; used for one class.
 */
abstract class StreamWindowGenerator extends StreamReader
{
    private final List<CqlType> types;
    private final List<Integer> reads;
    private final Set<Integer> compares;

    /**
     * @param types     of its rows
     * @param edge      its reader
     * @param own       columns that the window itself reads
     * @param partition of its rows; {@code null} when nothing needs to be discarded
     */
    StreamWindowGenerator(
        final List<CqlType> types, final ReaderEdge edge, final List<Integer> own, final PartitionColumn partition)
    {
        this.types = types;
        final Set<Integer> all = new TreeSet<>(own);
        if (partition != null)
        {
            all.add(partition.column());
        }
        all.addAll(edge.reads(types));
        reads = List.copyOf(all);
        compares = edge.compares(types);
        compares.addAll(own);
        if (partition != null)
        {
            compares.add(partition.column());
        }
    }

    @Override
    public List<CqlType> types()
    {
        return types;
    }

    @Override
    public Set<Integer> compares()
    {
        return compares;
    }

    @Override
    public List<Integer> reads()
    {
        return reads;
    }
}
