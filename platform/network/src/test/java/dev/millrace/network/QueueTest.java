package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventBatch;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.network.definition.ChannelStage.Queue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QueueTest
{
    private static final int PRODUCERS = 8;

    private final TestNetwork net = new TestNetwork();
    private final Parts.ColumnSink sink = new Parts.ColumnSink();
    private Network network;

    @AfterEach
    void stop()
    {
        if (network != null)
        {
            network.stop();
        }
    }

    /** A sink that blocks until the test releases it. */
    private static class Gate extends Parts.ColumnSink
    {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch open = new CountDownLatch(1);

        @Override
        public void onBatch(final EventBatch batch) throws EventRejectedException
        {
            entered.countDown();
            try
            {
                open.await();
            }
            catch (final InterruptedException e)
            {
                throw new EventRejectedException("interrupted", e);
            }
            super.onBatch(batch);
        }
    }

    private List<Parts.ColumnSource> producers()
    {
        final List<Parts.ColumnSource> sources = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++)
        {
            sources.add(new Parts.ColumnSource());
            net.adapter("in" + i, sources.get(i), "ticks");
        }
        return sources;
    }

    @Test
    void shouldLoseNothingAndKeepEachProducersOrderWhenEightShareAShortQueue() throws Exception
    {
        final List<Parts.ColumnSource> sources = producers();
        network = net.channel("ticks", Parts.TICK, new Queue(1, 16), TestNetwork.NO_HEARTBEAT, "out")
            .bean("out", sink).start();
        final int perProducer = 2_000;
        FlowTest.runAll(PRODUCERS, producer ->
        {
            long next = 0;
            while (next < perProducer)
            {
                // Batches of 1 to 41 rows: many are longer than the queue.
                final long end = Math.min(perProducer, next + 1 + next * 7 % 41);
                sources.get(producer).send(
                    LongStream.range(next, end).map(id -> producer * 1_000_000L + id).toArray());
                next = end;
            }
        });
        network.suspend();
        assertThat(sink.ids).hasSize(PRODUCERS * perProducer);
        final long[] expected = new long[PRODUCERS];
        for (final long id : sink.ids)
        {
            final int producer = (int)(id / 1_000_000);
            assertThat(id % 1_000_000).isEqualTo(expected[producer]++);
        }
        assertThat(sink.timesNs).isSorted().doesNotHaveDuplicates();
        assertThat(sink.batchSizes).allMatch(size -> size <= 16);
        assertThat(TestNetwork.figure(network, "ticks", "rowsIn")).isEqualTo(PRODUCERS * perProducer);
        assertThat(TestNetwork.figure(network, "ticks", "rowsOut")).isEqualTo(PRODUCERS * perProducer);
        assertThat(TestNetwork.figure(network, "ticks", "queuedRows")).isZero();
    }

    @Test
    void shouldBlockTheProducerWhileTheQueueIsFull() throws Exception
    {
        final Gate gate = new Gate();
        final Parts.ColumnSource source = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(1, 16), TestNetwork.NO_HEARTBEAT, "out").bean("out", gate).start();
        source.send(0);
        gate.entered.await();
        final Thread producer = new Thread(() -> source.send(LongStream.range(1, 100).toArray()));
        producer.start();
        TestNetwork.await("queue full and producer waiting", () ->
            TestNetwork.figure(network, "ticks", "queuedRows") == 16 &&
                TestNetwork.figure(network, "ticks", "producerWaits") > 0 && producer.getState() ==
                Thread.State.TIMED_WAITING);
        assertThat(gate.ids).isEmpty();
        gate.open.countDown();
        producer.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(producer.isAlive()).isFalse();
        network.suspend();
        assertThat(gate.ids).containsExactlyElementsOf(LongStream.range(0, 100).boxed().toList());
    }

    @Test
    void shouldSpreadRowsOverThreadsOfAConcurrentSink() throws Exception
    {
        final Set<String> threads = ConcurrentHashMap.newKeySet();
        final CountDownLatch three = new CountDownLatch(3);
        class Spread extends Parts.ColumnSink implements ConcurrentSink
        {
            @Override
            public void onBatch(final EventBatch batch) throws EventRejectedException
            {
                super.onBatch(batch);
                if (threads.add(Thread.currentThread().getName()))
                {
                    three.countDown();
                    try
                    {
                        three.await();
                    }
                    catch (final InterruptedException e)
                    {
                        throw new EventRejectedException("interrupted", e);
                    }
                }
            }
        }
        final Spread spread = new Spread();
        final Parts.ColumnSource source = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(3, 30), TestNetwork.NO_HEARTBEAT, "out").bean("out", spread)
            .start();
        source.send(LongStream.range(0, 256).toArray());
        network.suspend();
        assertThat(threads).containsExactlyInAnyOrder("app/ticks-1", "app/ticks-2", "app/ticks-3");
        assertThat(new HashSet<>(spread.ids)).hasSize(256);
    }

    @Test
    void shouldDrainTheQueueBeforeItStops() throws Exception
    {
        final Gate gate = new Gate();
        final Parts.ColumnSource source = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(1, 1000), TestNetwork.NO_HEARTBEAT, "out").bean("out", gate)
            .start();
        source.send(LongStream.range(0, 200).toArray());
        source.send(LongStream.range(200, 400).toArray());
        gate.entered.await();
        final Thread stopper = new Thread(network::stop);
        stopper.start();
        // Sources have ended when it waits for the queue; the state of the network is less specific.
        TestNetwork.await("waiting for the queue", () -> network.state() == NetworkState.STOPPED &&
            (stopper.getState() == Thread.State.WAITING || stopper.getState() == Thread.State.TIMED_WAITING));
        source.send(4711);
        gate.open.countDown();
        stopper.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(gate.ids).containsExactlyElementsOf(LongStream.range(0, 400).boxed().toList());
        TestNetwork.await("refused", () -> TestNetwork.figure(network, "in", "rowsRejected") == 1);
    }

    @Test
    void shouldKeepTheInterruptOfAProducerThatHadToWait() throws Exception
    {
        final Gate gate = new Gate();
        final Parts.ColumnSource source = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(1, 1), TestNetwork.NO_HEARTBEAT, "out").bean("out", gate).start();
        final boolean[] interrupted = new boolean[1];
        final Thread producer = new Thread(() ->
        {
            source.send(1, 2, 3, 4);
            interrupted[0] = Thread.interrupted();
        });
        producer.start();
        gate.entered.await();
        TestNetwork.await("waiting", () -> TestNetwork.figure(network, "ticks", "producerWaits") > 0);
        producer.interrupt();
        gate.open.countDown();
        producer.join(TimeUnit.SECONDS.toMillis(60));
        network.suspend();
        assertThat(interrupted[0]).isTrue();
        assertThat(gate.ids).containsExactly(1L, 2L, 3L, 4L);
    }
}
