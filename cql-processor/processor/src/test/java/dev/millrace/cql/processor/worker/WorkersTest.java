package dev.millrace.cql.processor.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.cache.Cache;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.processor.PairPlan;
import dev.millrace.cql.processor.PairPlan.Tick;
import dev.millrace.cql.processor.PlannedCqlProcessor;
import dev.millrace.cql.processor.RunningCqlProcessor;
import dev.millrace.cql.processor.TestWiring;
import dev.millrace.cql.processor.Waiting;
import dev.millrace.network.spi.RunningProcessor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows through rings and workers, compared with an independent computation. */
@Timeout(60)
class WorkersTest
{
    private static final int SYMBOLS = 60;
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(60);

    private final Cache cache = PairPlan.cache(PairPlan.halfOf(SYMBOLS));
    private final PlannedCqlProcessor planned = PairPlan.planned(cache, OrderingConstraint.PARTITION_ORDERED);

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,1", "1,2", "2,2", "3,2"})
    void shouldGiveTheRowsOfASingleThreadWhenSpreadOverWorkers(final int workers, final int sources) throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed + " workers=" + workers + " sources=" + sources);
        final Random random = new Random(seed);
        final List<Tick> ticks = PairPlan.ticks(random, 60_000, SYMBOLS);
        final TestWiring wiring = new TestWiring(workers, sources);
        final RunningProcessor running = planned.start(wiring);
        final List<Thread> senders = new ArrayList<>();
        for (int source = 0; source < sources; source++)
        {
            final int own = source;
            final List<Tick> part = ticks.stream()
                .filter(tick -> Integer.parseInt(tick.symbol().substring(1)) % (sources * 2) / 2 == own).toList();
            final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
            final long batchSeed = random.nextLong();
            senders.add(new Thread(() -> send(input, wiring, part, new Random(batchSeed))));
        }
        senders.forEach(Thread::start);
        for (final Thread sender : senders)
        {
            sender.join();
        }

        assertThat(running.drain(DRAIN_NS)).isTrue();
        assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
            PairPlan.expected(ticks, Set.of(PairPlan.halfOf(SYMBOLS))));
        assertThat(wiring.rejected()).isZero();
        assertThat(figures(running, "queries").toString()).contains("rowsIn=60000");
        running.stop();
        assertThat(wiring.startedThreads()).hasSize(workers == 1 ? 0 : workers)
            .noneMatch(Thread::isAlive);
    }

    private static void send(
        final EventBatchSink input, final TestWiring wiring, final List<Tick> ticks, final Random random)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        int from = 0;
        while (from < ticks.size())
        {
            final int largest = random.nextBoolean() ? 10 : EventBatch.CAPACITY;
            final int count = Math.min(1 + random.nextInt(largest), ticks.size() - from);
            PairPlan.fill(batch, ticks, from, count);
            if (random.nextInt(4) == 0)
            {
                // Origins alternate within one stream, so that batches must not mix them.
                Arrays.fill(batch.useOrigins(), 0, count, 1L);
            }
            deliver(input, batch);
            from += count;
        }
    }

    private static void deliver(final EventBatchSink input, final EventBatch batch)
    {
        try
        {
            input.onBatch(batch);
        }
        catch (final EventRejectedException unexpected)
        {
            throw new IllegalStateException(unexpected);
        }
    }

    @Test
    void shouldLoseNothingWhenStoppedWhileBusy() throws Exception
    {
        final List<Tick> ticks = PairPlan.ticks(new Random(5), 20_000, SYMBOLS);
        final TestWiring wiring = new TestWiring(2, 1);
        wiring.beforeCollect(batch -> LockSupport.parkNanos(50_000));
        final RunningProcessor running = planned.start(wiring);
        send(running.openInput(PairPlan.CHANNEL), wiring, ticks, new Random(6));

        running.stop();

        assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
            PairPlan.expected(ticks, Set.of(PairPlan.halfOf(SYMBOLS))));
        assertThat(wiring.rejected()).isZero();
    }

    @Test
    void shouldHoldTheSourceBackWhenASinkIsSlow() throws Exception
    {
        final List<Tick> ticks = PairPlan.ticks(new Random(7), 40_000, SYMBOLS);
        final TestWiring wiring = new TestWiring(2, 1);
        final CountDownLatch gate = new CountDownLatch(1);
        wiring.beforeCollect(batch -> await(gate));
        final RunningProcessor running = planned.start(wiring);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        final Thread sender = new Thread(() -> send(input, wiring, ticks, new Random(8)));
        sender.start();
        Waiting.until("source waits", () -> figures(running, "rings").toString().matches(".*sourceWaits=[1-9].*"));

        assertThat(sender.isAlive()).isTrue();
        assertThat(running.drain(TimeUnit.MILLISECONDS.toNanos(20))).isFalse();
        gate.countDown();
        sender.join();
        assertThat(running.drain(DRAIN_NS)).isTrue();
        running.stop();
        assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
            PairPlan.expected(ticks, Set.of(PairPlan.halfOf(SYMBOLS))));
    }

    private static void await(final CountDownLatch gate)
    {
        try
        {
            gate.await();
        }
        catch (final InterruptedException interrupted)
        {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void shouldWakeUpEveryTimeWhenSingleRowsComeToSleepingWorkers() throws Exception
    {
        final TestWiring wiring = new TestWiring(2, 1);
        final AtomicInteger received = new AtomicInteger();
        wiring.beforeCollect(batch -> received.addAndGet(batch.size()));
        final RunningProcessor running = planned.start(wiring);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        final EventBatch batch = new EventBatch(new BatchSchema(PairPlan.TICK));
        final int rounds = 2_000;
        for (int i = 0; i <= rounds; i++)
        {
            final int expected = i;
            PairPlan.fill(batch, List.of(new Tick("S2", i % 2 == 0 ? 100 : 110)), 0, 1);
            deliver(input, batch);
            Waiting.until("row " + i, () -> received.get() == expected);
        }
        running.stop();
        assertThat(received).hasValue(rounds);
    }

    @Test
    void shouldUseNoProcessorTimeWhenIdle() throws Exception
    {
        final TestWiring wiring = new TestWiring(3, 1);
        final RunningProcessor running = planned.start(wiring);
        send(running.openInput(PairPlan.CHANNEL), wiring, PairPlan.ticks(new Random(9), 1_000, SYMBOLS),
            new Random(10));
        assertThat(running.drain(DRAIN_NS)).isTrue();
        Waiting.until("workers sleep", () -> wiring.startedThreads().stream().allMatch(
            thread -> thread.getState() == Thread.State.TIMED_WAITING));

        final long beforeNs = cpuNs(wiring.startedThreads());
        final long startNs = System.nanoTime();
        Waiting.until("time passes", () -> System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(300));

        // One percent, at least 3 ms: a busy machine lets more time pass.
        final long usedNs = cpuNs(wiring.startedThreads()) - beforeNs;
        assertThat(usedNs).isLessThan((System.nanoTime() - startNs) / 100);
        running.stop();
    }

    private static long cpuNs(final List<Thread> threads)
    {
        return threads.stream().mapToLong(
            thread -> ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId())).sum();
    }

    @Test
    void shouldNameThreadsAfterApplicationStageAndWorker() throws Exception
    {
        final TestWiring wiring = new TestWiring(2, 1);
        final RunningProcessor running = planned.start(wiring);

        assertThat(wiring.startedThreads()).extracting(Thread::getName)
            .containsExactly("app/proc/worker-1", "app/proc/worker-2");
        assertThat(wiring.startedThreads()).allMatch(Thread::isDaemon);
        running.stop();
    }

    @Test
    void shouldRejectTheBatchAndGoOnWhenTheSinkFailsUnexpectedly() throws Exception
    {
        final TestWiring wiring = new TestWiring(2, 1);
        final AtomicInteger calls = new AtomicInteger();
        wiring.beforeCollect(batch ->
        {
            if (calls.incrementAndGet() == 1)
            {
                throw new IllegalArgumentException("first batch fails");
            }
        });
        final RunningProcessor running = planned.start(wiring);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        send(input, wiring, PairPlan.ticks(new Random(11), 5_000, SYMBOLS), new Random(12));

        assertThat(running.drain(DRAIN_NS)).isTrue();
        assertThat(wiring.rejected("pipeline-failed")).isPositive();
        assertThat(wiring.detail("pipeline-failed")).startsWith("CQL-8101 pipeline=")
            .contains("first batch fails", "; the log contains the first stack trace");
        assertThat(calls.get()).isGreaterThan(1);
        assertThat(figures(running, "pipelines").toString()).contains("condition=degraded", "condition=ok",
            "failedBatches=1", "first batch fails");
        running.stop();
    }

    @Test
    void shouldRunOnOneWorkerWhenOrdered() throws Exception
    {
        final PlannedCqlProcessor ordered = PairPlan.planned(cache, OrderingConstraint.ORDERED);
        final TestWiring wiring = new TestWiring(3, 1);
        final RunningProcessor running = ordered.start(wiring);
        final List<Tick> ticks = PairPlan.ticks(new Random(13), 10_000, SYMBOLS);
        send(running.openInput(PairPlan.CHANNEL), wiring, ticks, new Random(14));

        assertThat(running.drain(DRAIN_NS)).isTrue();
        assertThat(wiring.outputs()).hasSize(1);
        assertThat(wiring.sequences(PairPlan.QUERY)).isEqualTo(
            PairPlan.expected(ticks, Set.of(PairPlan.halfOf(SYMBOLS))));
        running.stop();
    }

    @Test
    void shouldRejectRowsWhenTheyComeAfterTheStop() throws Exception
    {
        final TestWiring wiring = new TestWiring(2, 1);
        final RunningProcessor running = planned.start(wiring);
        final EventBatchSink input = running.openInput(PairPlan.CHANNEL);
        running.stop();

        send(input, wiring, PairPlan.ticks(new Random(15), 100, SYMBOLS), new Random(16));

        assertThat(wiring.rejected("processor-stopped")).isEqualTo(100);
        assertThat(wiring.detail("processor-stopped")).startsWith("CQL-8102 ").contains("; send these rows again");
    }

    @Test
    void shouldGiveUpAndRejectTheRestWhenASinkBlocksTheStop() throws Exception
    {
        final TestWiring wiring = new TestWiring(2, 1);
        final CountDownLatch never = new CountDownLatch(1);
        wiring.beforeCollect(batch -> await(never));
        final RunningProcessor running = planned.start(wiring);
        send(running.openInput(PairPlan.CHANNEL), wiring, PairPlan.ticks(new Random(17), 2_000, SYMBOLS),
            new Random(18));

        ((RunningCqlProcessor)running).stop(TimeUnit.MILLISECONDS.toNanos(100));

        assertThat(wiring.startedThreads()).noneMatch(Thread::isAlive);
        assertThat(wiring.rejected("pipeline-failed") + wiring.rejected("processor-stopped"))
            .isGreaterThan(1_000).isLessThanOrEqualTo(2_000);
    }

    private static Object figures(final RunningProcessor running, final String key)
    {
        final Map<String, Object> figures = running.statistics();
        return figures.get(key);
    }
}
