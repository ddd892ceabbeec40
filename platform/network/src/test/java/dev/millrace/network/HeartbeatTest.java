package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.ChannelStage.Time;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HeartbeatTest
{
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(8);

    private final ManualClock clock = new ManualClock(1_000_000_000L);
    private final TestNetwork net = new TestNetwork();
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final Parts.ColumnSink sink = new Parts.ColumnSink();
    private Network network;

    HeartbeatTest()
    {
        net.clock = clock;
        net.providers.put("echo", new EchoProvider());
    }

    @AfterEach
    void stop()
    {
        network.stop();
    }

    private void startWith(final Queue queue) throws Exception
    {
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, queue, new Time(null, true, PERIOD_NS), "out").bean("out", sink).start();
        TestNetwork.await("first heartbeat", () -> !sink.heartbeatsNs.isEmpty());
        sink.heartbeatsNs.clear();
    }

    private void shouldBeatOnceAPeriodOfSilence() throws Exception
    {
        clock.advance(PERIOD_NS);
        TestNetwork.await("heartbeat", () -> sink.heartbeatsNs.size() == 1);
        assertThat(sink.heartbeatsNs).containsExactly(clock.epochNs());
        source.send(1);
        TestNetwork.await("row", () -> sink.ids.size() == 1);
        assertThat(sink.timesNs.get(0)).isGreaterThan(sink.heartbeatsNs.get(0));
        clock.advance(PERIOD_NS - 10);
        // Not idle yet: the heartbeat thread polls several times and must do nothing.
        LockSupport.parkNanos(PERIOD_NS * 3);
        assertThat(sink.heartbeatsNs).hasSize(1);
        clock.advance(20);
        TestNetwork.await("second heartbeat", () -> sink.heartbeatsNs.size() == 2);
    }

    @Test
    void shouldBeatOnASilentLane() throws Exception
    {
        startWith(Queue.PASS_THROUGH);
        shouldBeatOnceAPeriodOfSilence();
    }

    @Test
    void shouldBeatThroughAQueue() throws Exception
    {
        startWith(new Queue(1, 16));
        shouldBeatOnceAPeriodOfSilence();
    }

    @Test
    void shouldNotBeatWhileSuspended() throws Exception
    {
        startWith(Queue.PASS_THROUGH);
        network.suspend();
        clock.advance(10 * PERIOD_NS);
        LockSupport.parkNanos(PERIOD_NS * 3);
        assertThat(sink.heartbeatsNs).isEmpty();
        network.resume();
        TestNetwork.await("heartbeat", () -> sink.heartbeatsNs.size() == 1);
    }

    @Test
    void shouldGoBackToSleepWhenASinkLeavesTheThreadInterrupted() throws Exception
    {
        final List<Boolean> interruptedBefore = Collections.synchronizedList(new ArrayList<>());
        final Parts.ColumnSink careless = new Parts.ColumnSink()
        {
            @Override
            public void onBatch(final EventBatch batch)
            {
                interruptedBefore.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
            }
        };
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, Queue.PASS_THROUGH, new Time(null, true, PERIOD_NS), "out")
            .bean("out", careless).start();
        TestNetwork.await("first heartbeat", () -> interruptedBefore.size() == 1);
        clock.advance(PERIOD_NS);
        TestNetwork.await("second heartbeat", () -> interruptedBefore.size() == 2);
        assertThat(interruptedBefore).containsExactly(false, false);
    }

    @Test
    void shouldReachTheChannelsBelowAProcessor() throws Exception
    {
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, Queue.PASS_THROUGH, new Time(null, true, PERIOD_NS), "proc")
            .processor("proc", 1, "evens")
            .channel("evens", Parts.TICK, new Queue(1, 10), new Time(null, true, PERIOD_NS), "out")
            .bean("out", sink).start();
        clock.advance(PERIOD_NS);
        TestNetwork.await("heartbeat", () -> sink.heartbeatsNs.contains(clock.epochNs()));
    }

    @Test
    void shouldNeverLetAHeartbeatOvertakeARowOfItsLane() throws Exception
    {
        net.clock = dev.millrace.api.time.Clock.SYSTEM;
        final Parts.ColumnSink ordered = new Parts.ColumnSink()
        {
            private long lastNs;
            private boolean inside;

            @Override
            public void onBatch(final dev.millrace.api.event.EventBatch batch)
                throws dev.millrace.api.stage.EventRejectedException
            {
                if (inside || batch.baseTimestampNs() < lastNs)
                {
                    throw new IllegalStateException("out of order");
                }
                inside = true;
                lastNs = batch.timestampNs(Math.max(0, batch.size() - 1));
                super.onBatch(batch);
                inside = false;
            }
        };
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, Queue.PASS_THROUGH, new Time(null, true, 1_000), "out")
            .bean("out", ordered).start();
        int sent = 0;
        for (; sent < 300 || ordered.heartbeatsNs.isEmpty(); sent++)
        {
            source.send(sent, sent);
            LockSupport.parkNanos(sent % 3 * 1_000_000L);
        }
        assertThat(ordered.ids).hasSize(2 * sent);
        assertThat(TestNetwork.figure(network, "out", "rowsRejected")).isZero();
    }
}
