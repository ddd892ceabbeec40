package dev.millrace.cql.runtime.flow;

import dev.millrace.api.window.TimeWindow;

/**
 * A window whose bounds a user's class gives. O(1) an event.
 *
 * <p>Threads: the engine's.
 */
public final class UserWindow extends FlowOperator
{
    /** Reason given when the class fails. */
    public static final String FAILED = "window-failed";

    private final FlowOperator input;
    private final String name;
    private final TimeWindow window;
    private final TimedQueue waiting;
    private final TimedQueue inside;
    private long afterNs = BEGINNING;
    private long untilNs = BEGINNING;

    /**
     * Makes a window.
     *
     * @param input  stream
     * @param name   for messages
     * @param window gives the bounds
     */
    public UserWindow(final FlowOperator input, final String name, final TimeWindow window)
    {
        super(input.store(), input);
        this.input = input;
        this.name = name;
        this.window = window;
        waiting = new TimedQueue(input.store());
        inside = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            waiting.add(in.row(i), nowNs);
        }
        wakeAt(NEVER);
        try
        {
            afterNs = Math.max(afterNs, window.afterNs(nowNs));
            untilNs = Math.max(untilNs, Math.min(nowNs, window.untilNs(nowNs)));
            move();
            if (!waiting.isEmpty() || !inside.isEmpty())
            {
                final long oldestNs = inside.isEmpty() ? waiting.headNs() : inside.headNs();
                wakeAt(later(nowNs, window.nextNs(nowNs, oldestNs)));
            }
        }
        // Windows are written by users: they may throw anything.
        catch (final Throwable failure)
        {
            reject(Values.failed(FAILED, "window=" + name, failure));
        }
    }

    private long later(final long nowNs, final long nextNs)
    {
        if (nextNs <= nowNs)
        {
            reject(FAILED, "window=" + name + " cause=nextNs must be after the instant, nowNs=" + nowNs + " nextNs=" +
                nextNs);
            return NEVER;
        }
        return nextNs;
    }

    private void move()
    {
        while (!inside.isEmpty() && inside.headNs() <= afterNs)
        {
            delta().give(inside.poll(), false);
        }
        while (!waiting.isEmpty() && waiting.headNs() <= untilNs)
        {
            final long timeNs = waiting.headNs();
            final int row = waiting.poll();
            if (timeNs <= afterNs)
            {
                // Out before it was in: nobody has seen it.
                store().release(row);
                continue;
            }
            inside.add(row, timeNs);
            delta().give(row, true);
        }
    }

    @Override
    public long stateSize()
    {
        return (long)waiting.size() + inside.size();
    }
}
