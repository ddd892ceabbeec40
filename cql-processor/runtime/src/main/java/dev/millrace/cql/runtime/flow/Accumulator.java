package dev.millrace.cql.runtime.flow;

/**
 * One aggregate of all groups of an operator; groups have dense ids. Null arguments are passed over.
 *
 * <p>Threads: the engine's.
 */
public abstract class Accumulator
{
    /** For subclasses. */
    protected Accumulator()
    {
    }

    /**
     * Makes a group empty; called before its first row.
     *
     * @param group id
     */
    protected abstract void open(int group);

    /**
     * Takes a row in.
     *
     * @param group id
     * @param rows  where the row is
     * @param row   its id
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
