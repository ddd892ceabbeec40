package dev.millrace.cql.runtime.unit;

import java.util.Arrays;

/**
 * The rows of a relation whose changes come from a channel: the rows of a key form a list, from the oldest to the
 * newest. The channel checks that keys are unique, but rows of an unchecked channel must not be lost.
 *
 * <p>Confined to the engine thread.
 */
public final class RelationRows
{
    /** Words of a key's record after the key: number of rows, first and last row. */
    public static final int WORDS = 3;

    private static final int FIRST = 1;
    private static final int LAST = 2;

    private final RowSlab rows;
    private final KeyTable keys;
    private final int width;
    private final int own;

    /**
     * @param rows  of all keys
     * @param keys  keys of the relation
     * @param width longs per record of a key
     * @param own   index of the first word of this object in the record
     */
    public RelationRows(final RowSlab rows, final KeyTable keys, final int width, final int own)
    {
        this.rows = rows;
        this.keys = keys;
        this.width = width;
        this.own = own;
    }

    /** Adds a row, whose longs are written. */
    public void add(final int row, final int key)
    {
        final long[] records = keys.records;
        final int at = key * width + own;
        final boolean isOnly = records[at]++ == 0;
        rows.append(row, isOnly ? RowSlab.NONE : (int)records[at + LAST]);
        rows.hold(row, true);
        records[at + LAST] = row;
        if (isOnly)
        {
            records[at + FIRST] = row;
        }
    }

    /**
     * The row that a change refers to.
     *
     * @param row     as received with the change
     * @param isEqual whether an equal row takes precedence over older ones of the key
     * @return row, or {@link RowSlab#NONE}; then the key dies unless it has rows
     */
    public int find(final int row, final int key, final boolean isEqual)
    {
        final int at = key * width + own;
        if (keys.records[at] == 0)
        {
            keys.dies(key);
            return RowSlab.NONE;
        }
        final int first = (int)keys.records[at + FIRST];
        for (int each = first; isEqual && each != RowSlab.NONE; each = rows.next(each))
        {
            if (Arrays.equals(rows.words, each * rows.width, (each + 1) * rows.width, rows.words, row * rows.width,
                (row + 1) * rows.width))
            {
                return each;
            }
        }
        return first;
    }

    /** Removes a row, which must exist. */
    public void remove(final int row, final int key)
    {
        final long[] records = keys.records;
        final int at = key * width + own;
        if (records[at + FIRST] == row)
        {
            records[at + FIRST] = rows.next(row);
        }
        if (records[at + LAST] == row)
        {
            records[at + LAST] = rows.previous(row);
        }
        rows.unlink(row);
        rows.hold(row, false);
        rows.free(row);
        if (--records[at] == 0)
        {
            keys.dies(key);
        }
    }
}
