package dev.millrace.tuning.parts;

import dev.millrace.cql.runtime.table.RowRing;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The rows of a window: one enters, the oldest one leaves. */
@State(Scope.Thread)
public class WindowBenchmark
{
    private static final int WORDS = 3;
    private static final int SPARE_ROWS = 4096;

    /** Rows in the window. */
    @Param({"1000", "100000", "6000000"})
    private int rows;

    private RowRing ring;
    private long next;

    /** Fills the window. */
    @Setup
    public void fill()
    {
        ring = new RowRing(WORDS, rows + SPARE_ROWS);
        for (int i = 0; i < rows; i++)
        {
            enter();
        }
    }

    private void enter()
    {
        if (!ring.add())
        {
            throw new IllegalStateException("the window is full, rows=" + ring.size());
        }
        final long[] words = ring.tail();
        final int at = ring.tailAt();
        next++;
        words[at] = next;
        words[at + 1] = next * 31;
        words[at + 2] = next >>> 3;
    }

    /** One in, one out. */
    @Benchmark
    public long slide()
    {
        enter();
        final long oldest = ring.head()[ring.headAt() + 1];
        ring.remove();
        return oldest;
    }
}
