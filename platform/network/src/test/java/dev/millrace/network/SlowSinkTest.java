package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.condition.CallWatch;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.ChannelStage.Queue;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A sink that does not return, behind a queue with when-full=reject, beside one that works. A cost is the least
 * processor time of the source's thread in many rounds: load of the machine, which shares the caches, only adds to it.
 * That the thread never waits is told by the queue.
 */
@Timeout(120)
class SlowSinkTest
{
    private static final int MAX_SIZE = 1_024;
    private static final int BATCHES = 2_000;
    private static final int FEWEST_ROUNDS = 9;
    private static final int MOST_ROUNDS = 60;
    private static final double MOST_LOSS = 1.01;
    private static final long MOST_BYTES = 64 << 10;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final ManualClock clock = new ManualClock(0);
    private final TestNetwork net = new TestNetwork();
    private final Working working = new Working();
    private final Stopping stopping = new Stopping();
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private Network network;
    private long nextId;

    /** Adds the ids up. */
    private static final class Working implements EventBatchSink
    {
        long sum;
        long rows;

        @Override
        public void onBatch(final EventBatch batch)
        {
            final long[] ids = batch.longs(0);
            for (int i = 0; i < batch.size(); i++)
            {
                sum += ids[i];
            }
            rows += batch.size();
        }
    }

    /** Returns at once, or not before it is told to. */
    private static final class Stopping implements EventBatchSink
    {
        final AtomicInteger caught = new AtomicInteger();
        volatile boolean stopped;
        volatile long rows;

        @Override
        public void onBatch(final EventBatch batch)
        {
            rows += batch.size();
            if (stopped)
            {
                caught.incrementAndGet();
            }
            while (stopped)
            {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @AfterEach
    void stop()
    {
        stopping.stopped = false;
        if (network != null)
        {
            network.stop();
        }
    }

    private void send(final int batches)
    {
        for (int i = 0; i < batches; i++)
        {
            final EventBatch batch = source.batch;
            batch.clear();
            final long[] ids = batch.longs(0);
            for (int row = 0; row < EventBatch.CAPACITY; row++)
            {
                ids[row] = nextId++;
            }
            batch.size(EventBatch.CAPACITY);
            source.sender.send(batch);
        }
    }

    private long figure(final String name)
    {
        return TestNetwork.figure(network, "slow", name);
    }

    private long costNs()
    {
        final long startNs = threads.getCurrentThreadCpuTime();
        send(BATCHES);
        return threads.getCurrentThreadCpuTime() - startNs;
    }

    private void stopTheSink()
    {
        final int before = stopping.caught.get();
        stopping.stopped = true;
        while (stopping.caught.get() == before || figure("queuedRows") < MAX_SIZE)
        {
            send(1);
        }
    }

    private void letTheSinkGo()
    {
        stopping.stopped = false;
        TestNetwork.await("queue is empty", () -> figure("queuedRows") == 0);
    }

    @Test
    void shouldCostTheOthersNothingAndKeepMemoryAtItsBoundWhenASinkBehindAQueueDoesNotReturn() throws Exception
    {
        net.clock = clock;
        network = net.adapter("in", source, "fast", "slow").channel("fast", Parts.TICK, "working")
            .channel("slow", Parts.TICK, new Queue(1, MAX_SIZE, true), TestNetwork.NO_HEARTBEAT, "stopping")
            .bean("working", working).bean("stopping", stopping).start();
        long goingNs = Long.MAX_VALUE;
        long stoppedNs = Long.MAX_VALUE;
        send(BATCHES);
        for (int round = 0; round < FEWEST_ROUNDS || round < MOST_ROUNDS && stoppedNs >= MOST_LOSS * goingNs; round++)
        {
            goingNs = Math.min(goingNs, costNs());
            stopTheSink();
            final long allocatedBytes = threads.getCurrentThreadAllocatedBytes();
            stoppedNs = Math.min(stoppedNs, costNs());
            assertThat(threads.getCurrentThreadAllocatedBytes() - allocatedBytes).isLessThan(MOST_BYTES);
            assertThat(figure("queuedRows")).isEqualTo(MAX_SIZE);
            letTheSinkGo();
        }
        final double ratio = (double)stoppedNs / goingNs;
        System.out.printf("cost of the other sinks while one does not return: %.3f of that while it does%n", ratio);
        assertThat(ratio).isLessThan(MOST_LOSS);

        assertThat(working.rows).isEqualTo(nextId).isGreaterThan(1_000_000);
        assertThat(working.sum).isEqualTo(nextId * (nextId - 1) / 2);
        TestNetwork.await("sink has all", () ->
            stopping.rows + TestNetwork.rejected(network, "slow", "queue-full") == nextId);
        assertThat(figure("producerWaits")).isZero();
        assertThat(TestNetwork.rejected(network, "slow", "queue-full")).isPositive();
    }

    @Test
    void shouldSayWhichSinkDoesNotReturnAndThatRowsAreRejected() throws Exception
    {
        net.clock = clock;
        network = net.adapter("in", source, "fast", "slow").channel("fast", Parts.TICK, "working")
            .channel("slow", Parts.TICK, new Queue(1, MAX_SIZE, true), TestNetwork.NO_HEARTBEAT, "stopping")
            .bean("working", working).bean("stopping", stopping).start();
        stopTheSink();
        network.inspect();
        clock.advance(CallWatch.LIMIT_NS);
        send(1);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
        assertThat(network.conditions()).extracting(Condition::code).containsExactlyInAnyOrder("EPN-0635", "EPN-0631");
        assertThat(network.conditions()).filteredOn(condition -> condition.code().equals("EPN-0631"))
            .singleElement().satisfies(condition -> assertThat(condition.text())
                .contains("for 10 s, thread=app/slow", "SlowSinkTest$Stopping.onBatch("));
    }

    @Test
    void shouldHoldUpTheWholeLaneWithoutAQueueAndSaySo() throws Exception
    {
        net.clock = clock;
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "stopping", "working")
            .bean("stopping", stopping).bean("working", working).start();
        stopping.stopped = true;
        final Thread feeder = new Thread(() -> send(1), "feeder");
        feeder.start();
        TestNetwork.await("caught", () -> stopping.caught.get() == 1);
        network.inspect();
        clock.advance(CallWatch.LIMIT_NS);
        assertThat(working.rows).isZero();
        assertThat(network.conditions()).singleElement().satisfies(condition ->
            assertThat(condition.text()).contains("thread=feeder"));
        stopping.stopped = false;
        feeder.join();
        assertThat(working.rows).isEqualTo(EventBatch.CAPACITY);
    }
}
