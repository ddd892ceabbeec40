package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.EventBatch;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.ChannelStage.Queue;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AllocationTest
{
    private static final int BATCHES = 20_000;

    private final TestNetwork net = new TestNetwork();
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private volatile long rowsSeen;
    private volatile long consumerThread;

    private void shouldAllocateNothing() throws Exception
    {
        final Network network = net.start();
        try
        {
            source.send(1, 2, 3);
            // A queue delivers these rows on its own thread; they must not be counted in a later round.
            awaitRows(3);
            pump(BATCHES);
            long least = Long.MAX_VALUE;
            // Compilers and class loading may still allocate in one round; a cost per batch would show in all rounds.
            for (int round = 0; round < 10; round++)
            {
                final long before = allocatedBytes();
                final long seenBefore = rowsSeen;
                pump(BATCHES);
                assertThat(rowsSeen - seenBefore).isEqualTo(3L * BATCHES);
                least = Math.min(least, allocatedBytes() - before);
            }
            assertThat(least).isLessThan(BATCHES / 2);
        }
        finally
        {
            network.stop();
        }
    }

    private long allocatedBytes()
    {
        final long own = Thread.currentThread().getId();
        return threads.getThreadAllocatedBytes(own) +
            (consumerThread == own ? 0 : threads.getThreadAllocatedBytes(consumerThread));
    }

    private void pump(final int batches)
    {
        final long target = rowsSeen + 3L * batches;
        final EventBatch batch = source.batch;
        for (int i = 0; i < batches; i++)
        {
            source.sender.send(batch);
        }
        awaitRows(target);
    }

    private void awaitRows(final long target)
    {
        final long deadline = System.nanoTime() + 60_000_000_000L;
        while (rowsSeen < target && System.nanoTime() < deadline)
        {
            Thread.onSpinWait();
        }
    }

    private void count(final EventBatch batch)
    {
        consumerThread = Thread.currentThread().getId();
        rowsSeen += batch.size();
    }

    /** A sink without state. */
    private final class CountingSink implements dev.millrace.api.stage.EventBatchSink
    {
        @Override
        public void onBatch(final EventBatch batch)
        {
            count(batch);
        }
    }

    @Test
    void shouldPassABatchFromSenderToSinkWithoutAllocating() throws Exception
    {
        net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, Queue.PASS_THROUGH, ChannelStage.Time.SYSTEM, "next")
            .channel("next", Parts.TICK, "out").bean("out", new CountingSink());
        shouldAllocateNothing();
    }

    @Test
    void shouldPassABatchThroughAProcessorAndAViewWithoutAllocating() throws Exception
    {
        net.providers.put("echo", new EchoProvider());
        net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "proc").processor("proc", 1, "out")
            .selecting("out", Parts.TICK, List.of("all"), "sink").bean("sink", new CountingSink());
        shouldAllocateNothing();
    }

    @Test
    void shouldPassABatchThroughAQueueWithoutAllocating() throws Exception
    {
        net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(1, 64), ChannelStage.Time.SYSTEM, "out")
            .bean("out", new CountingSink());
        shouldAllocateNothing();
    }
}
