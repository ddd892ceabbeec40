package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotObjects;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;

/**
 * An {@link AggregateFunction} for each group; one that is not incremental keeps the arguments of its rows and is
 * computed anew when its value is asked for after a row has left.
 *
 * <p>Threads: the engine's. Failure: what a function throws becomes {@link RowRejectedException}.
 */
public final class FunctionAccumulator extends Accumulator
{
    /** Reason of rows that a function cannot take. */
    public static final String FAILED = "aggregate-failed";

    private final String name;
    private final int[] columns;
    private final AggregateFactory factory;
    private final SlotObjects<State> states = new SlotObjects<>();

    /** Of a group: linked arguments, since the oldest ones go first and nothing is to be moved then. */
    private static final class State
    {
        private final AggregateFunction function;
        private final List<Object[]> kept;
        private boolean isStale;

        private State(final AggregateFunction function)
        {
            this.function = function;
            function.reset();
            kept = function.isIncremental() ? null : new LinkedList<>();
        }
    }

    /**
     * Makes an accumulator.
     *
     * @param name    for messages
     * @param columns arguments
     * @param factory makes functions
     */
    public FunctionAccumulator(final String name, final int[] columns, final AggregateFactory factory)
    {
        this.name = name;
        this.columns = columns.clone();
        this.factory = factory;
    }

    @Override
    protected void open(final int group)
    {
        states.reach(group);
        call(() -> states.set(group, new State(factory.newAggregate())));
    }

    private Object[] arguments(final RowStore rows, final int row)
    {
        final Object[] arguments = new Object[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            arguments[i] = rows.value(row, columns[i]);
        }
        return arguments;
    }

    @Override
    protected void plus(final int group, final RowStore rows, final int row)
    {
        final Object[] arguments = arguments(rows, row);
        final State state = states.get(group);
        if (!state.isStale)
        {
            call(() -> state.function.plus(arguments, row));
        }
        if (state.kept != null)
        {
            state.kept.add(arguments);
        }
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        final Object[] arguments = arguments(rows, row);
        final State state = states.get(group);
        if (state.kept == null)
        {
            call(() -> state.function.minus(arguments, row));
            return;
        }
        final Iterator<Object[]> each = state.kept.iterator();
        while (each.hasNext())
        {
            if (Arrays.deepEquals(each.next(), arguments))
            {
                each.remove();
                break;
            }
        }
        state.isStale = true;
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        final State state = states.get(group);
        if (state.isStale)
        {
            state.isStale = false;
            computeAnew(state);
        }
        call(() -> out.set(outRow, outColumn, state.function.value()));
    }

    /** Gives the rows again; those that came while the function was stale are new to it, and may be faulty. */
    private void computeAnew(final State state)
    {
        call(state.function::reset);
        final Iterator<Object[]> each = state.kept.iterator();
        while (each.hasNext())
        {
            final Object[] arguments = each.next();
            try
            {
                call(() -> state.function.plus(arguments));
            }
            catch (final RowRejectedException cause)
            {
                each.remove();
                reject(cause);
            }
        }
    }

    private void call(final Runnable work)
    {
        try
        {
            work.run();
        }
        // Functions are written by users: they may throw anything, also a class cast of their result.
        catch (final Throwable failure)
        {
            throw Values.failed(FAILED, "function=" + name, failure);
        }
    }

    @Override
    protected void close(final int group)
    {
        states.set(group, null);
    }
}
