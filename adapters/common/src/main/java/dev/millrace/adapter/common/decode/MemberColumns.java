package dev.millrace.adapter.common.decode;

import dev.millrace.api.event.EventProperty;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the column of a member by the bytes of its name. Confined to one thread; allocates nothing.
 *
 * <p>It expects the order of the previous object, and searches a hash table for the names that are elsewhere.
 */
final class MemberColumns
{
    /** No column reads the member. */
    static final int NONE = -1;

    private final byte[][] names;
    private final int[] columns;
    /** Indexes of names by hash, {@link #NONE} if empty; at least half of them are. */
    private final int[] table;
    /** The index of the name that followed each one, and the first one at the end. */
    private final int[] successors;
    private int previous;

    /** @param read columns of the properties */
    MemberColumns(final List<EventProperty> properties, final int[] read)
    {
        columns = read.clone();
        names = new byte[read.length][];
        table = new int[Integer.highestOneBit(Math.max(1, read.length)) << 2];
        Arrays.fill(table, NONE);
        successors = new int[read.length + 1];
        for (int i = 0; i < names.length; i++)
        {
            names[i] = properties.get(read[i]).name().getBytes(StandardCharsets.UTF_8);
            int slot = hash(names[i], 0, names[i].length);
            while (table[slot & table.length - 1] != NONE)
            {
                slot++;
            }
            table[slot & table.length - 1] = i;
            successors[i] = Math.min(i + 1, names.length - 1);
        }
        begin();
    }

    /** Begins an object. */
    void begin()
    {
        previous = names.length;
    }

    /** The column of the next member of the object, or {@link #NONE}. */
    int next(final byte[] bytes, final int from, final int to)
    {
        if (names.length == 0)
        {
            return NONE;
        }
        int index = successors[previous];
        if (!isName(index, bytes, from, to))
        {
            index = find(bytes, from, to);
            if (index == NONE)
            {
                return NONE;
            }
            successors[previous] = index;
        }
        previous = index;
        return columns[index];
    }

    private int find(final byte[] bytes, final int from, final int to)
    {
        int slot = hash(bytes, from, to);
        int index = table[slot & table.length - 1];
        while (index != NONE && !isName(index, bytes, from, to))
        {
            index = table[++slot & table.length - 1];
        }
        return index;
    }

    private boolean isName(final int index, final byte[] bytes, final int from, final int to)
    {
        return Arrays.equals(names[index], 0, names[index].length, bytes, from, to);
    }

    private static int hash(final byte[] bytes, final int from, final int to)
    {
        int hash = to - from;
        for (int i = from; i < to; i++)
        {
            hash = 31 * hash + bytes[i];
        }
        return hash ^ hash >>> 16;
    }
}
