package dev.millrace.adapter.jdbc;

import java.util.List;

/** Blocks that are written together, seen as rows 0 to size - 1. For the writer's thread. */
final class RowBatch
{
    private final List<RowBlock> blocks;
    private final int size;
    private RowBlock block;
    private int row;

    RowBatch(final List<RowBlock> blocks)
    {
        this.blocks = blocks;
        size = blocks.stream().mapToInt(RowBlock::size).sum();
    }

    int size()
    {
        return size;
    }

    /** Goes to a row; {@link #block} and {@link #row} then say where it is. */
    void seek(final int index)
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
        throw new IllegalStateException("no such row; this is our bug, index=" + index + " size=" + size);
    }

    RowBlock block()
    {
        return block;
    }

    int row()
    {
        return row;
    }

    /** Drops blocks and rows that are done; what is left stays in order. */
    List<RowBlock> from(final int index)
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
