package dev.millrace.adapter.jdbc.buffer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Blocks that are written together, addressed as rows 0 to size - 1. Confined to the writer thread. */
public final class BlockRange
{
    private final List<RowBlock> blocks;
    private final int size;
    private RowBlock block;
    private int row;

    public BlockRange(final List<RowBlock> blocks)
    {
        this.blocks = blocks;
        size = blocks.stream().mapToInt(RowBlock::size).sum();
    }

    public int size()
    {
        return size;
    }

    /** Moves to a row, whose position {@link #block} and {@link #row} return. */
    public void seek(final int index)
    {
        int left = index;
        for (final RowBlock candidate : blocks)
        {
            if (left < candidate.size())
            {
                block = candidate;
                row = left;
                return;
            }
            left -= candidate.size();
        }
        throw new IllegalStateException("internal error: no such row, index=" + index + " size=" + size);
    }

    /** The number of the last row of each producer, by its id, among rows from one position to another. */
    public Map<Integer, Long> lastNumbers(final int from, final int to)
    {
        final Map<Integer, Long> numbers = new LinkedHashMap<>();
        int first = 0;
        for (final RowBlock each : blocks)
        {
            each.lastNumbers(Math.max(0, from - first), Math.min(each.size(), to - first), numbers);
            first += each.size();
        }
        return numbers;
    }

    public RowBlock block()
    {
        return block;
    }

    public int row()
    {
        return row;
    }

    /** Removes blocks and rows that have been written; the rest stays in order. */
    public List<RowBlock> from(final int index)
    {
        int done = index;
        int first = 0;
        while (first < blocks.size() && done >= blocks.get(first).size())
        {
            done -= blocks.get(first).size();
            first++;
        }
        final List<RowBlock> left = blocks.subList(first, blocks.size());
        if (!left.isEmpty())
        {
            left.get(0).removeFirst(done);
        }
        return left;
    }
}
