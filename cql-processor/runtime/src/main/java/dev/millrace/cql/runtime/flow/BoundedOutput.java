package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.RowRejection;
import java.util.HashMap;
import java.util.Map;

/**
 * New rows of an operator on their way to its delta. A row that enters while the store has no room is turned away and
 * remembered by its values, so that it is not said to leave later: what consumers keep stays right. A row that leaves
 * always finds room for the instant.
 *
 * <p>Threads: the engine's.
 */
final class BoundedOutput
{
    private static final int HALF = 32;

    private final FlowOperator operator;
    private final RowStore store;
    private final int[] columns;
    private final int[] reversed;
    /** How many equal rows were turned away, by two hashes of their values. */
    private final Map<Long, Integer> lost = new HashMap<>();

    BoundedOutput(final FlowOperator operator)
    {
        this.operator = operator;
        store = operator.store();
        columns = RowIndex.allColumns(store);
        reversed = new int[columns.length];
        for (int i = 0; i < columns.length; i++)
        {
            reversed[i] = columns.length - 1 - i;
        }
    }

    /** A new row, to be filled and given or released. */
    int begin()
    {
        return store.allocateBeyondBound();
    }

    /** Puts a row into the delta, with the caller's claim on it. */
    void give(final int row, final boolean enters)
    {
        if (hasRoom(store, row, enters))
        {
            operator.delta().give(row, enters);
        }
        else
        {
            store.release(row);
        }
    }

    /**
     * Whether a change may go on: not when it enters a full store, nor when it leaves and was turned away before.
     *
     * @param from   where the row is: the operator's store, or one of the same layout
     * @param row    row id
     * @param enters whether it enters
     */
    boolean hasRoom(final RowStore from, final int row, final boolean enters)
    {
        if (enters)
        {
            if (!store.isOverBound())
            {
                return true;
            }
            if (!operator.isStream())
            {
                lost.merge(key(from, row), 1, Integer::sum);
            }
            operator.reject(RowRejection.STATE_FULL, "more rows than may be kept, operator=" +
                operator.getClass().getSimpleName() + " maxRows=" + store.maxRows());
            return false;
        }
        if (lost.isEmpty())
        {
            return true;
        }
        final Long key = key(from, row);
        final Integer count = lost.get(key);
        if (count == null)
        {
            return true;
        }
        if (count == 1)
        {
            lost.remove(key);
        }
        else
        {
            lost.put(key, count - 1);
        }
        return false;
    }

    private Long key(final RowStore from, final int row)
    {
        return (long)from.hash(row, columns) << HALF ^ from.hash(row, reversed);
    }
}
