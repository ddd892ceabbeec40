package dev.millrace.cql.runtime.flow;

/**
 * ORDER BY: compares rows by some columns. Immutable but for the store's rows. Threads: the engine's.
 */
public final class RowOrder
{
    private final RowStore store;
    private final int[] columns;
    private final boolean[] descending;
    private final boolean[] nullsFirst;

    /**
     * Makes an order.
     *
     * @param store      of the rows
     * @param columns    terms
     * @param descending direction of each
     * @param nullsFirst place of nulls of each
     */
    public RowOrder(
        final RowStore store, final int[] columns, final boolean[] descending, final boolean[] nullsFirst)
    {
        this.store = store;
        this.columns = columns.clone();
        this.descending = descending.clone();
        this.nullsFirst = nullsFirst.clone();
    }

    int compare(final int a, final int b)
    {
        for (int i = 0; i < columns.length; i++)
        {
            final boolean nullA = store.isNull(a, columns[i]);
            final boolean nullB = store.isNull(b, columns[i]);
            final int order;
            if (nullA || nullB)
            {
                order = nullA == nullB ? 0 : nullA == nullsFirst[i] ? -1 : 1;
            }
            else
            {
                final int natural = RowStore.compare(store, a, columns[i], store, b, columns[i]);
                order = descending[i] ? -natural : natural;
            }
            if (order != 0)
            {
                return order;
            }
        }
        return 0;
    }
}
