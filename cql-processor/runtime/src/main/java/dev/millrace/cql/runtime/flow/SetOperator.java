package dev.millrace.cql.runtime.flow;

import dev.millrace.cql.runtime.SlotLongs;
import java.util.Arrays;

/**
 * DISTINCT and the set operations: how often a row is in the result depends on how often it is left and right.
 * Nulls are equal.
 *
 * <p>Threads: the engine's.
 */
public final class SetOperator extends FlowOperator
{
    /** Which operation. */
    public enum Kind
    {
        /** One copy of each row of the left; has no right. */
        DISTINCT,
        /** Rows of either. */
        UNION,
        /** Difference of bags. */
        EXCEPT,
        /** Difference of sets. */
        MINUS,
        /** Rows of both. */
        INTERSECT,
        /** Left rows that are also right, with copies. */
        IN,
        /** Left rows that are not right, with copies. */
        NOT_IN;

        long copies(final long left, final long right)
        {
            return switch (this)
            {
                case DISTINCT -> left > 0 ? 1 : 0;
                case UNION -> left + right > 0 ? 1 : 0;
                case EXCEPT -> Math.max(0, left - right);
                case MINUS -> left > 0 && right == 0 ? 1 : 0;
                case INTERSECT -> left > 0 && right > 0 ? 1 : 0;
                case IN -> right > 0 ? left : 0;
                case NOT_IN -> right == 0 ? left : 0;
            };
        }
    }

    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int SHOWN = 2;

    private final Kind kind;
    private final FlowOperator left;
    private final FlowOperator right;
    private final int[] columns;
    private final RowIndex rows;
    private final BoundedOutput bound;
    /** Of each row: how often it is left and right, and copies shown before this instant, -1 when it is as it was. */
    private final SlotLongs counts;
    /** Rows of this instant: as many are copied, when it grows, as the instant has changed. */
    private int[] touched = new int[16];
    private int touchedCount;

    /**
     * Makes an operator.
     *
     * @param kind  which
     * @param left  left side
     * @param right right side; {@code null} for DISTINCT
     * @param rows  store of the result, of the layout of both sides
     */
    public SetOperator(final Kind kind, final FlowOperator left, final FlowOperator right, final RowStore rows)
    {
        super(rows, right == null ? new FlowOperator[]{left} : new FlowOperator[]{left, right});
        this.kind = kind;
        counts = new SlotLongs(3, rows.memory());
        this.left = left;
        this.right = right;
        bound = new BoundedOutput(this);
        columns = RowIndex.allColumns(rows);
        this.rows = RowIndex.unique(rows, columns);
    }

    @Override
    protected void process(final long nowNs)
    {
        touchedCount = 0;
        take(left.delta(), true);
        if (right != null)
        {
            take(right.delta(), false);
        }
        for (int i = 0; i < touchedCount; i++)
        {
            final int entry = touched[i];
            final long before = counts.get(entry, SHOWN);
            final long now = copies(entry);
            for (long copy = before; copy < now; copy++)
            {
                delta().add(rows.row(entry), true);
            }
            for (long copy = now; copy < before; copy++)
            {
                delta().add(rows.row(entry), false);
            }
            counts.set(entry, SHOWN, -1);
            if (counts.get(entry, LEFT) == 0 && counts.get(entry, RIGHT) == 0)
            {
                rows.remove(entry);
            }
        }
    }

    private long copies(final int entry)
    {
        return kind.copies(counts.get(entry, LEFT), counts.get(entry, RIGHT));
    }

    private void take(final Delta in, final boolean isLeft)
    {
        for (int i = 0; i < in.size(); i++)
        {
            final int entry = entry(in.store(), in.row(i), in.isPlus(i));
            if (entry == RowIndex.NONE)
            {
                continue;
            }
            if (counts.get(entry, SHOWN) < 0)
            {
                counts.set(entry, SHOWN, copies(entry));
                if (touchedCount == touched.length)
                {
                    touched = Arrays.copyOf(touched, touchedCount * 2);
                }
                touched[touchedCount++] = entry;
            }
            final int side = isLeft ? LEFT : RIGHT;
            counts.set(entry, side, counts.get(entry, side) + (in.isPlus(i) ? 1 : -1));
        }
    }

    /** The entry of a row; none when it was turned away. */
    private int entry(final RowStore from, final int row, final boolean enters)
    {
        final int found = rows.find(from, row, columns);
        if (!enters && !bound.hasRoom(from, row, false))
        {
            return RowIndex.NONE;
        }
        if (found != RowIndex.NONE)
        {
            return found;
        }
        final int copy = store().allocateBeyondBound();
        store().copyAll(from, row, copy, 0);
        if (enters && !bound.hasRoom(from, row, true))
        {
            store().release(copy);
            return RowIndex.NONE;
        }
        final int entry = rows.add(copy);
        store().release(copy);
        counts.reach(entry);
        counts.set(entry, LEFT, 0);
        counts.set(entry, RIGHT, 0);
        counts.set(entry, SHOWN, -1);
        return entry;
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
