package dev.millrace.cql.runtime.index;

import dev.millrace.api.event.EventBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Statements that accept numbers of a range. The sorted bounds of all ranges cut the numbers into segments, and each
 * segment has a list of its statements. Where ranges are so wide that these lists would be long, a tree over the
 * segments stores each range at the few nodes that cover it, and a row visits the nodes between its segment and the
 * root.
 *
 * <pre>
 *   cuts          10      20      30
 *   segments   0   │   1   │   2   │   3        10 to 29: node of 1, node of 2
 *   tree       └─── a ─────┘└──── b ───┘        20 on:    node b
 * </pre>
 */
final class RangeIndex implements ColumnIndex
{
    /** Average number of segments per range above which a tree is used. */
    private static final int MOST_SEGMENTS = 32;

    private final int column;
    private final long[] cuts;
    private final boolean isTree;
    /** By segment; for a tree by node, with the segments last. */
    private final Lists lists;
    private final ColumnKeys numbers;

    /**
     * @param filters    ranges of one column
     * @param statements their statements
     */
    RangeIndex(final List<RowFilter> filters, final List<Integer> statements)
    {
        column = filters.get(0).column();
        numbers = new ColumnKeys(column);
        cuts = filters.stream().filter(filter -> filter.low() <= filter.high())
            .flatMapToLong(filter -> filter.high() == Long.MAX_VALUE ? LongStream.of(filter.low()) :
                LongStream.of(filter.low(), filter.high() + 1)).sorted().distinct().toArray();
        isTree = filters.stream().mapToLong(filter -> Math.max(0, end(filter) - start(filter))).sum() >
            (long)MOST_SEGMENTS * filters.size();
        final List<List<Integer>> found = new ArrayList<>();
        for (int list = 0; list < (isTree ? 2 * segments() : segments()); list++)
        {
            found.add(new ArrayList<>());
        }
        for (int i = 0; i < filters.size(); i++)
        {
            if (isTree)
            {
                cover(found, start(filters.get(i)) + segments(), end(filters.get(i)) + segments(), statements.get(i));
                continue;
            }
            for (int segment = start(filters.get(i)); segment < end(filters.get(i)); segment++)
            {
                found.get(segment).add(statements.get(i));
            }
        }
        lists = new Lists(found);
    }

    private int start(final RowFilter filter)
    {
        return segmentOf(filter.low());
    }

    /** End of the segments of a range, exclusive. */
    private int end(final RowFilter filter)
    {
        return filter.low() > filter.high() ? start(filter) : segmentOf(filter.high()) + 1;
    }

    private int segments()
    {
        return cuts.length + 1;
    }

    /** Collects the nodes that cover a range of segments; the end is exclusive. */
    private static void cover(final List<List<Integer>> nodes, final int from, final int to, final int statement)
    {
        int low = from;
        int high = to;
        while (low < high)
        {
            if ((low & 1) == 1)
            {
                nodes.get(low++).add(statement);
            }
            if ((high & 1) == 1)
            {
                nodes.get(--high).add(statement);
            }
            low >>= 1;
            high >>= 1;
        }
    }

    /**
     * Number of cuts that are not above a number; a branch-free binary search, since its branches could not be
     * predicted.
     */
    private int segmentOf(final long key)
    {
        int low = 0;
        int left = cuts.length;
        while (left > 1)
        {
            final int half = left >>> 1;
            low = cuts[low + half - 1] <= key ? low + half : low;
            left -= half;
        }
        return left == 1 && cuts[low] <= key ? low + 1 : low;
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
                find(segmentOf(keys[row]), sets, row);
            }
        }
    }

    private void find(final int segment, final RowSets sets, final int row)
    {
        if (!isTree)
        {
            lists.add(segment, sets, row);
            return;
        }
        for (int node = segment + segments(); node > 0; node >>= 1)
        {
            lists.add(node, sets, row);
        }
    }
}
