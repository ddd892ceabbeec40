package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.state.StateInput;
import dev.millrace.cql.runtime.state.StateOutput;

/**
 * Brings matches with times of their own into the region behind their pattern, which decides late about rows that are
 * long past. In order of time, rows wait for all that may come before them; with the order of partitions only, each
 * goes through the region at once, and the times of rows may step back.
 *
 * <p>Threads: the engine's.
 */
public final class ReplayOperator extends FlowOperator implements TimedInput
{
    private final TimedQueue rows;
    private final boolean isTimeOrdered;
    private long closedNs = BEGINNING;

    /**
     * Makes an operator.
     *
     * @param store         of the rows
     * @param isTimeOrdered whether rows come in order of their times
     */
    public ReplayOperator(final RowStore store, final boolean isTimeOrdered)
    {
        super(store);
        this.isTimeOrdered = isTimeOrdered;
        rows = new TimedQueue(store);
    }

    /**
     * Whether rows come in order of their times.
     *
     * @return false when a row may be older than one that came before
     */
    public boolean isTimeOrdered()
    {
        return isTimeOrdered;
    }

    /**
     * Takes a row.
     *
     * @param row    row id; claimed by this
     * @param timeNs its time, not before what was closed, and in order of time not before that of the row taken last
     */
    public void put(final int row, final long timeNs)
    {
        rows.add(row, timeNs);
    }

    /**
     * Says that no row of a time or before will come any more.
     *
     * @param timeNs never decreases
     */
    public void close(final long timeNs)
    {
        closedNs = Math.max(closedNs, timeNs);
    }

    @Override
    public long nextNs()
    {
        return rows.isEmpty() ? NEVER : rows.headNs();
    }

    @Override
    public long closedNs()
    {
        return closedNs;
    }

    @Override
    public boolean isSilent()
    {
        return false;
    }

    @Override
    public void load(final long nowNs)
    {
        while (!rows.isEmpty() && (isTimeOrdered ? rows.headNs() <= nowNs : rows.headNs() == nowNs))
        {
            delta().give(rows.poll(), true);
        }
    }

    @Override
    protected void process(final long nowNs)
    {
        // Rows come by load.
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }

    @Override
    protected void write(final StateOutput to)
    {
        rows.write(to);
        to.writeLong(closedNs);
    }

    @Override
    protected void read(final StateInput from)
    {
        rows.read(from);
        closedNs = from.readLong();
    }
}
