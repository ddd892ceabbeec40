package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.BatchStreamSender;
import dev.millrace.api.stage.BatchStreamSink;
import dev.millrace.api.stage.ConcurrentSink;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.time.ManualClock;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.ChannelStage.Time;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.lane.Rejections;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FlowTest
{
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final Parts.ColumnSink sink = new Parts.ColumnSink();
    private final TestNetwork net = new TestNetwork();
    private final EchoProvider echo = new EchoProvider();
    private Network network;

    FlowTest()
    {
        net.providers.put("echo", echo);
    }

    @AfterEach
    void stop()
    {
        if (network != null)
        {
            network.stop();
        }
    }

    @Test
    void shouldKeepRowsFromTheEndsOfTheNetworkWhileTheyMayNotLeaveIt() throws Exception
    {
        final AtomicBoolean mayPutOut = new AtomicBoolean(true);
        net.permit = mayPutOut::get;
        final Passing passing = new Passing();
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "between", "other")
            .bean("between", passing, "passed").channel("passed", Parts.TICK, "out").bean("out", sink)
            .bean("other", new Parts.ColumnSink()).start();
        source.send(1, 2);
        mayPutOut.set(false);
        source.send(3, 4, 5);
        mayPutOut.set(true);
        source.send(6);
        assertThat(sink.ids).containsExactly(1L, 2L, 6L);
        assertThat(passing.rows).as("an intermediate stage continues").isEqualTo(6);
        assertThat(TestNetwork.rejected(network, "out", RejectReason.FENCED)).isEqualTo(3);
        assertThat(TestNetwork.rejected(network, "other", RejectReason.FENCED)).isEqualTo(3);
        assertThat(TestNetwork.rejected(network, "between", RejectReason.FENCED)).isZero();
    }

    /** Passes on the rows it receives. */
    private static final class Passing extends Parts.ColumnSource implements EventBatchSink
    {
        private int rows;

        @Override
        public void onBatch(final EventBatch batch)
        {
            rows += batch.size();
            for (int row = 0; row < batch.size(); row++)
            {
                send(batch.longs(0)[row]);
            }
        }
    }

    @Test
    void shouldCarryRowsOnTheSendersThreadWhenThereIsNoQueue() throws Exception
    {
        final List<Thread> seenThreads = new ArrayList<>();
        final Parts.ColumnSink watching = new Parts.ColumnSink()
        {
            @Override
            public void onBatch(final EventBatch batch) throws EventRejectedException
            {
                seenThreads.add(Thread.currentThread());
                super.onBatch(batch);
            }
        };
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out", "more")
            .bean("out", watching).bean("more", sink).start();
        source.send(1, 2, 3);
        source.send(4);
        assertThat(watching.ids).containsExactly(1L, 2L, 3L, 4L);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L, 4L);
        assertThat(seenThreads).containsOnly(Thread.currentThread());
        assertThat(TestNetwork.figure(network, "in", "rowsOut")).isEqualTo(4);
        assertThat(TestNetwork.figure(network, "in", "batchesOut")).isEqualTo(2);
        assertThat(TestNetwork.figure(network, "ticks", "rowsIn")).isEqualTo(4);
        assertThat(TestNetwork.figure(network, "ticks", "rowsOut")).isEqualTo(4);
        assertThat(TestNetwork.figure(network, "more", "rowsIn")).isEqualTo(4);
        assertThat(TestNetwork.stage(network, "in")).containsEntry("kind", "adapter");
        assertThat(TestNetwork.stage(network, "out")).containsEntry("kind", "event-bean");
        assertThat(network.statistics()).containsEntry("application", "app").containsEntry("state", "RUNNING");
    }

    @Test
    void shouldMapQueryColumnsByNameAndObeyTheSelector() throws Exception
    {
        final EventType signal = EventType.tuple("Signal", new EventProperty("id", CqlType.BIGINT),
            new EventProperty("symbol", CqlType.CHAR), new EventProperty("note", CqlType.CHAR));
        final Parts.ObjectSink all = new Parts.ObjectSink();
        final Parts.ColumnSink even = new Parts.ColumnSink();
        final EventType evenType = EventType.tuple("Even", new EventProperty("ID", CqlType.BIGINT));
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "proc")
            .processor("proc", 1, "signals", "evens")
            .selecting("signals", signal, List.of("all", "comesLater"), "allOut").bean("allOut", all)
            .selecting("evens", evenType, List.of("even"), "evenOut").bean("evenOut", even).start();
        source.send(1, 2);
        source.send(4, 5, 6);
        assertThat(even.ids).containsExactly(2L, 4L, 6L);
        assertThat(all.events).hasSize(5);
        final TupleEvent last = (TupleEvent)all.events.get(4);
        assertThat(last.get("id")).isEqualTo(6L);
        assertThat(last.get("symbol")).isEqualTo("S6");
        assertThat(last.get("note")).isNull();
        assertThat(TestNetwork.figure(network, "proc", "rowsIn")).isEqualTo(5);
        assertThat(TestNetwork.figure(network, "proc", "rowsOut")).isEqualTo(8);
        assertThat(TestNetwork.stage(network, "proc")).containsKey("own").containsEntry("workers", 1);
        source.send(666);
        source.send(8);
        assertThat(TestNetwork.rejected(network, "proc", "refused-by-sink")).isEqualTo(1);
        assertThat(even.ids).containsExactly(2L, 4L, 6L, 8L);
    }

    @Test
    void shouldTellAProcessorItsWorkersAndSourceThreads() throws Exception
    {
        final Parts.ColumnSource wide = new Parts.ColumnSource()
        {
            @Override
            public void setBatchSender(final dev.millrace.api.stage.EventBatchSender given)
            {
                super.setBatchSender(given);
                given.another();
                given.another();
            }
        };
        network = net.adapter("in", wide, "ticks").channel("ticks", Parts.TICK, "proc")
            .processor("proc", 4, "evens").selecting("evens", Parts.TICK, List.of("even"), "next")
            .processor("next", 0, "out").channel("out", Parts.TICK, "sink").bean("sink", sink).start();
        assertThat(echo.workersSeen).isEqualTo(1);
        assertThat(echo.sourceThreadsSeen).isEqualTo(3);
        assertThatThrownBy(wide.sender::another).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("stage=app/in").hasMessageContaining("afterConfigurationActive");
        wide.send(2);
        assertThat(sink.ids).containsExactly(2L, 2L);
        network.stop();
        assertThat(echo.log).containsExactly("drain", "stop", "drain", "stop");
    }

    @Test
    void shouldGiveAProcessorBelowAQueueItsThreadsAsWorkersAndKeepOrder() throws Exception
    {
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(3, 64), TestNetwork.NO_HEARTBEAT, "proc")
            .processor("proc", 2, "out").selecting("out", Parts.TICK, List.of("all"), "sink")
            .bean("sink", new Parts.ObjectSink()).start();
        assertThat(echo.workersSeen).isEqualTo(3);
        assertThat(echo.sourceThreadsSeen).isEqualTo(1);
    }

    @Test
    void shouldStampStrictlyIncreasingTimesOverAllLanes() throws Exception
    {
        final List<Parts.ColumnSource> sources = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            sources.add(new Parts.ColumnSource());
            net.adapter("in" + i, sources.get(i), "ticks");
        }
        network = net.channel("ticks", Parts.TICK, "out").bean("out", sink).start();
        runAll(4, thread ->
        {
            for (int i = 0; i < 1000; i++)
            {
                sources.get(thread).send(i, i, i);
            }
        });
        assertThat(sink.timesNs).hasSize(12_000).doesNotHaveDuplicates();
        assertThat(TestNetwork.figure(network, "out", "rowsIn")).isEqualTo(12_000);
    }

    @Test
    void shouldCallASharedSinkByTurnsUnlessItIsConcurrent() throws Exception
    {
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        class Turns extends Parts.ColumnSink
        {
            @Override
            public void onBatch(final EventBatch batch)
            {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                Thread.yield();
                inside.decrementAndGet();
            }
        }
        class Together extends Parts.ColumnSink implements ConcurrentSink
        {
            final CountDownLatch both = new CountDownLatch(2);

            @Override
            public void onBatch(final EventBatch batch)
            {
                both.countDown();
                try
                {
                    both.await();
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                }
            }
        }
        final Parts.ColumnSource second = new Parts.ColumnSource();
        network = net.adapter("in", source, "ticks").adapter("in2", second, "ticks")
            .channel("ticks", Parts.TICK, "turns", "together")
            .bean("turns", new Turns()).bean("together", new Together()).start();
        runAll(2, thread -> LongStream.range(0, 500).forEach(i -> (thread == 0 ? source : second).send(i)));
        assertThat(most.get()).isEqualTo(1);
    }

    @Test
    void shouldTakeApplicationTimeAndRejectRowsThatGoBack() throws Exception
    {
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, Queue.PASS_THROUGH, new Time("ID", false, 0), "out")
            .bean("out", sink).start();
        source.send(10, 20, 15, 20, 30);
        source.send(5);
        source.send(31);
        assertThat(sink.ids).containsExactly(10L, 20L, 20L, 30L, 31L);
        assertThat(sink.timesNs).containsExactly(10L, 20L, 20L, 30L, 31L);
        assertThat(TestNetwork.rejected(network, "ticks", "time-backwards")).isEqualTo(2);
        source.batch.clear();
        source.batch.baseTimestampNs(100);
        source.sender.send(source.batch);
        source.batch.clear();
        source.batch.baseTimestampNs(99);
        source.sender.send(source.batch);
        source.send(98, 100);
        assertThat(sink.heartbeatsNs).containsExactly(100L);
        assertThat(sink.ids).endsWith(31L, 100L);
        assertThat(TestNetwork.figure(network, "ticks", "rowsRejected")).isEqualTo(3);
    }

    @Test
    void shouldRejectEqualAndMissingTimesWhenOrderIsTotal() throws Exception
    {
        network = net.adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, new Queue(1, 16), new Time("id", true, 0), "out").bean("out", sink).start();
        source.send(1, 1, 2);
        source.batch.clear();
        source.batch.longs(0)[0] = 9;
        source.batch.setNull(0, 0);
        source.batch.size(1);
        source.sender.send(source.batch);
        source.send(3);
        network.suspend();
        assertThat(sink.ids).containsExactly(1L, 2L, 3L);
        assertThat(TestNetwork.rejected(network, "ticks", "time-not-increasing")).isEqualTo(1);
        assertThat(TestNetwork.rejected(network, "ticks", "time-missing")).isEqualTo(1);
    }

    @Test
    void shouldTakeApplicationTimeBelowAProcessorWithoutDisturbingOtherChannels() throws Exception
    {
        net.clock = new ManualClock(7_000);
        final Parts.ColumnSink timed = new Parts.ColumnSink();
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "proc")
            .processor("proc", 1, "timed", "plain")
            .channel(new ChannelStage("timed", Parts.TICK, false, List.of(), Queue.PASS_THROUGH, false,
                new Time("id", false, 0), List.of("all"), List.of("timedOut"), null))
            .selecting("plain", Parts.TICK, List.of("all"), "plainOut")
            .bean("timedOut", timed).bean("plainOut", sink).start();
        source.send(50, 60);
        assertThat(timed.timesNs).containsExactly(50L, 60L);
        assertThat(sink.timesNs).containsExactly(7_000L, 7_001L);
    }

    @Test
    void shouldRejectOnlyTheEventsThatASinkRefusesOrFailsOn() throws Exception
    {
        final Parts.ObjectSink picky = new Parts.ObjectSink()
        {
            @Override
            public void onInsertEvent(final Object event) throws EventRejectedException
            {
                final long id = (Long)((TupleEvent)event).get(0);
                if (id == 2)
                {
                    throw new EventRejectedException("two is no good");
                }
                if (id == 3)
                {
                    throw new IllegalStateException("three breaks me");
                }
                super.onInsertEvent(event);
            }
        };
        final Parts.ColumnSink broken = new Parts.ColumnSink()
        {
            @Override
            public void onBatch(final EventBatch batch)
            {
                throw new StackOverflowError("broken");
            }
        };
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "broken", "picky", "out")
            .bean("broken", broken).bean("picky", picky).bean("out", sink).start();
        try (LogLines log = new LogLines(Rejections.class))
        {
            source.send(1, 2, 3, 4);
            assertThat(log.lines()).anySatisfy(line -> assertThat(line).startsWith("EPN-0612 rows rejected, stage=")
                .contains("/broken rows=4 reason=stage-failed", "java.lang.StackOverflowError: broken",
                    "; a bug of the stage: correct its class"));
            assertThat(log.lines()).anySatisfy(line -> assertThat(line).startsWith("EPN-0611 rows rejected, stage=")
                .contains("/picky rows=1 reason=refused-by-sink", "two is no good", "; see the message of the stage"));
        }
        assertThat(picky.events).extracting(event -> ((TupleEvent)event).get(0)).containsExactly(1L, 4L);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L, 4L);
        assertThat(TestNetwork.rejected(network, "picky", "refused-by-sink")).isEqualTo(1);
        assertThat(TestNetwork.rejected(network, "picky", "stage-failed")).isEqualTo(1);
        assertThat(TestNetwork.rejected(network, "broken", "stage-failed")).isEqualTo(4);
        assertThat(network.state()).isEqualTo(NetworkState.DEGRADED);
    }

    @Test
    void shouldConvertObjectsFromSeveralThreadsAndRejectWrongOnes() throws Exception
    {
        final Parts.ObjectSource objects = new Parts.ObjectSource();
        final Parts.ObjectSink events = new Parts.ObjectSink();
        network = net.adapter("in", objects, "ticks").channel("ticks", Parts.TICK, "out").bean("out", events).start();
        runAll(4, thread ->
        {
            for (int i = 0; i < 100; i++)
            {
                objects.sender.sendInsertEvent(Map.of("id", thread * 100 + i, "symbol", "ORCL", "price", 1));
            }
        });
        objects.sender.sendInsertEvent(Map.of("id", "no number"));
        objects.sender.sendInsertEvent("no event");
        final List<Object> many = new ArrayList<>();
        for (int i = 0; i < 600; i++)
        {
            many.add(new TupleEvent(Parts.TICK, (long)i, "X", 1.5));
        }
        ((BatchStreamSender)objects.sender).sendInsertEvents(many);
        assertThat(events.events).hasSize(1000);
        assertThat(events.events.stream().limit(400).map(event -> (Long)((TupleEvent)event).get(0)))
            .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 400).boxed().toList());
        assertThat(TestNetwork.rejected(network, "in", "wrong-event")).isEqualTo(2);
        assertThat(TestNetwork.figure(network, "in", "batchesOut")).isEqualTo(403);
    }

    @Test
    void shouldHandEventsOfOneTimeTogetherToABatchSink() throws Exception
    {
        final List<Integer> sizes = new ArrayList<>();
        final BatchStreamSink batches = new BatchStreamSink()
        {
            @Override
            public void onInsertEvents(final Collection<Object> events)
            {
                sizes.add(events.size());
            }
        };
        final Parts.ObjectSource objects = new Parts.ObjectSource();
        network = net.adapter("in", objects, "ticks").adapter("timed", source, "times")
            .batching("ticks", Parts.TICK, "out")
            .channel("times", Parts.TICK, Queue.PASS_THROUGH, new Time("id", false, 0), "out")
            .bean("out", batches).start();
        ((BatchStreamSender)objects.sender).sendInsertEvents(List.of(Map.of("id", 1), Map.of("id", 2)));
        source.send(5, 5, 5, 6, 7, 7);
        assertThat(sizes).containsExactly(2, 3, 1, 2);
    }

    @Test
    void shouldKeepARelationConsistent() throws Exception
    {
        final EventType stock = EventType.tuple("Stock", new EventProperty("sku", CqlType.CHAR),
            new EventProperty("shop", CqlType.INT), new EventProperty("count", CqlType.INT));
        final Parts.TableSource table = new Parts.TableSource();
        final Parts.TableSink changes = new Parts.TableSink();
        final Parts.ObjectSink inserts = new Parts.ObjectSink();
        network = net.adapter("in", table, "stock")
            .relation("stock", stock, List.of("SKU", "shop"), "out", "plain")
            .bean("out", changes).bean("plain", inserts).start();
        table.sender.sendInsertEvent(new TupleEvent(stock, "a", 1, 10));
        table.sender.sendInsertEvent(new TupleEvent(stock, "a", 2, 20));
        table.sender.sendInsertEvent(new TupleEvent(stock, "a", 1, 30));
        table.sender.sendUpdateEvent(new TupleEvent(stock, "a", 2, 21));
        table.sender.sendUpdateEvent(new TupleEvent(stock, "b", 2, 21));
        table.sender.sendDeleteEvent(new TupleEvent(stock, "a", 1, 10));
        table.sender.sendDeleteEvent(new TupleEvent(stock, "a", 1, 10));
        table.sender.sendInsertEvent(new TupleEvent(stock, null, 1, 10));
        assertThat(changes.changes).containsExactly(
            "+Stock[a, 1, 10]", "+Stock[a, 2, 20]", "=Stock[a, 2, 21]", "-Stock[a, 1, 10]");
        assertThat(inserts.events).hasSize(2);
        assertThat(TestNetwork.rejected(network, "stock", "duplicate-key")).isEqualTo(1);
        assertThat(TestNetwork.rejected(network, "stock", "missing-key")).isEqualTo(2);
        assertThat(TestNetwork.rejected(network, "stock", "null-key")).isEqualTo(1);
        assertThat(TestNetwork.figure(network, "stock", "relationRows")).isEqualTo(1);
    }

    @Test
    void shouldRejectDeletionsOnAStream() throws Exception
    {
        final Parts.TableSource table = new Parts.TableSource();
        network = net.adapter("in", table, "ticks").channel("ticks", Parts.TICK, "out").bean("out", sink).start();
        table.sender.sendDeleteEvent(new TupleEvent(Parts.TICK, 1L, "a", 1.0));
        table.sender.sendInsertEvent(new TupleEvent(Parts.TICK, 2L, "a", 1.0));
        assertThat(sink.ids).containsExactly(2L);
        assertThat(TestNetwork.rejected(network, "ticks", "not-a-relation")).isEqualTo(1);
    }

    @Test
    void shouldRefuseABatchOfAnotherSchema() throws Exception
    {
        network = net.adapter("in", source, "ticks").channel("ticks", Parts.TICK, "out").bean("out", sink).start();
        final EventBatch foreign = new EventBatch(
            new BatchSchema(EventType.tuple("X", new EventProperty("a", CqlType.INT))));
        assertThatThrownBy(() -> source.sender.send(foreign)).isInstanceOf(IllegalArgumentException.class);
    }

    static void runAll(final int threadCount, final java.util.function.IntConsumer work) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        final List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < threadCount; i++)
        {
            final int number = i;
            final Thread thread = new Thread(() -> work.accept(number));
            thread.setUncaughtExceptionHandler((failed, e) -> failures.add(e));
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }
}
