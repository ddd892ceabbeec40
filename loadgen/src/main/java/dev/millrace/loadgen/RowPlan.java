package dev.millrace.loadgen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which rows of a data file each connection sends, and in which order: connection c sends its rows from first to last
 * and starts again, for ever. Immutable; together with the number of rows each connection sent it says exactly what
 * went out.
 *
 * <p>With {@link GeneratorSettings.Split#SYMBOL} the different values of the split column are dealt to the
 * connections in turn, in order of first appearance. With {@link GeneratorSettings.Split#COPY} each connection sends
 * all rows.
 */
public final class RowPlan
{
    private final int[][] rowsOf;

    private RowPlan(final int[][] rowsOf)
    {
        this.rowsOf = rowsOf;
    }

    /**
     * Plans the rows of a file.
     *
     * @param data     the file
     * @param settings says split, split column and number of connections
     * @return the plan
     * @throws GeneratorException when a connection would have nothing to send
     */
    public static RowPlan of(final DataFile data, final GeneratorSettings settings) throws GeneratorException
    {
        if (settings.split() == GeneratorSettings.Split.SYMBOL && settings.splitColumn() >= data.columnCount())
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0104 test.splitColumn is behind the " +
                "last column, file=" + settings.name() + " test.splitColumn=" + (settings.splitColumn() + 1) +
                " columns=" + data.columnCount() + "; name a column of the data file");
        }
        final RowPlan plan = of(data, settings.split(), settings.senders(), settings.splitColumn());
        for (int i = 0; i < settings.senders(); i++)
        {
            if (plan.rowCount(i) == 0)
            {
                throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0105 more connections than " +
                    "different values to split by, file=" + settings.name() + " test.senders=" + settings.senders() +
                    " test.splitColumn=" + (settings.splitColumn() + 1) + " values=" + i +
                    "; lower test.senders or set test.split=copy");
            }
        }
        return plan;
    }

    /**
     * Plans the rows of a file.
     *
     * @param data        the file
     * @param split       how rows are distributed
     * @param senders     number of connections
     * @param splitColumn deciding column from 0
     * @return the plan; a connection may be without rows
     */
    public static RowPlan of(
        final DataFile data, final GeneratorSettings.Split split, final int senders, final int splitColumn)
    {
        final List<List<Integer>> rows = new ArrayList<>();
        for (int i = 0; i < senders; i++)
        {
            rows.add(new ArrayList<>());
        }
        final Map<String, Integer> connectionOf = new HashMap<>();
        for (int row = 0; row < data.rowCount(); row++)
        {
            if (split == GeneratorSettings.Split.COPY)
            {
                for (final List<Integer> all : rows)
                {
                    all.add(row);
                }
            }
            else
            {
                final int next = connectionOf.size() % senders;
                rows.get(connectionOf.computeIfAbsent(data.field(row, splitColumn), value -> next)).add(row);
            }
        }
        return new RowPlan(rows.stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new));
    }

    /**
     * Number of connections.
     *
     * @return at least 1
     */
    public int connectionCount()
    {
        return rowsOf.length;
    }

    /**
     * Number of different rows a connection has.
     *
     * @param connection from 0
     * @return rows of one pass
     */
    public int rowCount(final int connection)
    {
        return rowsOf[connection].length;
    }

    /**
     * The row that a connection sends.
     *
     * @param connection from 0
     * @param position   how many rows it sent before
     * @return row of the data file, from 0
     */
    public int row(final int connection, final long position)
    {
        return rowsOf[connection][(int)(position % rowsOf[connection].length)];
    }
}
