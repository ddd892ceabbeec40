package dev.millrace.cql.runtime.flow;

/**
 * {@code [now]}, {@code [range T]}, {@code [range unbounded]}: a row enters at its time and leaves a length later.
 * O(1) an event.
 *
 * <p>Threads: the engine's.
 */
public final class RangeWindow extends FlowOperator
{
    private final FlowOperator input;
    private final long rangeNs;
    private final TimedQueue rows;

    /**
     * Makes a window.
     *
     * @param input   stream
     * @param rangeNs length; 1 for now, {@link FlowOperator#NEVER} for unbounded
     */
    public RangeWindow(final FlowOperator input, final long rangeNs)
    {
        super(input.store(), input);
        this.input = input;
        this.rangeNs = rangeNs;
        rows = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        while (!rows.isEmpty() && rows.headNs() <= nowNs)
        {
            delta().give(rows.poll(), false);
        }
        final Delta in = input.delta();
        final long leavesNs = rangeNs == NEVER ? NEVER : Ticks.plus(nowNs, rangeNs);
        for (int i = 0; i < in.size(); i++)
        {
            delta().add(in.row(i), true);
            if (leavesNs != NEVER)
            {
                rows.add(in.row(i), leavesNs);
            }
        }
        wakeAt(rows.isEmpty() ? NEVER : rows.headNs());
    }

    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        rows.take(partitions, column, (row, timeNs, mark) -> delta().give(row, false));
        wakeAt(rows.isEmpty() ? NEVER : rows.headNs());
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
