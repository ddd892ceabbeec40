package dev.millrace.journal;

import net.openhft.chronicle.queue.RollCycle;

/**
 * Numbers the files of a journal. A number is the time of creation in units of ten seconds, or the number of the file
 * before plus one, if that is more: numbers increase even if the clock is set back. Names contain that time. Immutable.
 */
final class FileCycle implements RollCycle
{
    static final FileCycle INSTANCE = new FileCycle();

    private static final int UNIT_MS = 10_000;
    private static final int SEQUENCE_BITS = 32;
    private static final long SEQUENCE_MASK = (1L << SEQUENCE_BITS) - 1;
    /** Entries of an index; each points to {@link #INDEX_SPACING} records. */
    private static final int INDEX_COUNT = 1 << 10;
    private static final int INDEX_SPACING = 1 << 4;

    private FileCycle()
    {
    }

    /** The number of a file that is created after another one. */
    static int next(final int last, final long wallTimeMs)
    {
        return Math.max(last + 1, (int)(wallTimeMs / UNIT_MS));
    }

    /** The time at which Chronicle Queue writes to a file. */
    static long timeMs(final int cycle)
    {
        return (long)cycle * UNIT_MS;
    }

    static int cycle(final long position)
    {
        return (int)(position >>> SEQUENCE_BITS);
    }

    /** Position of a record of a file, counted from 0. */
    static long position(final int cycle, final long sequence)
    {
        return ((long)cycle << SEQUENCE_BITS) + sequence;
    }

    static long sequence(final long position)
    {
        return position & SEQUENCE_MASK;
    }

    @Override
    public String format()
    {
        return "yyyyMMdd-HHmmss'J'";
    }

    @Override
    public int lengthInMillis()
    {
        return UNIT_MS;
    }

    @Override
    public int defaultIndexCount()
    {
        return INDEX_COUNT;
    }

    @Override
    public int defaultIndexSpacing()
    {
        return INDEX_SPACING;
    }

    @Override
    public long toIndex(final int cycle, final long sequence)
    {
        return position(cycle, sequence);
    }

    @Override
    public long toSequenceNumber(final long index)
    {
        return sequence(index);
    }

    @Override
    public int toCycle(final long index)
    {
        return cycle(index);
    }

    @Override
    public long maxMessagesPerCycle()
    {
        return (long)INDEX_COUNT * INDEX_COUNT * INDEX_SPACING;
    }
}
