package dev.millrace.tuning.nexmark;

/**
 * The output of a loop: numbers and references to strings go into arrays, as a batch would take them; rows are
 * counted, those that leave with the opposite sign. While {@link #check(boolean)} is on, the values of each row are
 * mixed and added with its sign, so that intermediate changes that cancel each other do not count. One thread.
 */
public final class ResultRows
{
    private static final int PLACES = 1 << 12;
    /** Mixed in for null. */
    public static final long MISSING = Long.MIN_VALUE + 17;

    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final long[] columns = new long[PLACES];
    private final String[] texts = new String[PLACES];
    private int next;
    private int nextText;
    private boolean isChecked;
    private long row;
    private long rows;
    private long netRows;
    private long checksum;

    /**
     * Switches the check of values.
     *
     * @param on whether values are mixed from now on
     */
    public void check(final boolean on)
    {
        isChecked = on;
    }

    void number(final long value)
    {
        columns[next++ & PLACES - 1] = value;
        if (isChecked)
        {
            row = mix(row, value);
        }
    }

    void missing()
    {
        number(MISSING);
    }

    void real(final float value)
    {
        number(Float.floatToRawIntBits(value));
    }

    void real(final double value)
    {
        number(Double.doubleToRawLongBits(value));
    }

    void text(final String text)
    {
        texts[nextText++ & PLACES - 1] = text;
        if (isChecked)
        {
            row = mix(row, text.hashCode());
        }
    }

    /** Completes an insert. */
    void insert()
    {
        end(1);
    }

    /** Completes a delete. */
    void delete()
    {
        end(-1);
    }

    private void end(final int sign)
    {
        rows++;
        netRows += sign;
        if (isChecked)
        {
            checksum += sign * finish(row);
            row = 0;
        }
    }

    /** Mixes one more value of a row. */
    public static long mix(final long row, final long value)
    {
        return (row + value + 1) * MIX;
    }

    /** The contribution to the checksum of a row with all of its values mixed. */
    public static long finish(final long row)
    {
        return row ^ row >>> 29;
    }

    /** Rows so far, inserts and deletes. */
    public long rows()
    {
        return rows;
    }

    /** Inserts minus deletes. */
    public long netRows()
    {
        return netRows;
    }

    /** Sum over the rows that were checked. */
    public long checksum()
    {
        return checksum;
    }

    /** The columns written last, so that the JVM cannot eliminate the writes. */
    public long last()
    {
        return columns[next - 1 & PLACES - 1];
    }
}
