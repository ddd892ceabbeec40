package dev.millrace.tuning.harness;

import dev.millrace.api.event.ColumnStorage;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;

/**
 * Checksum of rows: number of rows and sum of their values: first column char, second a number, third (if there is one)
 * a number. Time, kind and origin are included, so that omitting them would be detected. Computed column by column, so
 * that it costs little compared with the measured work.
 */
public final class ResultChecksum implements EventBatchSink
{
    private static final long ID = 31;
    private static final long TIME = 5;
    private static final long ORIGIN = 7;

    private final SymbolCodes symbols;
    private long rows;
    private long checksum;

    /** For rows whose strings are numbers, if any. */
    public ResultChecksum()
    {
        this(null);
    }

    /**
     * For rows whose strings may be stored differently.
     *
     * @param symbols assigns their numbers
     */
    public ResultChecksum(final SymbolCodes symbols)
    {
        this.symbols = symbols;
    }

    private int[] ints(final EventBatch batch, final int column)
    {
        return batch.texts(column) == null ? batch.ints(column) :
            symbols == null ? batch.texts(column).codes() : symbols.of(batch.texts(column), batch.size());
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        final int n = batch.size();
        long sum = ids(ints(batch, 0), n) + times(batch, n) * TIME;
        if (batch.hasKinds())
        {
            sum += kinds(batch, n);
        }
        for (int column = 1; column < batch.schema().columnCount(); column++)
        {
            sum += column(batch, column, n) * (2L * column - 1);
        }
        if (batch.hasOrigins())
        {
            sum += longs(batch.originsNs(), n) * ORIGIN;
        }
        rows += n;
        checksum += sum;
    }

    private long column(final EventBatch batch, final int column, final int n)
    {
        final ColumnStorage storage = batch.schema().storage(column);
        return switch (storage)
        {
            case FLOAT64 -> doubles(batch.doubles(column), n);
            case INT64 -> longs(batch.longs(column), n);
            case INT32, TEXT -> ids(ints(batch, column), n);
            default -> throw new IllegalStateException("the tally does not know such columns, storage=" + storage);
        };
    }

    private static long ids(final int[] values, final int n)
    {
        long sum = 0;
        for (int i = 0; i < n; i++)
        {
            sum += values[i];
        }
        return sum * ID;
    }

    private static long longs(final long[] values, final int n)
    {
        long sum = 0;
        for (int i = 0; i < n; i++)
        {
            sum += values[i];
        }
        return sum;
    }

    private static long doubles(final double[] values, final int n)
    {
        long sum = 0;
        for (int i = 0; i < n; i++)
        {
            sum += Double.doubleToRawLongBits(values[i]);
        }
        return sum;
    }

    private static long times(final EventBatch batch, final int n)
    {
        return batch.timestampPerRow() ? longs(batch.timestampsNs(), n) :
            n * batch.baseTimestampNs() + n * (n - 1L) / 2;
    }

    /** A delete with the values of an insert must have another checksum. */
    private long kinds(final EventBatch batch, final int n)
    {
        final byte[] kinds = batch.kinds();
        final int[] ids = ints(batch, 0);
        final long[] values = batch.schema().storage(1) == ColumnStorage.INT64 ? batch.longs(1) : null;
        long sum = 0;
        for (int i = 0; i < n; i++)
        {
            sum += kinds[i] * (values == null ? ids[i] : values[i]);
        }
        return sum;
    }

    /** Adds the sums of another checksum. */
    public void add(final long moreRows, final long moreChecksum)
    {
        rows += moreRows;
        checksum += moreChecksum;
    }

    public long rows()
    {
        return rows;
    }

    public long checksum()
    {
        return checksum;
    }
}
