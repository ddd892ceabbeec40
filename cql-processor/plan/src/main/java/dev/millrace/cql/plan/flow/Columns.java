package dev.millrace.cql.plan.flow;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Columns of a node's rows that are read, as they are found. For one thread. */
final class Columns
{
    private final boolean[] read;

    /** Adds to an array, one flag a column. */
    Columns(final boolean[] read)
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

    /** What is read of rows of which these are some, beginning with a column, as many as there are here. */
    void addAll(final Columns of, final int first)
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

    List<Integer> list()
    {
        return IntStream.range(0, read.length).filter(column -> read[column]).boxed().toList();
    }
}
