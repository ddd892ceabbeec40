package dev.millrace.tuning.ticks;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.string.StringTable;
import java.util.Arrays;

/**
 * Checksum of the output, by symbol and in order: a hash of all rows of a symbol, each row hashed into those before it.
 * Equal hashes of all symbols mean equal rows in equal order for each symbol; the order of rows of different symbols
 * does not matter. Not thread-safe.
 */
final class SequenceTally implements EventBatchSink
{
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final long OTHER_FACTOR = 0xC2B2_AE3D_27D4_EB4FL;

    private final Symbols symbols;
    private final long[] sequences;
    private final StringTable codes = new StringTable(StringTable.Lifetime.HELD, Integer.MAX_VALUE - 1);
    private final int[] ids = new int[EventBatch.CAPACITY];
    private int[] numberOfId = new int[0];
    private long rows;

    /** Number of a symbol by its name; the same in all networks, unlike codes. */
    @FunctionalInterface
    interface Symbols
    {
        int numberOf(String symbol);
    }

    SequenceTally(final Symbols symbols, final int count)
    {
        this.symbols = symbols;
        sequences = new long[count];
    }

    @Override
    public void onBatch(final EventBatch batch)
    {
        batch.texts(0).codes(codes, null, batch.size(), ids);
        final double[] first = batch.doubles(1);
        final double[] second = batch.doubles(2);
        for (int row = 0; row < batch.size(); row++)
        {
            final int id = ids[row];
            final int number = id < numberOfId.length && numberOfId[id] >= 0 ? numberOfId[id] :
                learn(id);
            final long content = Double.doubleToRawLongBits(first[row]) * FACTOR ^
                Double.doubleToRawLongBits(second[row]) * OTHER_FACTOR ^ batch.kind(row);
            final long mixed = (content ^ content >>> 29) * FACTOR;
            sequences[number] = (sequences[number] + mixed) * OTHER_FACTOR + 1;
        }
        rows += batch.size();
    }

    private int learn(final int id)
    {
        final int before = numberOfId.length;
        if (id >= before)
        {
            numberOfId = Arrays.copyOf(numberOfId, Math.max(id + 1, 2 * before));
            Arrays.fill(numberOfId, before, numberOfId.length, -1);
        }
        numberOfId[id] = symbols.numberOf(codes.string(id));
        return numberOfId[id];
    }

    long rows()
    {
        return rows;
    }

    /** The number of the first symbol whose rows differ; -1 when all rows are equal, in order. */
    int differsFrom(final SequenceTally other)
    {
        return Arrays.mismatch(sequences, other.sequences);
    }

    /** Over all symbols. */
    long checksum()
    {
        return Arrays.hashCode(sequences);
    }
}
