package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.network.spi.RemoteInput;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/** The stages below a channel: counts rows and the inputs on which they arrive. */
final class Inside implements RemoteInput
{
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicLong rows = new AtomicLong();
    final AtomicInteger forgotten = new AtomicInteger();
    final Map<String, Integer> rejected = new ConcurrentHashMap<>();
    /** Rows wait until it opens. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    @Override
    public RemoteWay open()
    {
        opened.incrementAndGet();
        open.incrementAndGet();
        return new RemoteWay()
        {
            @Override
            public void accept(final EventBatch batch)
            {
                if (batch.size() > 0)
                {
                    await();
                    rows.addAndGet(batch.size());
                }
            }

            @Override
            public void close()
            {
                open.decrementAndGet();
            }
        };
    }

    private void await()
    {
        try
        {
            gate.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean forget(final BitSet partitions, final BiConsumer<String, byte[]> to)
    {
        forgotten.addAndGet(partitions.cardinality());
        return true;
    }

    @Override
    public boolean takeOver(final BitSet partitions, final String stage, final byte[] state)
    {
        return true;
    }

    @Override
    public void reject(final int count, final String reason, final String detail)
    {
        if (count > 0)
        {
            rejected.merge(reason, count, Integer::sum);
        }
    }
}
