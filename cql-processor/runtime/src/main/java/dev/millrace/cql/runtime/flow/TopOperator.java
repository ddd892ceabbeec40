package dev.millrace.cql.runtime.flow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

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
    private final List<Part> parts = new ArrayList<>();
    private long nextArrival;

    /** A partition: entries that are shown, and the others. */
    private final class Part
    {
        private final TreeSet<Integer> top = new TreeSet<>(TopOperator.this::compare);
        private final TreeSet<Integer> rest = new TreeSet<>(TopOperator.this::compare);
    }

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

    private Part part(final int row)
    {
        int partition = partitions.find(store(), row, partitionBy);
        if (partition == RowIndex.NONE)
        {
            partition = partitions.add(row);
            while (parts.size() <= partition)
            {
                parts.add(null);
            }
            parts.set(partition, new Part());
        }
        return parts.get(partition);
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
        final Part part = part(row);
        if (part.top.size() < limit)
        {
            show(part, entry);
            return;
        }
        if (compare(entry, part.top.last()) < 0)
        {
            final int last = part.top.pollLast();
            isTop[last] = false;
            part.rest.add(last);
            delta().add(rows.row(last), false);
            show(part, entry);
            return;
        }
        isTop[entry] = false;
        part.rest.add(entry);
    }

    private void show(final Part part, final int entry)
    {
        isTop[entry] = true;
        part.top.add(entry);
        delta().add(rows.row(entry), true);
    }

    private void leave(final int row)
    {
        final int entry = rows.find(row);
        if (entry == RowIndex.NONE)
        {
            return;
        }
        final Part part = part(row);
        if (isTop[entry])
        {
            part.top.remove(entry);
            delta().add(rows.row(entry), false);
            if (!part.rest.isEmpty())
            {
                show(part, part.rest.pollFirst());
            }
        }
        else
        {
            part.rest.remove(entry);
        }
        rows.remove(entry);
        if (part.top.isEmpty())
        {
            final int partition = partitions.find(store(), row, partitionBy);
            parts.set(partition, null);
            partitions.remove(partition);
        }
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
