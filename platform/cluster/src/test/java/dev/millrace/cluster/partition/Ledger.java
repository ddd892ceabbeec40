package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Records the rows in the sinks of all members: for each source and symbol the last number, missing numbers, repeated
 * numbers, and numbers repeated on the same member.
 */
final class Ledger
{
    static final int SOURCES = 16;
    static final int SYMBOLS = 64;
    private static final int REPEATS = 20;

    final List<String> gaps = new CopyOnWriteArrayList<>();
    /** The first repeated numbers: which member received them now and before, and when. */
    final List<String> repeats = new CopyOnWriteArrayList<>();
    final AtomicLong rows = new AtomicLong();
    final AtomicLong again = new AtomicLong();
    final AtomicLong againOnOneMember = new AtomicLong();
    private final long startNs = System.nanoTime();
    private final AtomicReferenceArray<String> lastBy = new AtomicReferenceArray<>(SOURCES * SYMBOLS);
    private final AtomicLongArray last = new AtomicLongArray(SOURCES * SYMBOLS);

    long last(final int source, final int symbol)
    {
        return last.get(source * SYMBOLS + symbol);
    }

    /** The sink of one member. */
    EventBatchSink sink(final String member)
    {
        final long[] lastHere = new long[SOURCES * SYMBOLS];
        return batch -> take(member, lastHere, batch);
    }

    private void take(final String member, final long[] lastHere, final EventBatch batch)
    {
        for (int row = 0; row < batch.size(); row++)
        {
            final int key = batch.ints(0)[row] * SYMBOLS + Integer.parseInt(((String)batch.value(1, row)).substring(1));
            final long seq = ((Number)batch.value(2, row)).longValue();
            final long before = last.get(key);
            if (seq > before + 1)
            {
                gaps.add(member + " key=" + key + " after " + before + " received " + seq);
            }
            if (seq <= before)
            {
                again.incrementAndGet();
                repeated(member, key, seq, before);
            }
            if (seq <= lastHere[key])
            {
                againOnOneMember.incrementAndGet();
            }
            lastHere[key] = Math.max(seq, lastHere[key]);
            lastBy.set(key, member);
            rows.incrementAndGet();
            // Last: tests wait for it, and then read the other figures.
            last.accumulateAndGet(key, seq, Math::max);
        }
    }

    private void repeated(final String member, final int key, final long seq, final long before)
    {
        if (repeats.size() < REPEATS)
        {
            repeats.add("at=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - startNs) + "us source=" +
                key / SYMBOLS + " symbol=" + key % SYMBOLS + " number=" + seq + " by=" + member + " after=" + before +
                " by=" + lastBy.get(key));
        }
    }
}
