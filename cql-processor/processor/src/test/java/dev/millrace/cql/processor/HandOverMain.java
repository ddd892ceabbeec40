package dev.millrace.cql.processor;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.Clock;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.network.spi.ProcessorWiring;
import dev.millrace.network.spi.RunningProcessor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Measures the cost of a hand-over: events per second through the pair pipeline on the source's thread and through 1 to
 * 3 workers, by batch size. Run it manually; it is not a test. Events are prepared columns, so decoding is not
 * included.
 */
public final class HandOverMain
{
    private static final int SYMBOLS = 1470;
    private static final int EVENTS = 1 << 20;
    private static final int ROUNDS = 40;
    private static final double PRICE_STEP = 0.35;

    private HandOverMain()
    {
    }

    /**
     * Prints a table.
     *
     * @throws Exception if a run fails
     */
    public static void main(final String[] args) throws Exception
    {
        System.out.println("batch  inline      workers=1   workers=2   workers=3   (million events a second, best of " +
            ROUNDS + ")");
        for (final int batch : new int[] {1, 10, 64, 256})
        {
            System.out.printf("%5d  %-10.1f  %-10.1f  %-10.1f  %-10.1f%n", batch, measure(batch, 1, 1),
                measure(batch, 1, 2), measure(batch, 2, 1), measure(batch, 3, 1));
        }
    }

    private static double measure(final int batchSize, final int workers, final int sources) throws Exception
    {
        final String[] known = new String[300];
        Arrays.setAll(known, i -> "S" + i * 49 / 10);
        final PlannedCqlProcessor planned =
            PairPlan.planned(PairPlan.cache(known), OrderingConstraint.PARTITION_ORDERED);
        final AtomicLong out = new AtomicLong();
        final RunningProcessor running = planned.start(new CountingWiring(workers, sources, out));
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        final String[] symbols = new String[EVENTS];
        final String[] names = IntStream.range(0, SYMBOLS).mapToObj(i -> "S" + i).toArray(String[]::new);
        final double[] prices = new double[EVENTS];
        final Random random = new Random(1);
        for (int i = 0; i < EVENTS; i++)
        {
            symbols[i] = names[random.nextInt(SYMBOLS)];
            prices[i] = 100 + random.nextGaussian() * PRICE_STEP * 2;
        }
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++)
        {
            final long startNs = System.nanoTime();
            for (int from = 0; from < EVENTS; from += batchSize)
            {
                final int count = Math.min(batchSize, EVENTS - from);
                batch.clear();
                batch.baseTimestampNs(from);
                batch.texts(0).set(symbols, from, count);
                System.arraycopy(prices, from, batch.doubles(1), 0, count);
                batch.size(count);
                input.onBatch(batch);
            }
            running.drain(TimeUnit.SECONDS.toNanos(60));
            best = Math.min(best, System.nanoTime() - startNs);
        }
        running.stop();
        return EVENTS * 1e3 / best;
    }

    /** Sinks that only count. */
    private record CountingWiring(int workers, int sources, AtomicLong out)
        implements ProcessorWiring
    {
        @Override
        public String qualifiedName()
        {
            return "measure/proc";
        }

        @Override
        public Clock clock()
        {
            return Clock.SYSTEM;
        }

        @Override
        public ThreadFactory threads()
        {
            return task ->
            {
                final Thread thread = new Thread(task);
                thread.setDaemon(true);
                return thread;
            };
        }

        @Override
        public Object sourceThread(final String channelId)
        {
            return null;
        }

        @Override
        public int sourceThreads(final String channelId)
        {
            return sources;
        }

        @Override
        public Map<String, EventBatchSink> openOutputs(final List<String> queryIds)
        {
            return queryIds.stream()
                .collect(Collectors.toMap(query -> query, query -> batch -> out.addAndGet(batch.size())));
        }

        @Override
        public void reject(final int rows, final String reason, final String detail)
        {
            throw new IllegalStateException("nothing is rejected here, reason=" + reason + " detail=" + detail);
        }
    }
}
