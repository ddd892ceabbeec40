package dev.millrace.cql.runtime.flow;

/**
 * {@code [rows N]} and {@code [rows N slide M]}: the last N rows, brought up to date with every M-th row of the stream.
 *
 * <p>Threads: the engine's.
 */
public final class RowsWindow extends FlowOperator
{
    private final FlowOperator input;
    private final long rows;
    private final long slide;
    private final TimedQueue inside;
    private final TimedQueue waiting;

    /**
     * Makes a window.
     *
     * @param input stream
     * @param rows  N, at least 1
     * @param slide M, 1 without SLIDE
     */
    public RowsWindow(final FlowOperator input, final long rows, final long slide)
    {
        super(input.store(), input);
        this.input = input;
        this.rows = rows;
        this.slide = slide;
        inside = new TimedQueue(input.store());
        waiting = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            waiting.add(in.row(i), nowNs);
            if (waiting.size() == slide)
            {
                step();
            }
        }
    }

    private void step()
    {
        while (!waiting.isEmpty())
        {
            final int row = waiting.poll();
            if (waiting.size() >= rows)
            {
                // Left behind within the step: nobody has seen it.
                store().release(row);
                continue;
            }
            while (inside.size() + 1 > rows)
            {
                delta().give(inside.poll(), false);
            }
            inside.add(row, 0);
            delta().give(row, true);
        }
    }

    @Override
    public long stateSize()
    {
        return (long)waiting.size() + inside.size();
    }
}
