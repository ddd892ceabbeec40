package dev.millrace.cql.runtime.index;

import java.util.Arrays;
import java.util.List;

/** Lists of statement numbers, stored one after another. Immutable, thread-safe. */
final class Lists
{
    private final int[] starts;
    private final int[] statements;

    Lists(final List<? extends List<Integer>> lists)
    {
        starts = new int[lists.size() + 1];
        int[] all = new int[16];
        int end = 0;
        for (int list = 0; list < lists.size(); list++)
        {
            for (final int statement : lists.get(list))
            {
                all = end == all.length ? Arrays.copyOf(all, end * 2) : all;
                all[end++] = statement;
            }
            starts[list + 1] = end;
        }
        statements = Arrays.copyOf(all, end);
    }

    /** Adds a row to the sets of all statements of a list. */
    void add(final int list, final RowSets sets, final int row)
    {
        for (int i = starts[list]; i < starts[list + 1]; i++)
        {
            sets.add(statements[i], row);
        }
    }
}
