package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.condition.CallMonitor;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.ChannelStage.Queue;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A sink that does not return, after a queue with when-full=reject, next to one that works: the other one receives
 * every row before the source's call returns, the queue does not exceed its bound, and each row that does not fit is
 * counted. The benchmarks measure the cost of the rejections.
 */
@Timeout(120)
class SlowSinkTest
{
    private static final int MAX_SIZE = 1_024;
    private static final int BATCHES = 2_000;
    private static final int ROUNDS = 9;
    private static final long MOST_BYTES = 64 << 10;

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final ManualClock clock = new ManualClock(0);
    private final TestNetwork net = new TestNetwork();
    private final Working working = new Working();
    private final Stopping stopping = new Stopping();
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private Network network;
    private long nextId;

    /** Sums the ids. */
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

    /** Returns at once, or blocks until it is released. */
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

    private long rejectedRows()
    {
        return TestNetwork.rejected(network, "slow", "queue-full");
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
    void shouldLoseNothingForTheOthersAndKeepMemoryAtItsBoundWhenASinkBehindAQueueDoesNotReturn() throws Exception
    {
        net.clock = clock;
        network = net.adapter("in", source, "fast", "slow").channel("fast", Parts.TICK, "working")
            .channel("slow", Parts.TICK, new Queue(1, MAX_SIZE, true), TestNetwork.NO_HEARTBEAT, "stopping")
            .bean("working", working).bean("stopping", stopping).start();
        for (int round = 0; round < ROUNDS; round++)
        {
            send(BATCHES);
            stopTheSink();
            final long rejected = rejectedRows();
            final long allocatedBytes = threads.getCurrentThreadAllocatedBytes();
            send(BATCHES);
            assertThat(threads.getCurrentThreadAllocatedBytes() - allocatedBytes).isLessThan(MOST_BYTES);
            assertThat(figure("queuedRows")).isEqualTo(MAX_SIZE);
            assertThat(rejectedRows() - rejected).isEqualTo(BATCHES * (long)EventBatch.CAPACITY);
            assertThat(working.rows).isEqualTo(nextId);
            letTheSinkGo();
        }
        assertThat(working.rows).isEqualTo(nextId).isGreaterThan(1_000_000);
        assertThat(working.sum).isEqualTo(nextId * (nextId - 1) / 2);
        TestNetwork.await("sink has all", () ->
            stopping.rows + rejectedRows() == nextId);
        assertThat(figure("producerWaits")).isZero();
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
        clock.advance(CallMonitor.LIMIT_NS);
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
        clock.advance(CallMonitor.LIMIT_NS);
        assertThat(working.rows).isZero();
        assertThat(network.conditions()).singleElement().satisfies(condition ->
            assertThat(condition.text()).contains("thread=feeder"));
        stopping.stopped = false;
        feeder.join();
        assertThat(working.rows).isEqualTo(EventBatch.CAPACITY);
    }
}
