package dev.millrace.cql.runtime.flow;

import java.util.Arrays;

/**
 * ORDER BY ... ROWS n [PARTITION BY]: the first n rows of the ordered relation; ties in order of arrival. O(log n) a
 * change.
 *
 * <p>Threads: the engine's.
 */
public final class TopOperator extends FlowOperator
{
    private final FlowOperator input;
    private final RowOrder order;
    private final long limit;
    private final int[] partitionBy;
    private final RowIndex rows;
    private final RowIndex partitions;
    private long[] arrivals = new long[16];
    private boolean[] isTop = new boolean[16];
    private final SortedEntries sorted = new SortedEntries(this::compare);
    /** Of each partition: entries that are shown and how many, and the others. */
    private int[] top = new int[16];
    private long[] topSize = new long[16];
    private int[] rest = new int[16];
    private long nextArrival;

    /**
     * Makes an operator.
     *
     * @param input       relation
     * @param order       of its rows
     * @param limit       n
     * @param partitionBy columns, empty for one partition
     */
    public TopOperator(final FlowOperator input, final RowOrder order, final long limit, final int[] partitionBy)
    {
        super(input.store(), input);
        this.input = input;
        this.order = order;
        this.limit = limit;
        this.partitionBy = partitionBy.clone();
        rows = new RowIndex(input.store(), RowIndex.allColumns(input.store()));
        partitions = new RowIndex(input.store(), partitionBy);
    }

    private int compare(final int a, final int b)
    {
        final int byTerms = order.compare(rows.row(a), rows.row(b));
        return byTerms != 0 ? byTerms : Long.compare(arrivals[a], arrivals[b]);
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            if (in.isPlus(i))
            {
                enter(in.row(i));
            }
            else
            {
                leave(in.row(i));
            }
        }
    }

    private int part(final int row)
    {
        int part = partitions.find(store(), row, partitionBy);
        if (part == RowIndex.NONE)
        {
            part = partitions.add(row);
            if (part >= top.length)
            {
                top = Arrays.copyOf(top, part * 2);
                topSize = Arrays.copyOf(topSize, part * 2);
                rest = Arrays.copyOf(rest, part * 2);
            }
            top[part] = SortedEntries.NONE;
            topSize[part] = 0;
            rest[part] = SortedEntries.NONE;
        }
        return part;
    }

    private void enter(final int row)
    {
        final int entry = rows.add(row);
        if (entry >= arrivals.length)
        {
            arrivals = Arrays.copyOf(arrivals, entry * 2);
            isTop = Arrays.copyOf(isTop, entry * 2);
        }
        arrivals[entry] = nextArrival++;
        final int part = part(row);
        if (topSize[part] < limit)
        {
            show(part, entry);
            return;
        }
        final int last = sorted.last(top[part]);
        if (compare(entry, last) < 0)
        {
            hide(part, last);
            rest[part] = sorted.add(rest[part], last);
            show(part, entry);
            return;
        }
        isTop[entry] = false;
        rest[part] = sorted.add(rest[part], entry);
    }

    private void show(final int part, final int entry)
    {
        isTop[entry] = true;
        top[part] = sorted.add(top[part], entry);
        topSize[part]++;
        delta().add(rows.row(entry), true);
    }

    private void hide(final int part, final int entry)
    {
        isTop[entry] = false;
        top[part] = sorted.remove(top[part], entry);
        topSize[part]--;
        delta().add(rows.row(entry), false);
    }

    private void leave(final int row)
    {
        final int entry = rows.find(row);
        if (entry == RowIndex.NONE)
        {
            return;
        }
        final int part = part(row);
        if (isTop[entry])
        {
            hide(part, entry);
            if (rest[part] != SortedEntries.NONE)
            {
                final int next = sorted.first(rest[part]);
                rest[part] = sorted.remove(rest[part], next);
                show(part, next);
            }
        }
        else
        {
            rest[part] = sorted.remove(rest[part], entry);
        }
        rows.remove(entry);
        if (topSize[part] == 0)
        {
            partitions.remove(part);
        }
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
