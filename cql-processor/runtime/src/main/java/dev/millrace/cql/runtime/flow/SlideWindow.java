package dev.millrace.cql.runtime.flow;

/**
 * {@code [range T slide D]}: at a multiple of D the rows of the last T; a row enters at the first multiple at or after
 * its time. Between them nothing happens, and multiples at which nothing changes are passed over.
 *
 * <p>Threads: the engine's.
 */
public final class SlideWindow extends FlowOperator
{
    private final FlowOperator input;
    private final long rangeNs;
    private final long slideNs;
    private final TimedQueue waiting;
    private final TimedQueue inside;

    /**
     * Makes a window.
     *
     * @param input   stream
     * @param rangeNs length
     * @param slideNs step
     */
    public SlideWindow(final FlowOperator input, final long rangeNs, final long slideNs)
    {
        super(input.store(), input);
        this.input = input;
        this.rangeNs = rangeNs;
        this.slideNs = slideNs;
        waiting = new TimedQueue(input.store());
        inside = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        final long leavesNs = Ticks.up(Ticks.plus(nowNs, rangeNs), slideNs);
        for (int i = 0; i < in.size(); i++)
        {
            if (leavesNs > Ticks.up(nowNs, slideNs))
            {
                waiting.add(in.row(i), nowNs);
            }
        }
        while (!inside.isEmpty() && inside.headNs() <= nowNs)
        {
            delta().give(inside.poll(), false);
        }
        while (!waiting.isEmpty() && Ticks.up(waiting.headNs(), slideNs) <= nowNs)
        {
            final long endNs = Ticks.up(Ticks.plus(waiting.headNs(), rangeNs), slideNs);
            final int row = waiting.poll();
            inside.add(row, endNs);
            delta().give(row, true);
        }
        wake();
    }

    private void wake()
    {
        final long enterNs = waiting.isEmpty() ? NEVER : Ticks.up(waiting.headNs(), slideNs);
        wakeAt(Math.min(enterNs, inside.isEmpty() ? NEVER : inside.headNs()));
    }

    /** Rows that nobody has seen yet leave no trace. */
    @Override
    protected void forget(final PartitionTest partitions, final int column)
    {
        waiting.take(partitions, column, (row, timeNs, mark) -> store().release(row));
        inside.take(partitions, column, (row, timeNs, mark) -> delta().give(row, false));
        wake();
    }

    @Override
    public long stateSize()
    {
        return (long)waiting.size() + inside.size();
    }
}
