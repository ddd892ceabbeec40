package dev.millrace.api.event;

/**
 * The number that a producer gave a row, so that a receiver recognizes rows that are sent again: the producer in the
 * upper 16 bits, the number in the others. A producer numbers its rows from 1 upwards; a receiver remembers the highest
 * number that it has received from each producer and drops rows up to it. Immutable helper; thread-safe.
 *
 * <p>A producer is a connection that can resume, or an output of a durable processor. Its id is that of its name in
 * {@link Producers} and differs between processes.
 */
public final class RowSequence
{
    /** The row has no number. */
    public static final long NONE = 0;
    /** Highest number of a row. */
    public static final long MAX_NUMBER = (1L << 48) - 1;

    private static final int NUMBER_BITS = 48;

    private RowSequence()
    {
    }

    /**
     * Combines a producer and a number.
     *
     * @param producer id, 1 to {@link Producers#MAX}
     * @param number   1 to {@link #MAX_NUMBER}
     * @return sequence of the row; that of the producer's next row is 1 higher
     */
    public static long of(final int producer, final long number)
    {
        return (long)producer << NUMBER_BITS | number;
    }

    /**
     * Returns the producer of a row.
     *
     * @param sequence of a row
     * @return id; 0 for {@link #NONE}
     */
    public static int producer(final long sequence)
    {
        return (int)(sequence >>> NUMBER_BITS);
    }

    /**
     * Returns the number of a row.
     *
     * @param sequence of a row
     * @return number; 0 for {@link #NONE}
     */
    public static long number(final long sequence)
    {
        return sequence & MAX_NUMBER;
    }
}
