package dev.millrace.tuning.parts;

import dev.millrace.cql.runtime.table.LongSlotMap;
import dev.millrace.cql.runtime.table.RowSlotMap;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Key to slot: one number, and several words, for keys that are already in the table. */
@State(Scope.Thread)
public class TableBenchmark
{
    private static final int LOOKUPS = 1 << 20;
    private static final int WORDS = 2;

    /** Number of keys. */
    @Param({"1000", "1000000"})
    private int keys;

    private final long[] order = new long[LOOKUPS];
    private LongSlotMap numbers;
    private RowSlotMap rows;
    private int next;

    /** Fills both tables. */
    @Setup
    public void fill()
    {
        numbers = new LongSlotMap();
        rows = new RowSlotMap(WORDS, keys);
        final SplittableRandom random = new SplittableRandom(2);
        final long[] all = random.longs(keys).toArray();
        for (int i = 0; i < LOOKUPS; i++)
        {
            order[i] = all[random.nextInt(keys)];
            numbers.slotOf(order[i]);
            slotOfWords(order[i]);
        }
    }

    private int slotOfWords(final long value)
    {
        final long[] key = rows.key();
        key[0] = value;
        key[1] = value >>> 7;
        return rows.slotOfKey();
    }

    /** A number as key. */
    @Benchmark
    public int number()
    {
        next = next + 1 & LOOKUPS - 1;
        return numbers.slotOf(order[next]);
    }

    /** Two words as key. */
    @Benchmark
    public int words()
    {
        next = next + 1 & LOOKUPS - 1;
        return slotOfWords(order[next]);
    }
}
