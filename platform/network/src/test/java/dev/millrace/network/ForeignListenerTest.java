package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.network.advertised.AdvertisedStages;
import dev.millrace.network.advertised.ForeignSink;
import dev.millrace.network.advertised.ForeignSource;
import dev.millrace.network.advertised.ListenerSource;
import dev.millrace.network.condition.Condition;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.lane.RejectReason;
import dev.millrace.network.spi.Predecessor;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Networks of one process, some of which send rows to a channel that another one advertises. */
@Timeout(60)
class ForeignListenerTest
{
    private static final String ENTRY = "market:entry";
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

    private TestNetwork market(final EventType type, final Object out)
    {
        return new TestNetwork().adapter("entry#listeners", new ListenerSource(stages, ENTRY, type), "entry")
            .channel("entry", type, "out").bean("out", out);
    }

    private TestNetwork market()
    {
        return market(Parts.TICK, sink);
    }

    private TestNetwork sender(final Parts.ColumnSource feed)
    {
        return new TestNetwork().adapter("in", feed, "ticks").channel("ticks", Parts.TICK, ENTRY)
            .bean(ENTRY, new ForeignSink(stages, ENTRY, List.of(Parts.TICK)));
    }

    private static List<String> codes(final Network network)
    {
        return network.conditions().stream().map(Condition::code).toList();
    }

    @Test
    void shouldSendRowsOfOneNetworkToAnother() throws Exception
    {
        final Network market = start(market());
        final Network sender = start(sender(source));

        source.send(1, 2, 3);
        source.send();
        source.send(LongStream.rangeClosed(4, 100).toArray());

        assertThat(sink.ids).containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
        assertThat(sink.batchSizes).containsExactly(3, 97);
        assertThat(sink.heartbeatsNs).as("heartbeats stay in their network").isEmpty();
        assertThat(TestNetwork.figure(sender, ENTRY, "rowsIn")).isEqualTo(100);
        assertThat(TestNetwork.figure(market, "entry#listeners", "rowsOut")).isEqualTo(100);
        assertThat(TestNetwork.stage(sender, ENTRY)).containsEntry("kind", "foreign-stage")
            .containsEntry("own", Map.of("advertised", true));
        assertThat(TestNetwork.stage(market, "entry#listeners")).containsEntry("kind", "advertised")
            .containsEntry("own", Map.of("senders", List.of("app")));
        assertThat(stages.inputs()).containsExactly(ENTRY);
        assertThat(stages.names()).isEmpty();
    }

    @Test
    void shouldMapColumnsByName() throws Exception
    {
        final Parts.ObjectSink prices = new Parts.ObjectSink();
        start(sender(source));
        start(market(PRICES, prices));

        source.send(3, 4);

        assertThat(prices.events).extracting(Object::toString).containsExactly("Prices[1.5, 3]", "Prices[2.0, 4]");
    }

    @Test
    void shouldBeDegradedAndCountRowsWhileTheChannelDoesNotAcceptRows() throws Exception
    {
        final Network sender = start(sender(source));
        assertThat(codes(sender)).containsExactly("EPN-0644");
        assertThat(sender.state()).isEqualTo(NetworkState.DEGRADED);
        source.send(1, 2);
        assertThat(TestNetwork.rejected(sender, ENTRY, RejectReason.REFUSED_BY_SINK)).isEqualTo(2);

        final Network market = start(market());
        assertThat(codes(sender)).doesNotContain("EPN-0644");
        source.send(3);
        market.stop();
        assertThat(codes(sender)).contains("EPN-0644");
        source.send(4);

        assertThat(TestNetwork.rejected(sender, ENTRY, RejectReason.REFUSED_BY_SINK)).isEqualTo(3);
        assertThat(sink.ids).containsExactly(3L);
        assertThat(stages.inputs()).isEmpty();
    }

    @Test
    void shouldBeDegradedAndCountRowsWhenTheNextVersionOfTheChannelHasAnotherType() throws Exception
    {
        final Network sender = start(sender(source));
        start(market(OTHER, sink));

        assertThat(sender.conditions()).singleElement().satisfies(condition ->
        {
            assertThat(condition.code()).isEqualTo("EPN-0645");
            assertThat(condition.text()).contains("stage=" + ENTRY, "properties=[id]",
                "type=Tick[id bigint, symbol char, price double]", "expected=Tick[id char, symbol char, price double]");
        });
        source.send(1);
        assertThat(sink.ids).isEmpty();
        assertThat(TestNetwork.rejected(sender, ENTRY, RejectReason.REFUSED_BY_SINK)).isEqualTo(1);
    }

    @Test
    void shouldReportTheChannelWhoseRowsDoNotFit() throws Exception
    {
        final EventType narrow = EventType.tuple("Narrow", new EventProperty("id", CqlType.BIGINT));
        final Network sender = start(sender(source).adapter("other", new Parts.ColumnSource(), "narrow")
            .channel("narrow", narrow, "rest").bean("rest", new ForeignSink(stages, ENTRY,
                List.of(Parts.TICK, narrow))));
        start(market());

        assertThat(sender.conditions()).singleElement().satisfies(condition ->
            assertThat(condition.text()).contains("properties=[symbol, price]", "type=Narrow[id bigint]"));
    }

    @Test
    void shouldMapTheColumnsOfEachChannelOnce() throws Exception
    {
        start(market());
        final ForeignSink listener = new ForeignSink(stages, ENTRY, List.of(Parts.TICK, Parts.TICK));
        start(new TestNetwork().adapter("in", source, "ticks").channel("ticks", Parts.TICK, ENTRY)
            .bean(ENTRY, listener));
        final EventBatch first = batch();
        final EventBatch second = batch();
        listener.onBatch(first);
        listener.onBatch(second);
        final long before = allocatedBytes();
        for (int i = 0; i < 1000; i++)
        {
            listener.onBatch(first);
            listener.onBatch(second);
        }

        assertThat(sink.ids).hasSize(2002);
        assertThat((allocatedBytes() - before) / 2000).as("bytes per batch, with the lists of the sink")
            .isLessThan(400);
    }

    private static long allocatedBytes()
    {
        return ((ThreadMXBean)ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    @Test
    void shouldKeepNothingOfTheChannelsBeforeTheLatestOnes() throws Exception
    {
        start(market());
        final ForeignSink listener = new ForeignSink(stages, ENTRY, List.of(Parts.TICK));
        start(new TestNetwork().adapter("in", source, "ticks").channel("ticks", Parts.TICK, ENTRY)
            .bean(ENTRY, listener));
        final WeakReference<EventBatch> earlier = send(listener);
        send(listener);

        TestNetwork.await("collection", () ->
        {
            System.gc();
            return earlier.get() == null;
        });
        Reference.reachabilityFence(listener);
    }

    @Test
    void shouldCountRowsInTheSuspendedNetwork() throws Exception
    {
        final Network market = start(market());
        final Network sender = start(sender(source));
        source.send(1);
        market.suspend();
        source.send(2, 3);
        market.resume();
        source.send(4);

        assertThat(sink.ids).containsExactly(1L, 4L);
        assertThat(TestNetwork.rejected(market, "entry#listeners", RejectReason.SUSPENDED)).isEqualTo(2);
        assertThat(sender.conditions()).isEmpty();
    }

    @Test
    void shouldPassRowsOfSeveralNetworksAndThreadsOneAtATime() throws Exception
    {
        final Parts.ColumnSource other = new Parts.ColumnSource();
        start(market());
        start(sender(source));
        start(sender(other));
        final Thread thread = new Thread(() -> LongStream.range(0, 20_000).forEach(id -> other.send(id)));
        thread.start();
        LongStream.range(20_000, 40_000).forEach(id -> source.send(id));
        thread.join();

        assertThat(sink.ids).hasSize(40_000).doesNotHaveDuplicates();
        assertThat(sink.ids.stream().filter(id -> id < 20_000)).isSorted();
        assertThat(sink.timesNs).isSorted();
    }

    @Test
    void shouldRefuseNetworksThatSendRowsToEachOther() throws Exception
    {
        start(market());
        start(sender(source));
        assertThat(stages.cycle("app", "market")).containsExactly("app", "market", "app");
        assertThat(stages.cycle("market", "app")).isEmpty();

        final TestNetwork back = new TestNetwork().adapter("market:x", new ForeignSource(stages, "market:x"), "taken")
            .channel("taken", Parts.TICK, "out").bean("out", sink);
        assertThatThrownBy(back::build).isInstanceOf(DeploymentException.class)
            .hasMessageContaining("cycle=app <- market <- app");
        final TestNetwork itself = new TestNetwork().adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, "app:x").bean("app:x", new ForeignSink(stages, "app:x", List.of(Parts.TICK)));
        assertThatThrownBy(itself::build).hasMessageContaining("cycle=app <- app");
    }

    @Test
    void shouldStayConnectedWhenBothNetworksContinueWithTheirNextVersion() throws Exception
    {
        final Network market = start(market());
        final Network sender = start(sender(source));
        source.send(1);
        replace(market, market());
        replace(sender, sender(source));
        source.send(2);

        assertThat(sink.ids).containsExactly(1L, 2L);
        assertThat(codes(sender)).isEmpty();
    }

    private static void replace(final Network network, final TestNetwork next) throws DeploymentException
    {
        final NetworkReplacement replacement = new NetworkReplacement(network, next.prepare(), id -> null);
        assertThat(replacement.obstacles()).isEmpty();
        replacement.activate(Predecessor.NONE);
        assertThat(replacement.apply()).isEmpty();
        replacement.end();
        assertThat(replacement.notes()).noneMatch(note -> note.contains("again"));
    }

    @Test
    void shouldKeepNothingOfASenderThatHasStopped() throws Exception
    {
        start(market());
        final ForeignSink listener = new ForeignSink(stages, ENTRY, List.of(Parts.TICK));
        final Network sender = start(new TestNetwork().adapter("in", source, "ticks")
            .channel("ticks", Parts.TICK, ENTRY).bean(ENTRY, listener));
        final WeakReference<EventBatch> batch = send(listener);
        sender.stop();

        assertThat(sink.ids).hasSize(1);
        TestNetwork.await("collection", () ->
        {
            System.gc();
            return batch.get() == null;
        });
        Reference.reachabilityFence(listener);
    }

    private static WeakReference<EventBatch> send(final ForeignSink listener) throws Exception
    {
        final EventBatch batch = batch();
        listener.onBatch(batch);
        return new WeakReference<>(batch);
    }

    private static EventBatch batch()
    {
        final EventBatch batch = new EventBatch(new BatchSchema(Parts.TICK));
        batch.texts(1).set(0, "A");
        batch.size(1);
        return batch;
    }

    @Test
    void shouldSendObjectsOfAnotherTypeWithTheSameProperties() throws Exception
    {
        final Parts.ObjectSource objects = new Parts.ObjectSource();
        final Parts.ObjectSink prices = new Parts.ObjectSink();
        start(market(PRICES, prices));
        final EventType wide = EventType.tuple("Wide", new EventProperty("id", CqlType.BIGINT),
            new EventProperty("more", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));
        start(new TestNetwork().adapter("in", objects, "ticks").channel("ticks", wide, ENTRY)
            .bean(ENTRY, new ForeignSink(stages, ENTRY, List.of(wide))));
        objects.sender.sendInsertEvent(new TupleEvent(wide, 7L, "x", 1.5));
        assertThat(prices.events).singleElement().hasToString("Prices[1.5, 7]");
    }
}
