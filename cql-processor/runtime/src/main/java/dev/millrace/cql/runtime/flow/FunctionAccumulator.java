package dev.millrace.cql.runtime.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
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
    private AggregateFunction[] functions = new AggregateFunction[16];
    private final List<List<Object[]>> kept = new ArrayList<>();
    private boolean[] isStale = new boolean[16];

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
        if (group >= functions.length)
        {
            functions = Arrays.copyOf(functions, group * 2);
            isStale = Arrays.copyOf(isStale, group * 2);
        }
        while (kept.size() <= group)
        {
            kept.add(null);
        }
        call(() ->
        {
            functions[group] = factory.newAggregate();
            functions[group].reset();
            kept.set(group, functions[group].isIncremental() ? null : new ArrayList<>());
        });
        isStale[group] = false;
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
        if (!isStale[group])
        {
            call(() -> functions[group].plus(arguments));
        }
        if (kept.get(group) != null)
        {
            kept.get(group).add(arguments);
        }
    }

    @Override
    protected void minus(final int group, final RowStore rows, final int row)
    {
        final Object[] arguments = arguments(rows, row);
        if (kept.get(group) == null)
        {
            call(() -> functions[group].minus(arguments));
            return;
        }
        final Iterator<Object[]> each = kept.get(group).iterator();
        while (each.hasNext())
        {
            if (Arrays.deepEquals(each.next(), arguments))
            {
                each.remove();
                break;
            }
        }
        isStale[group] = true;
    }

    @Override
    protected void write(final int group, final RowStore out, final int outRow, final int outColumn)
    {
        if (isStale[group])
        {
            isStale[group] = false;
            computeAnew(group);
        }
        call(() -> out.set(outRow, outColumn, functions[group].value()));
    }

    /** Gives the rows again; those that came while the function was stale are new to it, and may be faulty. */
    private void computeAnew(final int group)
    {
        call(() -> functions[group].reset());
        final Iterator<Object[]> each = kept.get(group).iterator();
        while (each.hasNext())
        {
            final Object[] arguments = each.next();
            try
            {
                call(() -> functions[group].plus(arguments));
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
        functions[group] = null;
        kept.set(group, null);
    }
}
