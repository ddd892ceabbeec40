package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Statements that want the numbers of a range. All ends of the ranges, in order, cut the numbers into segments; a tree
 * over the segments has each range at the few nodes that make it up, and a row passes those between its segment and
 * the root.
 *
 * <pre>
 *   cuts          10      20      30
 *   segments   0   │   1   │   2   │   3        10 to 29: node of 1, node of 2
 *   tree       └─── a ─────┘└──── b ───┘        20 on:    node b
 * </pre>
 */
final class RangeIndex implements ColumnIndex
{
    private final int column;
    private final long[] cuts;
    private final Lists nodes;
    private final ColumnKeys numbers;

    /**
     * Makes it.
     *
     * @param filters    ranges of one column
     * @param statements numbers of those that have them
     */
    RangeIndex(final List<RowFilter> filters, final List<Integer> statements)
    {
        column = filters.get(0).column();
        numbers = new ColumnKeys(column);
        cuts = filters.stream().filter(filter -> filter.low() <= filter.high())
            .flatMapToLong(filter -> filter.high() == Long.MAX_VALUE ? LongStream.of(filter.low()) :
                LongStream.of(filter.low(), filter.high() + 1)).sorted().distinct().toArray();
        final List<List<Integer>> lists = new ArrayList<>();
        for (int node = 0; node < 2 * segments(); node++)
        {
            lists.add(new ArrayList<>());
        }
        for (int i = 0; i < filters.size(); i++)
        {
            final RowFilter filter = filters.get(i);
            if (filter.low() <= filter.high())
            {
                cover(lists, segmentOf(filter.low()), segmentOf(filter.high()) + 1, statements.get(i));
            }
        }
        nodes = new Lists(lists);
    }

    private int segments()
    {
        return cuts.length + 1;
    }

    /** The nodes that make up the segments from one to before another; the segments are the last nodes. */
    private void cover(final List<List<Integer>> lists, final int from, final int to, final int statement)
    {
        int low = from + segments();
        int high = to + segments();
        while (low < high)
        {
            if ((low & 1) == 1)
            {
                lists.get(low++).add(statement);
            }
            if ((high & 1) == 1)
            {
                lists.get(--high).add(statement);
            }
            low >>= 1;
            high >>= 1;
        }
    }

    private int segmentOf(final long key)
    {
        final int found = Arrays.binarySearch(cuts, key);
        return found < 0 ? -found - 1 : found + 1;
    }

    @Override
    public void find(final EventBatch batch, final RowSets sets)
    {
        final long[] keys = numbers.read(batch);
        final int n = batch.size();
        final boolean hasNulls = batch.hasNulls(column);
        for (int row = 0; row < n; row++)
        {
            if (!hasNulls || !batch.isNull(column, row))
            {
                for (int node = segmentOf(keys[row]) + segments(); node > 0; node >>= 1)
                {
                    nodes.add(node, sets, row);
                }
            }
        }
    }
}
