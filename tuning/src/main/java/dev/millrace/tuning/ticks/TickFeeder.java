package dev.millrace.tuning.ticks;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.tuning.harness.TickData;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicReference;

/** Sends the ticks of its share of the symbols through a network, in full batches; each symbol has one feeder. */
final class TickFeeder
{
    private final EventBatchSender sender;
    private final EventBatch batch;
    private final String[] symbols;
    private final double[] prices;

    /**
     * @param source  index of this feeder
     * @param sources number of feeders
     */
    TickFeeder(final TickData data, final WorkerNetwork network, final int source, final int sources)
    {
        sender = network.sender(source);
        batch = network.newBatch();
        final String[] own = new String[TickData.EVENTS];
        final double[] ownPrices = new double[TickData.EVENTS];
        int n = 0;
        for (int i = 0; i < TickData.EVENTS; i++)
        {
            final int symbol = data.symbols[i];
            // Adjacent symbols stay together, so that each feeder has rows for each worker.
            if (symbol / 2 % sources == source)
            {
                own[n] = data.names[symbol];
                ownPrices[n] = data.prices[i];
                n++;
            }
        }
        symbols = java.util.Arrays.copyOf(own, n);
        prices = java.util.Arrays.copyOf(ownPrices, n);
    }

    /**
     * Sends everything: one feeder on this thread, others on separate threads.
     *
     * @return CPU time of those threads
     */
    static long runAll(final TickFeeder[] feeders) throws InterruptedException
    {
        if (feeders.length == 1)
        {
            feeders[0].send();
            return 0;
        }
        final long[] cpuNs = new long[feeders.length];
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread[] threads = new Thread[feeders.length];
        for (int i = 0; i < feeders.length; i++)
        {
            final int number = i;
            threads[i] = new Thread(() ->
            {
                feeders[number].send();
                cpuNs[number] = ((ThreadMXBean)ManagementFactory.getThreadMXBean()).getCurrentThreadCpuTime();
            }, "feeder-" + i);
            threads[i].setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
            threads[i].start();
        }
        long sum = 0;
        for (int i = 0; i < threads.length; i++)
        {
            threads[i].join();
            sum += cpuNs[i];
        }
        if (failure.get() != null)
        {
            throw new IllegalStateException("a feeder failed", failure.get());
        }
        return sum;
    }

    private void send()
    {
        for (int from = 0; from < symbols.length; from += EventBatch.CAPACITY)
        {
            final int n = Math.min(EventBatch.CAPACITY, symbols.length - from);
            System.arraycopy(symbols, from, batch.texts(0).writeStrings(), 0, n);
            batch.texts(0).wroteStrings(n);
            System.arraycopy(prices, from, batch.doubles(1), 0, n);
            batch.size(n);
            sender.send(batch);
        }
    }
}
