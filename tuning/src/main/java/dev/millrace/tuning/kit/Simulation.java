package dev.millrace.tuning.kit;

import dev.millrace.api.event.EventBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Clients without network: threads in the server's process that call the engine at a pace. */
final class Simulation implements AutoCloseable
{
    private static final long SEED = 20081104;
    private static final long END_MS = 5_000;

    private final List<Pacer> pacers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param rate     number and speed of clients
     * @param data     symbols
     * @param engine   receives the events
     * @param lengthNs duration
     */
    Simulation(final Rate rate, final MarketData data, final KitEngine engine, final long lengthNs)
    {
        final SplittableRandom seeds = new SplittableRandom(SEED);
        for (int i = 0; i < rate.clients(); i++)
        {
            final Pacer pacer = new Pacer(rate, engine.batchRows());
            final SplittableRandom random = seeds.split();
            pacers.add(pacer);
            final Thread thread = new Thread(() -> run(pacer, random, data, engine, lengthNs), "kit-simulation");
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    private static void run(final Pacer pacer, final SplittableRandom random, final MarketData data,
        final KitEngine engine, final long lengthNs)
    {
        final EventBatch batch = engine.batch();
        try
        {
            pacer.run(lengthNs, (dueNs, count) ->
            {
                for (int i = 0; i < count; i++)
                {
                    final long bits = random.nextLong();
                    batch.texts(MarketData.TICKER).set(i, engine.ticker(data.symbol(bits)));
                    batch.ints(MarketData.VOLUME)[i] = MarketData.volume(bits);
                    batch.doubles(MarketData.PRICE)[i] = MarketData.price(bits);
                }
                System.arraycopy(dueNs, 0, batch.useOrigins(), 0, count);
                batch.size(count);
                engine.take(batch);
            });
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("internal error, please report it: there is no network here", e);
        }
    }

    void start()
    {
        threads.forEach(Thread::start);
    }

    /** Events sent so far. */
    long sent()
    {
        return pacers.stream().mapToLong(Pacer::sent).sum();
    }

    /** Whether any client still sends. */
    boolean isSending()
    {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    @Override
    public void close()
    {
        stop();
    }

    /** Stops sending and waits for the threads. */
    void stop()
    {
        pacers.forEach(Pacer::stop);
        for (final Thread thread : threads)
        {
            try
            {
                thread.join(END_MS);
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
