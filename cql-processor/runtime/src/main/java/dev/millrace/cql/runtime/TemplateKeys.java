package dev.millrace.cql.runtime;

import dev.millrace.api.string.StringTable;
import java.util.Arrays;

/**
 * Finds the index of a key among the constants of a query template's statements. Equal constants have one index;
 * indexes are dense, in the order of first occurrence.
 *
 * <p>Immutable. Looking up a string is one array access by its code; looking up a number is a probe of a table that is
 * at most half full.
 */
public final class TemplateKeys
{
    /** No statement asks for the value. */
    public static final int NONE = -1;

    private final int[] slots;
    private final long[] numbers;
    private final int[] table;
    private final int mask;

    private TemplateKeys(final long[] values, final int[] byId)
    {
        slots = new int[values.length];
        int size = Integer.highestOneBit(Math.max(1, values.length)) << 2;
        size = Math.max(4, size);
        mask = size - 1;
        final int[] found = new int[size];
        final long[] distinct = new long[values.length];
        int count = 0;
        for (int i = 0; i < values.length; i++)
        {
            int at = hash(values[i]) & mask;
            while (found[at] != 0 && distinct[found[at] - 1] != values[i])
            {
                at = at + 1 & mask;
            }
            if (found[at] == 0)
            {
                distinct[count++] = values[i];
                found[at] = count;
            }
            slots[i] = found[at] - 1;
        }
        numbers = Arrays.copyOf(distinct, count);
        table = byId == null ? found : byId;
        if (byId != null)
        {
            Arrays.fill(byId, NONE);
            for (int i = 0; i < count; i++)
            {
                byId[(int)numbers[i]] = i;
            }
        }
    }

    /**
     * Keys that are strings.
     *
     * @param strings   assigns the codes of the keys and retains them permanently
     * @param constants one per statement
     */
    public static TemplateKeys ofTexts(final StringTable strings, final String[] constants)
    {
        final long[] ids = new long[constants.length];
        long greatest = 0;
        for (int i = 0; i < constants.length; i++)
        {
            ids[i] = strings.literal(constants[i]);
            greatest = Math.max(greatest, ids[i]);
        }
        return new TemplateKeys(ids, new int[(int)greatest + 1]);
    }

    /**
     * Keys that are integers.
     *
     * @param numbers one per statement
     */
    public static TemplateKeys ofNumbers(final long[] numbers)
    {
        return new TemplateKeys(numbers, null);
    }

    /** Also distributes numbers whose lower bits are all zero, which is common for floating-point numbers. */
    static int hash(final long value)
    {
        final long mixed = value * 0x9E3779B97F4A7C15L;
        return (int)(mixed >>> 32 ^ mixed >>> 48);
    }

    /**
     * The index of a string.
     *
     * @param id its code; 0 for null
     * @return index or {@link #NONE}
     */
    public int slotOfId(final int id)
    {
        return id < table.length ? table[id] : NONE;
    }

    /**
     * The index of a number.
     *
     * @return index or {@link #NONE}
     */
    public int slotOfNumber(final long number)
    {
        int at = hash(number) & mask;
        while (table[at] != 0)
        {
            if (numbers[table[at] - 1] == number)
            {
                return table[at] - 1;
            }
            at = at + 1 & mask;
        }
        return NONE;
    }

    /** The key of an index: a code or a number. */
    public long valueOf(final int slot)
    {
        return numbers[slot];
    }

    public int size()
    {
        return numbers.length;
    }

    /** The index of each statement, in order; the array is shared. */
    int[] slots()
    {
        return slots;
    }
}
