package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.api.stage.EventRejectedException;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.network.advertised.AdvertisedSink;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.ForeignSource;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.spi.Predecessor;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Networks of one process, some of which receive rows of a stage that another one advertises. */
@Timeout(180)
class AdvertisedStagesTest
{
    private static final String FEED = "market:ticks";
    /** The sink has a batch of up to 16 rows, 16 are in the queue, one waits. */
    private static final long MOST_ROWS = 33;
    /** The same columns in another order, without one. */
    private static final EventType PRICES = EventType.tuple("Prices", new EventProperty("PRICE", CqlType.DOUBLE),
        new EventProperty("id", CqlType.BIGINT));
    private static final EventType TIMES = EventType.tuple("Times", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("later", CqlType.BIGINT));
    private static final EventType OTHER = EventType.tuple("Tick", new EventProperty("id", CqlType.CHAR),
        new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));

    private final AdvertisedStages stages = new AdvertisedStages();
    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final Parts.ColumnSink sink = new Parts.ColumnSink();
    private final List<Network> networks = new ArrayList<>();

    @AfterEach
    void stop()
    {
        networks.forEach(Network::stop);
    }

    private Network start(final TestNetwork definition) throws DeploymentException
    {
        final Network network = definition.build();
        networks.add(network);
        network.start();
        return network;
    }

    private TestNetwork market()
    {
        return market(source);
    }

    private TestNetwork market(final Parts.ColumnSource feed)
    {
        return new TestNetwork().adapter("in", feed, "ticks").channel("ticks", Parts.TICK, "ticks#advertised")
            .bean("ticks#advertised", new AdvertisedSink(stages, FEED, Parts.TICK));
    }

    private TestNetwork consumer(final EventType type, final ChannelStage.Queue queue, final Object out)
    {
        return consumer(type, queue, TestNetwork.NO_HEARTBEAT, out);
    }

    private TestNetwork consumer(final EventType type, final ChannelStage.Queue queue, final ChannelStage.Time time,
        final Object out)
    {
        return new TestNetwork().adapter(FEED, new ForeignSource(stages, FEED), "taken")
            .channel("taken", type, queue, time, "out").bean("out", out);
    }

    private TestNetwork consumer()
    {
        return consumer(Parts.TICK, ChannelStage.Queue.PASS_THROUGH, sink);
    }

    private static List<String> codes(final Network network)
    {
        return network.conditions().stream().map(Condition::code).toList();
    }

    @Test
    void shouldPassRowsOfOneNetworkToAnother() throws Exception
    {
        final Network market = start(market());
        final Network consumer = start(consumer());

        source.send(1, 2, 3);
        source.send();
        source.send(LongStream.rangeClosed(4, 100).toArray());

        assertThat(sink.ids).containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
        assertThat(sink.batchSizes).containsExactly(3, 97);
        assertThat(sink.heartbeatsNs).as("heartbeats stay in their network").isEmpty();
        assertThat(TestNetwork.figure(market, "ticks#advertised", "rowsIn")).isEqualTo(100);
        assertThat(TestNetwork.figure(consumer, FEED, "rowsOut")).isEqualTo(100);
        assertThat(TestNetwork.stage(consumer, FEED)).containsEntry("kind", "foreign-stage")
            .containsEntry("own", Map.of("advertised", true));
        assertThat(TestNetwork.stage(market, "ticks#advertised")).containsEntry("kind", "advertised")
            .containsEntry("own", Map.of("subscribers", List.of("app")));
    }

    @Test
    void shouldMapColumnsByName() throws Exception
    {
        final Parts.ObjectSink prices = new Parts.ObjectSink();
        start(consumer(PRICES, ChannelStage.Queue.PASS_THROUGH, prices));
        start(market());

        source.send(3, 4);
        source.send(5);

        assertThat(prices.events).extracting(Object::toString)
            .containsExactly("Prices[1.5, 3]", "Prices[2.0, 4]", "Prices[2.5, 5]");
    }

    @Test
    void shouldAssignTimesToCopiesOfTheRows() throws Exception
    {
        final Parts.ObjectSource numbers = new Parts.ObjectSource();
        final Parts.ColumnSink next = new Parts.ColumnSink();
        start(consumer(TIMES, ChannelStage.Queue.PASS_THROUGH, new ChannelStage.Time("later", false, 0), sink));
        start(new TestNetwork().adapter("in", numbers, "ticks")
            .channel("ticks", TIMES, ChannelStage.Queue.PASS_THROUGH, new ChannelStage.Time("id", false, 0),
                "ticks#advertised", "next")
            .bean("ticks#advertised", new AdvertisedSink(stages, FEED, TIMES)).bean("next", next));

        for (long id = 3; id <= 5; id++)
        {
            numbers.sender.sendInsertEvent(new TupleEvent(TIMES, id, id * 1000));
        }

        assertThat(sink.timesNs).containsExactly(3000L, 4000L, 5000L);
        assertThat(next.timesNs).as("the sink after the advertised one").containsExactly(3L, 4L, 5L);
    }

    @Test
    void shouldHoldTheProducerBackWhileTheQueueOfTheConsumerIsFull() throws Exception
    {
        final BlockedSink slow = new BlockedSink();
        start(market());
        final Network consumer = start(consumer(Parts.TICK, new ChannelStage.Queue(1, 16), slow));
        final Thread sending = startSending();
        awaitFullQueue(consumer, slow, sending);

        assertThat(TestNetwork.figure(consumer, "taken", "rowsIn")).isLessThanOrEqualTo(MOST_ROWS);
        slow.released.countDown();
        sending.join();
        TestNetwork.await("all rows", () -> slow.ids.size() == 1_000);
        assertThat(slow.ids).containsExactlyElementsOf(LongStream.rangeClosed(1, 1_000).boxed().toList());
    }

    /** The limit for batches in progress is {@link Network#DRAIN_NS}. */
    @Test
    @Tag("slow")
    void shouldSuspendAndStopAProducerThatWaitsForTheQueueOfTheConsumer() throws Exception
    {
        final BlockedSink slow = new BlockedSink();
        final Network market = start(market());
        final Network consumer = start(consumer(Parts.TICK, new ChannelStage.Queue(1, 16), slow));
        final Thread sending = startSending();
        awaitFullQueue(consumer, slow, sending);

        market.suspend();
        assertThat(market.state()).isEqualTo(NetworkState.SUSPENDED);
        market.stop();
        assertThat(codes(consumer)).contains("EPN-0644");
        slow.released.countDown();
        sending.join();

        final long received = 1_000 - TestNetwork.rejected(market, "in", RejectReason.STOPPED);
        assertThat(received).isBetween(18L, MOST_ROWS);
        TestNetwork.await("the rows sent before", () -> slow.ids.size() == received);
        assertThat(stages.names()).isEmpty();
    }

    private Thread startSending()
    {
        final Thread sending = new Thread(() -> LongStream.rangeClosed(1, 1_000).forEach(id -> source.send(id)));
        sending.start();
        return sending;
    }

    /** Nothing changes afterwards until the sink is released. */
    private static void awaitFullQueue(final Network consumer, final BlockedSink slow, final Thread sending)
    {
        TestNetwork.await("the producer waits", () -> slow.entered.getCount() == 0 &&
            TestNetwork.figure(consumer, "taken", "queuedRows") == 16 &&
            sending.getState() == Thread.State.TIMED_WAITING);
    }

    /** Does not return until it is released. */
    private static final class BlockedSink extends Parts.ColumnSink
    {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public void onBatch(final EventBatch batch) throws EventRejectedException
        {
            entered.countDown();
            try
            {
                released.await();
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
            }
            super.onBatch(batch);
        }
    }

    @Test
    void shouldNotAffectProducerAndOtherConsumersWhenAConsumerFails() throws Exception
    {
        final Network market = start(market());
        final Network failing = start(consumer(Parts.TICK, ChannelStage.Queue.PASS_THROUGH, new Parts.ColumnSink()
        {
            @Override
            public void onBatch(final EventBatch batch)
            {
                throw new StackOverflowError("in the sink");
            }
        }));
        start(consumer());
        source.send(1, 2, 3);

        assertThat(TestNetwork.rejected(failing, "out", RejectReason.STAGE_FAILED)).isEqualTo(3);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L);
        assertThat(market.state()).isEqualTo(NetworkState.RUNNING);
        assertThat(TestNetwork.figure(market, "ticks#advertised", "rowsRejected")).isZero();
    }

    @Test
    void shouldContinueWhenAConsumerIsStopped() throws Exception
    {
        final Network market = start(market());
        final Network first = start(consumer(Parts.TICK, ChannelStage.Queue.PASS_THROUGH, new Parts.ColumnSink()));
        final Network second = start(consumer());
        source.send(1);
        first.stop();
        source.send(2);
        assertThat(sink.ids).containsExactly(1L, 2L);
        second.stop();
        source.send(3);

        assertThat(TestNetwork.stage(market, "ticks#advertised"))
            .containsEntry("own", Map.of("subscribers", List.of()));
        assertThat(TestNetwork.figure(market, "ticks#advertised", "rowsIn")).isEqualTo(3);
        assertThat(market.conditions()).isEmpty();
        assertThat(sink.ids).containsExactly(1L, 2L);
    }

    @Test
    void shouldKeepNothingOfAStageThatWasWithdrawn() throws Exception
    {
        final AdvertisedSink advertised = new AdvertisedSink(stages, FEED, Parts.TICK);
        final Network market = start(new TestNetwork().adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, "ticks#advertised").bean("ticks#advertised", advertised));
        start(consumer());
        final WeakReference<EventBatch> before = send(advertised);
        market.stop();
        final WeakReference<EventBatch> late = send(advertised);

        assertThat(sink.ids).hasSize(2);
        awaitCollection(before);
        awaitCollection(late);
    }

    /** Passes a batch on as a thread of the network does, also when it was in progress when the network was stopped. */
    private static WeakReference<EventBatch> send(final AdvertisedSink advertised)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(Parts.TICK));
        batch.texts(1).set(0, "A");
        batch.size(1);
        advertised.onBatch(batch);
        return new WeakReference<>(batch);
    }

    @Test
    void shouldNotKeepThreadsOfTheProducerThatHaveEnded() throws Exception
    {
        final Network market = start(market());
        final Network consumer = start(consumer());
        final WeakReference<Thread> thread = sendAndEnd();
        assertThat(sink.ids).containsExactly(1L);
        market.inspect();
        consumer.inspect();

        awaitCollection(thread);
    }

    private WeakReference<Thread> sendAndEnd() throws InterruptedException
    {
        final Thread thread = new Thread(() -> source.send(1));
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }

    private static void awaitCollection(final WeakReference<?> reference)
    {
        TestNetwork.await("collection", () ->
        {
            System.gc();
            return reference.get() == null;
        });
    }

    @Test
    void shouldCountRowsThatArriveWhileTheConsumerIsSuspended() throws Exception
    {
        start(market());
        final Network consumer = start(consumer());
        source.send(1);
        consumer.suspend();
        source.send(2, 3);
        consumer.resume();
        source.send(4);

        assertThat(sink.ids).containsExactly(1L, 4L);
        assertThat(TestNetwork.rejected(consumer, FEED, RejectReason.SUSPENDED)).isEqualTo(2);
        assertThat(consumer.state()).isEqualTo(NetworkState.RUNNING);
    }

    @Test
    void shouldBeDegradedWhileTheStageIsNotAdvertisedAndContinueAfterwards() throws Exception
    {
        final Network consumer = start(consumer());
        assertThat(codes(consumer)).containsExactly("EPN-0644");
        assertThat(consumer.state()).isEqualTo(NetworkState.DEGRADED);

        final Network first = start(market());
        assertThat(codes(consumer)).isEmpty();
        source.send(1);
        first.stop();
        assertThat(codes(consumer)).containsExactly("EPN-0644");
        assertThat(stages.names()).isEmpty();

        final Parts.ColumnSource again = new Parts.ColumnSource();
        start(market(again));
        again.send(2);
        assertThat(codes(consumer)).isEmpty();
        assertThat(consumer.state()).isEqualTo(NetworkState.RUNNING);
        assertThat(sink.ids).containsExactly(1L, 2L);
    }

    @Test
    void shouldBeDegradedAndCountRowsWhenTheNextVersionOfTheStageHasAnotherType() throws Exception
    {
        final Network consumer = start(consumer(PRICES, ChannelStage.Queue.PASS_THROUGH, sink));
        final Parts.ObjectSource texts = new Parts.ObjectSource();
        start(new TestNetwork().adapter("in", texts, "ticks").channel("ticks", OTHER, "ticks#advertised")
            .bean("ticks#advertised", new AdvertisedSink(stages, FEED, OTHER)));

        assertThat(consumer.conditions()).singleElement().satisfies(condition ->
        {
            assertThat(condition.code()).isEqualTo("EPN-0645");
            assertThat(condition.text()).contains("stage=" + FEED, "properties=[id]",
                "type=Tick[id char, symbol char, price double]", "expected=Prices[PRICE double, id bigint]");
        });
        texts.sender.sendInsertEvent(new TupleEvent(OTHER, "a", "b", 1.0));
        assertThat(sink.ids).isEmpty();
        assertThat(TestNetwork.rejected(consumer, FEED, "type-differs")).isEqualTo(1);
    }

    /** Stores numbers as durable processors do, and records whether rows had any. */
    private static final class NumberSink extends Parts.ColumnSink implements SequencedSink
    {
        private final List<Long> numbers = new ArrayList<>();

        @Override
        public void onBatch(final EventBatch batch)
        {
            for (int i = 0; i < batch.size(); i++)
            {
                numbers.add(batch.hasSequences() ? RowSequence.number(batch.sequences()[i]) : RowSequence.NONE);
            }
        }

        @Override
        public long receivedFrom(final String producer)
        {
            return 7;
        }
    }

    @Test
    void shouldKeepTheNumbersOfRowsInsideTheNetworkOfTheirSource() throws Exception
    {
        final NumberSink own = new NumberSink();
        final NumberSink foreign = new NumberSink();
        start(consumer(Parts.TICK, ChannelStage.Queue.PASS_THROUGH, foreign));
        start(market());
        assertThat(source.sender.receivedFrom("feed")).as("the other network does not store rows of this source")
            .isEqualTo(SequencedSink.NOT_STORED);
        networks.get(1).stop();
        start(new TestNetwork().adapter("in", source, "ticks").channel("ticks", Parts.TICK, "ticks#advertised", "own")
            .bean("ticks#advertised", new AdvertisedSink(stages, FEED, Parts.TICK)).bean("own", own));
        source.batch.clear();
        source.batch.longs(0)[0] = 1;
        source.batch.texts(1).set(0, "A");
        source.batch.useSequences()[0] = RowSequence.of(1, 8);
        source.batch.size(1);
        source.sender.send(source.batch);

        assertThat(own.numbers).containsExactly(8L);
        assertThat(foreign.numbers).containsExactly(RowSequence.NONE);
    }

    @Test
    void shouldPassRowsOfSeveralThreadsOneAtATime() throws Exception
    {
        final Parts.ColumnSource other = new Parts.ColumnSource();
        start(new TestNetwork().adapter("a", source, "ticks").adapter("b", other, "ticks")
            .channel("ticks", Parts.TICK, "ticks#advertised")
            .bean("ticks#advertised", new AdvertisedSink(stages, FEED, Parts.TICK)));
        start(consumer());
        final Thread thread = new Thread(() -> LongStream.range(0, 20_000).forEach(id -> other.send(id)));
        thread.start();
        LongStream.range(20_000, 40_000).forEach(id -> source.send(id));
        thread.join();

        assertThat(sink.ids).hasSize(40_000).doesNotHaveDuplicates();
        assertThat(sink.ids.stream().filter(id -> id < 20_000)).isSorted();
        assertThat(sink.timesNs).isSorted();
    }

    @Test
    void shouldRefuseNetworksThatTakeRowsOfEachOther() throws Exception
    {
        assertThat(stages.cycle("a", "b")).isEmpty();
        start(market());
        start(consumer());
        assertThat(stages.cycle("market", "app")).containsExactly("market", "app", "market");
        assertThat(stages.cycle("app", "market")).isEmpty();
        assertThat(stages.cycle("third", "app")).isEmpty();
        assertThat(stages.cycle("app", "app")).containsExactly("app", "app");

        final TestNetwork itself = new TestNetwork().adapter("app:x", new ForeignSource(stages, "app:x"), "taken")
            .channel("taken", Parts.TICK, "out").bean("out", sink);
        assertThatThrownBy(itself::build).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("cycle=app <- app");
    }

    @Test
    void shouldStayConnectedWhenBothNetworksContinueWithTheirNextVersion() throws Exception
    {
        final Network market = start(market());
        final Network consumer = start(consumer());
        source.send(1);
        replace(market, market());
        replace(consumer, consumer());
        source.send(2);
        final NetworkReplacement narrower = new NetworkReplacement(market,
            new TestNetwork().adapter("in", source, "ticks").channel("ticks", Parts.TICK).prepare(), id -> null);
        replace(narrower);

        assertThat(sink.ids).containsExactly(1L, 2L);
        assertThat(codes(consumer)).as("the next version does not advertise the stage").containsExactly("EPN-0644");
        final NetworkReplacement wider = new NetworkReplacement(market, market().prepare(), id -> null);
        replace(wider);
        source.send(3);
        assertThat(sink.ids).containsExactly(1L, 2L, 3L);
        assertThat(codes(consumer)).isEmpty();
    }

    private static void replace(final Network network, final TestNetwork next) throws DeploymentException
    {
        final NetworkReplacement replacement = new NetworkReplacement(network, next.prepare(), id -> null);
        replace(replacement);
        assertThat(replacement.notes()).noneMatch(note -> note.contains("again"));
    }

    private static void replace(final NetworkReplacement replacement) throws DeploymentException
    {
        assertThat(replacement.obstacles()).isEmpty();
        replacement.activate(Predecessor.NONE);
        assertThat(replacement.apply()).isEmpty();
        replacement.end();
    }
}
