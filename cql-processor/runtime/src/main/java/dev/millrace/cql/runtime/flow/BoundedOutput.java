package dev.millrace.cql.runtime.flow;

import dev.millrace.api.memory.MemoryAccount;

/**
 * New rows of an operator on their way to its delta. A row that enters while the store has no room is turned away and
 * remembered by its values, so that it is not said to leave later: what consumers keep stays right. A row that leaves
 * always finds room for the instant.
 *
 * <p>Threads: the engine's.
 */
final class BoundedOutput
{
    private final FlowOperator operator;
    private final RowStore store;
    private final LostRows lost;

    BoundedOutput(final FlowOperator operator)
    {
        this.operator = operator;
        store = operator.store();
        lost = new LostRows(store, LostRows.MAX_ROWS);
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
        if (!enters)
        {
            return !lost.remove(from, row);
        }
        if (!store.isOverBound())
        {
            return true;
        }
        final boolean isRemembered = operator.isStream() || lost.add(from, row);
        final String reason = store.fullReason();
        operator.reject(reason, (reason.equals(MemoryAccount.MEMORY_FULL) ? store.memory().shortage() :
            "more rows than may be kept, operator=" + operator.getClass().getSimpleName() + " maxRows=" +
            store.maxRows()) + (isRemembered ? "" : LostRows.FORGOTTEN));
        return false;
    }
}
