package dev.millrace.cql.plan.flow;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Accumulates the columns of a node's rows that are read. Not thread-safe. */
final class ColumnSet
{
    private final boolean[] read;

    /** Sets flags in the given array, one per column. */
    ColumnSet(final boolean[] read)
    {
        this.read = read;
    }

    void add(final int column)
    {
        read[column] = true;
    }

    void addAll(final List<Integer> columns)
    {
        columns.forEach(this::add);
    }

    /** Adds the reads of wider rows that contain the columns of this one as a contiguous block. */
    void addAll(final ColumnSet of, final int first)
    {
        for (int i = 0; i < read.length; i++)
        {
            read[i] |= of.read[first + i];
        }
    }

    void all()
    {
        Arrays.fill(read, true);
    }

    boolean contains(final int column)
    {
        return read[column];
    }

    List<Integer> list()
    {
        return IntStream.range(0, read.length).filter(column -> read[column]).boxed().toList();
    }
}
