package dev.millrace.tuning.signal;

import dev.millrace.adapter.loadgen.WireFormat;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.string.StringTable;
import dev.millrace.tuning.harness.SymbolCodes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Hand-written conversion of frames of (short string, double) to signals: eight bytes at a time, a sparse table from
 * string to id, columns of the greatest batch, then {@link PairBaseline}.
 */
final class WireBaseline
{
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle DOUBLE =
        MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SLOTS = 1 << 14;
    private static final int SHIFT = Long.SIZE - 14;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final long[] table = new long[SLOTS * 2];
    private final EventBatch batch;
    private final PairBaseline pair;
    private long timeNs;
    private int row;

    WireBaseline(final BatchSchema source, final StringTable strings, final String[] names, final PairBaseline pair)
    {
        this.pair = pair;
        batch = new EventBatch(source);
        for (final String name : names)
        {
            final byte[] text = name.getBytes(StandardCharsets.US_ASCII);
            long key = 0;
            for (int i = text.length - 1; i >= 0; i--)
            {
                key = key << 8 | text[i] & 0xFF;
            }
            int at = (int)((key * FACTOR) >>> SHIFT) << 1;
            while (table[at + 1] != 0)
            {
                at = (at + 2) & (SLOTS * 2 - 1);
            }
            table[at] = key;
            table[at + 1] = strings.find(name);
        }
    }

    /** Decodes whole frames from the start to the end of the bytes; eight more bytes must be readable after them. */
    void decode(final byte[] bytes, final int end)
    {
        final int[] ids = SymbolCodes.numbers(batch);
        final double[] prices = batch.doubles(1);
        final long[] origins = batch.useOrigins();
        int at = 0;
        while (at < end)
        {
            final int rows = (int)((long)LONG.get(bytes, at) >>> 48);
            final long dueNs = (long)LONG.get(bytes, at + 8);
            at += WireFormat.FRAME_HEADER_BYTES;
            for (int left = rows; left > 0; left--)
            {
                final int length = bytes[at] & 0xFF;
                final long key = (long)LONG.get(bytes, at + 1) & (-1L >>> ((Long.BYTES - length) << 3));
                ids[row] = idOf(key);
                prices[row] = (double)DOUBLE.get(bytes, at + 1 + length);
                origins[row] = dueNs;
                at += 1 + length + Double.BYTES;
                row++;
                if (row == EventBatch.CAPACITY)
                {
                    flush();
                }
            }
        }
        flush();
    }

    private int idOf(final long key)
    {
        int at = (int)((key * FACTOR) >>> SHIFT) << 1;
        while (table[at] != key)
        {
            at = (at + 2) & (SLOTS * 2 - 1);
        }
        return (int)table[at + 1];
    }

    private void flush()
    {
        if (row > 0)
        {
            batch.size(row);
            batch.baseTimestampNs(timeNs);
            timeNs += row;
            row = 0;
            pair.onBatch(batch);
        }
    }
}
