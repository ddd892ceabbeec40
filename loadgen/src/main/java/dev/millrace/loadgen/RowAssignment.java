package dev.millrace.loadgen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns rows of a data file to connections: a connection sends its rows in file order, from first to last, and
 * repeats them forever. Immutable. Together with the number of rows that each connection has sent, it determines
 * exactly which rows were sent.
 *
 * <p>With {@link GeneratorSettings.Split#SYMBOL} the distinct values of the split column are assigned to the
 * connections in turn, in order of first occurrence. With {@link GeneratorSettings.Split#COPY} each connection sends
 * all rows.
 */
public final class RowAssignment
{
    private final int[][] rowsOf;

    private RowAssignment(final int[][] rowsOf)
    {
        this.rowsOf = rowsOf;
    }

    /**
     * Plans the rows of a file.
     *
     * @param data     the file
     * @param settings with split, split column and number of connections
     * @return the plan
     * @throws GeneratorException when a connection would have nothing to send
     */
    public static RowAssignment of(final DataFile data, final GeneratorSettings settings) throws GeneratorException
    {
        if (settings.split() == GeneratorSettings.Split.SYMBOL && settings.splitColumn() >= data.columnCount())
        {
            throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0104 test.splitColumn exceeds the " +
                "number of columns, file=" + settings.name() + " test.splitColumn=" + (settings.splitColumn() + 1) +
                " columns=" + data.columnCount() + "; specify a column of the data file");
        }
        final RowAssignment plan = of(data, settings.split(), settings.senders(), settings.splitColumn());
        for (int i = 0; i < settings.senders(); i++)
        {
            if (plan.rowCount(i) == 0)
            {
                throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0105 more connections than " +
                    "distinct values to split by, file=" + settings.name() + " test.senders=" + settings.senders() +
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
     * @param split       distribution of rows
     * @param senders     number of connections
     * @param splitColumn column that determines the connection, from 0
     * @return the plan; a connection may have no rows
     */
    public static RowAssignment of(
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
        return new RowAssignment(rows.stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).toArray()).toArray(int[][]::new));
    }

    /**
     * Number of distinct rows of a connection.
     *
     * @param connection from 0
     * @return rows per pass
     */
    public int rowCount(final int connection)
    {
        return rowsOf[connection].length;
    }

    /**
     * The next row of a connection.
     *
     * @param connection from 0
     * @param position   number of rows that the connection has sent before
     * @return row of the data file, from 0
     */
    public int row(final int connection, final long position)
    {
        return rowsOf[connection][(int)(position % rowsOf[connection].length)];
    }
}
