package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.SequencedSink;
import dev.millrace.network.advertised.AdvertisedSink;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.ForeignSource;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.spi.Predecessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two networks of one process, of which one takes rows of the other. */
@Timeout(60)
class AdvertisedStagesTest
{
    private static final String FEED = "market:ticks";
    /** The same columns in another order, without one. */
    private static final EventType PRICES = EventType.tuple("Prices", new EventProperty("PRICE", CqlType.DOUBLE),
        new EventProperty("id", CqlType.BIGINT));
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
        return new TestNetwork().adapter(FEED, new ForeignSource(stages, FEED), "taken")
            .channel("taken", type, queue, TestNetwork.NO_HEARTBEAT, "out").bean("out", out);
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
            .containsEntry("own", Map.of("takenBy", List.of("app")));
    }

    @Test
    void shouldMapColumnsByNameAndKeepTheTimesOfTheRowsAbove() throws Exception
    {
        final Parts.ColumnSink above = new Parts.ColumnSink();
        final Parts.ObjectSink prices = new Parts.ObjectSink();
        start(consumer(PRICES, ChannelStage.Queue.PASS_THROUGH, prices));
        start(new TestNetwork().adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, "ticks#advertised", "above")
            .bean("ticks#advertised", new AdvertisedSink(stages, FEED, Parts.TICK)).bean("above", above));

        source.send(3, 4);
        source.send(5);

        assertThat(prices.events).extracting(Object::toString)
            .containsExactly("Prices[1.5, 3]", "Prices[2.0, 4]", "Prices[2.5, 5]");
        assertThat(above.timesNs).as("the other network stamps copies").hasSize(3).isSorted();
        assertThat(above.ids).containsExactly(3L, 4L, 5L);
    }

    @Test
    void shouldHoldTheProducerBackWhileTheQueueOfTheConsumerIsFull() throws Exception
    {
        final CountDownLatch released = new CountDownLatch(1);
        final CountDownLatch entered = new CountDownLatch(1);
        final Parts.ColumnSink slow = new Parts.ColumnSink()
        {
            @Override
            public void onBatch(final EventBatch batch) throws dev.millrace.api.stage.EventRejectedException
            {
                entered.countDown();
                awaitQuietly(released);
                super.onBatch(batch);
            }
        };
        start(market());
        final Network consumer = start(consumer(Parts.TICK, new ChannelStage.Queue(1, 16), slow));
        final Thread sending = new Thread(() ->
        {
            for (long id = 1; id <= 1_000; id++)
            {
                source.send(id);
            }
        });
        sending.start();
        entered.await();
        TestNetwork.await("the producer waits", () -> sending.getState() == Thread.State.WAITING ||
            sending.getState() == Thread.State.TIMED_WAITING);

        assertThat(TestNetwork.figure(consumer, "taken", "rowsIn")).isLessThan(1_000);
        released.countDown();
        sending.join();
        TestNetwork.await("all rows", () -> slow.ids.size() == 1_000);
        assertThat(slow.ids).containsExactlyElementsOf(LongStream.rangeClosed(1, 1_000).boxed().toList());
    }

    private static void awaitQuietly(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
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
        texts.sender.sendInsertEvent(new dev.millrace.api.event.TupleEvent(OTHER, "a", "b", 1.0));
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
        stages.cycle("a", "b");
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
