package dev.millrace.tuning.nexmark;

import dev.millrace.api.event.CharColumn;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.util.Arrays;

/**
 * Counts the rows of the engine as {@link ResultRows} counts those of a loop, and mixes their values while the check is
 * on. Not thread-safe.
 */
public final class ChecksumSink implements EventBatchSink
{
    private final long[] mixed = new long[EventBatch.CAPACITY];
    private volatile boolean isChecked;
    private volatile long rows;
    private volatile long netRows;
    private volatile long checksum;

    @Override
    public void onBatch(final EventBatch batch)
    {
        final int n = batch.size();
        int leaving = 0;
        if (batch.hasKinds())
        {
            final byte[] kinds = batch.kinds();
            for (int i = 0; i < n; i++)
            {
                leaving += kinds[i] == EventBatch.DELETE ? 1 : 0;
            }
        }
        rows += n;
        netRows += n - 2L * leaving;
        if (isChecked && n > 0)
        {
            check(batch);
        }
    }

    private void check(final EventBatch batch)
    {
        final int n = batch.size();
        Arrays.fill(mixed, 0, n, 0);
        for (int column = 0; column < batch.schema().columnCount(); column++)
        {
            for (int i = 0; i < n; i++)
            {
                mixed[i] = ResultRows.mix(mixed[i], value(batch, column, i));
            }
        }
        long sum = 0;
        for (int i = 0; i < n; i++)
        {
            final boolean leaves = batch.hasKinds() && batch.kinds()[i] == EventBatch.DELETE;
            sum += leaves ? -ResultRows.finish(mixed[i]) : ResultRows.finish(mixed[i]);
        }
        checksum += sum;
    }

    private long value(final EventBatch batch, final int column, final int row)
    {
        if (batch.hasNulls(column) && batch.isNull(column, row))
        {
            return ResultRows.MISSING;
        }
        return switch (batch.schema().storage(column))
        {
            case INT64 -> batch.longs(column)[row];
            case INT32 -> batch.ints(column)[row];
            case FLOAT32 -> Float.floatToRawIntBits(batch.floats(column)[row]);
            case FLOAT64 -> Double.doubleToRawLongBits(batch.doubles(column)[row]);
            case TEXT -> hash(batch, column, row);
            default -> throw new IllegalStateException(
                "the check does not know such columns, storage=" + batch.schema().storage(column));
        };
    }

    private int hash(final EventBatch batch, final int column, final int row)
    {
        final CharColumn texts = batch.texts(column);
        return texts.isNull(row) ? 0 : texts.string(row).hashCode();
    }

    /**
     * Switches the check of values.
     *
     * @param on whether values are mixed from now on
     */
    public void check(final boolean on)
    {
        isChecked = on;
    }

    /** Rows so far, inserts and deletes. */
    public long rows()
    {
        return rows;
    }

    /** Inserts minus deletes. */
    public long netRows()
    {
        return netRows;
    }

    /** Sum over the rows that were checked. */
    public long checksum()
    {
        return checksum;
    }
}
