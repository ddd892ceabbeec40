package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotLongs;

/**
 * ORDER BY ... ROWS n [PARTITION BY]: the first n rows of the ordered relation; ties in order of arrival. O(log n) a
 * change.
 *
 * <p>Threads: the engine's.
 */
public final class TopOperator extends FlowOperator
{
    private static final int ARRIVAL = 0;
    private static final int IS_TOP = 1;
    private static final int TOP = 0;
    private static final int REST = 1;
    private static final int TOP_SIZE = 2;

    private final FlowOperator input;
    private final RowOrder order;
    private final long limit;
    private final int[] partitionBy;
    private final RowIndex rows;
    private final RowIndex partitions;
    /** Of each row: when it came, and 1 when it is shown. */
    private final SlotLongs ranks;
    private final Ranking ranking = new Ranking();
    private final SortedEntries sorted;
    /** Of each partition: entries that are shown and how many, and the others. */
    private final SlotLongs parts;
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
        ranks = new SlotLongs(2, input.store().memory());
        sorted = new SortedEntries(ranking, input.store().memory());
        parts = new SlotLongs(3, input.store().memory());
        this.order = order;
        this.limit = limit;
        this.partitionBy = partitionBy.clone();
        rows = new RowIndex(input.store(), RowIndex.allColumns(input.store()));
        partitions = RowIndex.unique(input.store(), partitionBy);
    }

    /** Rows by their terms, then as they came. */
    private final class Ranking implements SortedEntries.Order
    {
        private int row;
        private long arrival;

        @Override
        public void seek(final int entry)
        {
            row = rows.row(entry);
            arrival = ranks.get(entry, ARRIVAL);
        }

        @Override
        public int compareTo(final int other)
        {
            final int byTerms = order.compare(row, rows.row(other));
            return byTerms != 0 ? byTerms : Long.compare(arrival, ranks.get(other, ARRIVAL));
        }
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
            parts.reach(part);
            parts.set(part, TOP, SortedEntries.NONE);
            parts.set(part, TOP_SIZE, 0);
            parts.set(part, REST, SortedEntries.NONE);
        }
        return part;
    }

    private int root(final int part, final int set)
    {
        return (int)parts.get(part, set);
    }

    private void addTo(final int part, final int set, final int entry)
    {
        parts.set(part, set, sorted.add(root(part, set), entry));
    }

    private void removeFrom(final int part, final int set, final int entry)
    {
        parts.set(part, set, sorted.remove(root(part, set), entry));
    }

    private void enter(final int row)
    {
        final int entry = rows.add(row);
        ranks.reach(entry);
        ranks.set(entry, ARRIVAL, nextArrival++);
        final int part = part(row);
        if (parts.get(part, TOP_SIZE) < limit)
        {
            show(part, entry);
            return;
        }
        final int last = sorted.last(root(part, TOP));
        ranking.seek(entry);
        if (ranking.compareTo(last) < 0)
        {
            hide(part, last);
            addTo(part, REST, last);
            show(part, entry);
            return;
        }
        ranks.set(entry, IS_TOP, 0);
        addTo(part, REST, entry);
    }

    private void show(final int part, final int entry)
    {
        ranks.set(entry, IS_TOP, 1);
        addTo(part, TOP, entry);
        parts.set(part, TOP_SIZE, parts.get(part, TOP_SIZE) + 1);
        delta().add(rows.row(entry), true);
    }

    private void hide(final int part, final int entry)
    {
        ranks.set(entry, IS_TOP, 0);
        removeFrom(part, TOP, entry);
        parts.set(part, TOP_SIZE, parts.get(part, TOP_SIZE) - 1);
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
        if (ranks.get(entry, IS_TOP) != 0)
        {
            hide(part, entry);
            if (root(part, REST) != SortedEntries.NONE)
            {
                final int next = sorted.first(root(part, REST));
                removeFrom(part, REST, next);
                show(part, next);
            }
        }
        else
        {
            removeFrom(part, REST, entry);
        }
        rows.remove(entry);
        if (parts.get(part, TOP_SIZE) == 0)
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
