package dev.millrace.cql.runtime.flow;

import dev.millrace.api.event.CqlType;
import java.math.BigDecimal;

/**
 * {@code [range C on E]}: rows whose column is less than C below that of the latest row. The stream must be ordered on
 * the column: a row with a smaller value than its predecessor, with null or with NaN is turned away.
 *
 * <p>Threads: the engine's.
 */
public final class ValueWindow extends FlowOperator
{
    /** Reason of a row that is out of order. */
    public static final String OUT_OF_ORDER = "window-column-decreases";

    private final FlowOperator input;
    private final int column;
    private final double range;
    private final long wholeRange;
    private final TimedQueue rows;

    /**
     * Makes a window.
     *
     * @param input  stream
     * @param column numeric, timestamp or interval column
     * @param range  in units of the column; nanoseconds for times
     */
    public ValueWindow(final FlowOperator input, final int column, final double range)
    {
        super(input.store(), input);
        this.input = input;
        this.column = column;
        this.range = range;
        // Whole numbers are compared as such: a double has not all digits of a nanosecond time.
        wholeRange = (long)Math.ceil(range);
        rows = new TimedQueue(input.store());
    }

    @Override
    protected void process(final long nowNs)
    {
        final Delta in = input.delta();
        for (int i = 0; i < in.size(); i++)
        {
            final int row = in.row(i);
            if (isNone(row) ||
                !rows.isEmpty() && RowStore.compare(store(), row, column, store(), last(), column) < 0)
            {
                reject(OUT_OF_ORDER, "value=" + store().value(row, column));
                continue;
            }
            while (!rows.isEmpty() && isOut(rows.headRow(), row))
            {
                delta().give(rows.poll(), false);
            }
            rows.add(row, nowNs);
            delta().add(row, true);
        }
    }

    private boolean isNone(final int row)
    {
        final CqlType type = store().layout().type(column);
        return store().isNull(row, column) ||
            (type == CqlType.FLOAT || type == CqlType.DOUBLE) && Double.isNaN(store().getDouble(row, column));
    }

    private int last()
    {
        return rows.row(rows.size() - 1);
    }

    private boolean isOut(final int old, final int latest)
    {
        final CqlType type = store().layout().type(column);
        return switch (type)
        {
            case FLOAT, DOUBLE -> store().getDouble(latest, column) - store().getDouble(old, column) >= range;
            case BIGDECIMAL -> ((BigDecimal)store().getReference(latest, column))
                .subtract((BigDecimal)store().getReference(old, column)).compareTo(BigDecimal.valueOf(range)) >= 0;
            default -> differs(store().getLong(old, column), store().getLong(latest, column));
        };
    }

    private boolean differs(final long old, final long latest)
    {
        final long difference = latest - old;
        return difference < 0 || difference >= wholeRange;
    }

    @Override
    public long stateSize()
    {
        return rows.size();
    }
}
