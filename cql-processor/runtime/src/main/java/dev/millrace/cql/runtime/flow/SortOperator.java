package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * ORDER BY: the rows of an instant leave sorted, ties stay in order. Of a relation first those that leave it, then
 * those that enter; rows that enter and leave in one instant are dropped, for they could not leave before they entered.
 * Its arrays hold the rows of one instant, which it reads all anyway.
 *
 * <p>Threads: the engine's.
 */
public final class SortOperator extends FlowOperator
{
    private final FlowOperator input;
    private final RowOrder order;
    private final Netting netting;
    private int[] rows = new int[16];
    private int[] merged = new int[16];
    private int size;

    /**
     * Makes an operator.
     *
     * @param input stream or relation
     * @param order of its rows
     */
    public SortOperator(final FlowOperator input, final RowOrder order)
    {
        super(input.store(), input);
        this.input = input;
        this.order = order;
        netting = input.isStream() ? null : new Netting(input.store());
    }

    @Override
    public boolean isStream()
    {
        return input.isStream();
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        if (netting == null)
        {
            size = 0;
            for (int i = 0; i < in.size(); i++)
            {
                take(in.row(i));
            }
            put(true);
            return;
        }
        netting.net(in);
        pass(false);
        pass(true);
    }

    private void pass(final boolean enters)
    {
        size = 0;
        for (int i = 0; i < netting.size(); i++)
        {
            if (netting.isPlus(i) == enters)
            {
                take(netting.row(i));
            }
        }
        put(enters);
    }

    private void take(final int row)
    {
        if (size == rows.length)
        {
            rows = Arrays.copyOf(rows, size * 2);
            merged = new int[size * 2];
        }
        rows[size++] = row;
    }

    private void put(final boolean enters)
    {
        for (int length = 1; length < size; length *= 2)
        {
            for (int from = 0; from < size; from += 2 * length)
            {
                merge(from, Math.min(from + length, size), Math.min(from + 2 * length, size));
            }
            final int[] last = rows;
            rows = merged;
            merged = last;
        }
        for (int i = 0; i < size; i++)
        {
            delta().add(rows[i], enters);
        }
    }

    /** Merges two neighbours that are sorted. */
    private void merge(final int from, final int middle, final int to)
    {
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++)
        {
            final boolean isLeft = right >= to || left < middle && order.compare(rows[left], rows[right]) <= 0;
            merged[i] = isLeft ? rows[left++] : rows[right++];
        }
    }
}
