package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;

/**
 * One aggregate of all groups of an operator; groups have dense ids. Null arguments are passed over.
 *
 * <p>Threads: the engine's.
 */
public abstract class Accumulator
{
    /** Bytes of a group that has a few numbers. */
    static final long FEW_NUMBERS_BYTES = 32;

    private RowFaults faults = RowFaults.NONE;
    private MemoryAccount memory = MemoryAccount.NONE;

    /** For subclasses. */
    protected Accumulator()
    {
    }

    /** Learns who takes note of rows that turn out to be faulty after they were taken in. */
    void faults(final RowFaults to)
    {
        faults = to;
    }

    /**
     * Learns what time it is. Values of most aggregates follow from their rows alone.
     *
     * @return when values change the next time although no row enters or leaves
     */
    long nextChangeNs(final long nowNs)
    {
        return FlowOperator.NEVER;
    }

    /** Learns what is charged for values that it keeps one by one. */
    void memory(final MemoryAccount of)
    {
        memory = of;
    }

    final MemoryAccount memory()
    {
        return memory;
    }

    /** What a group takes without such values; the operator charges it when it opens one. */
    long groupBytes()
    {
        return FEW_NUMBERS_BYTES;
    }

    /** Refuses a further value while memory is short; before anything is changed. */
    final void refuseWhenShort()
    {
        if (memory.isShort())
        {
            throw new RowRejectedException(MemoryAccount.MEMORY_FULL, memory.shortage());
        }
    }

    /** Takes note of a row that turned out to be faulty. */
    final void reject(final RowRejectedException cause)
    {
        faults.reject(cause.reason(), cause.getMessage());
    }

    /**
     * Makes a group empty; called before its first row.
     *
     * @param group id
     * @throws RowRejectedException when that cannot be done
     */
    protected abstract void open(int group);

    /**
     * Takes a row in.
     *
     * @param group id
     * @param rows  where the row is
     * @param row   its id
     * @throws RowRejectedException when the row cannot be taken; it leaves no trace
     */
    protected abstract void plus(int group, RowStore rows, int row);

    /**
     * Takes a row out that was taken in.
     *
     * @param group id
     * @param rows  where the row is
     * @param row   id of a row equal to it
     */
    protected abstract void minus(int group, RowStore rows, int row);

    /**
     * Writes the value.
     *
     * @param group  id
     * @param out    store of the result
     * @param outRow its row
     * @param column its column
     */
    protected abstract void write(int group, RowStore out, int outRow, int column);

    /**
     * Forgets what a group holds; it may be opened again.
     *
     * @param group id
     */
    protected void close(final int group)
    {
    }
}
