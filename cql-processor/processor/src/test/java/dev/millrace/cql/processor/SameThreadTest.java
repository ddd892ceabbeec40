package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.network.Network;
import dev.millrace.network.definition.BeanStage;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.NetworkDefinition;
import dev.millrace.network.definition.ProcessorStage;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.network.definition.StageDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flows over several channels: on the source's thread if all of them depend on it, otherwise on a worker. */
@Timeout(60)
class SameThreadTest
{
    private static final int ROWS = 2_000;
    private static final EventType NUMBER =
        EventType.tuple("Number", new EventProperty("at", CqlType.BIGINT), new EventProperty("n", CqlType.INT));
    private static final EventType PAIR =
        EventType.tuple("Pair", new EventProperty("a", CqlType.INT), new EventProperty("b", CqlType.INT));

    private final TestServices services = new TestServices(NUMBER, PAIR);
    private final LiveNetwork.Sink sink = new LiveNetwork.Sink();

    /** Sends numbers on the caller's thread. */
    private static final class Feed implements EventBatchSource
    {
        private EventBatchSender sender;

        @Override
        public void setBatchSender(final EventBatchSender toUse)
        {
            sender = toUse;
        }

        void send(final int from, final int to)
        {
            final EventBatch batch = new EventBatch(sender.schema());
            for (int i = from; i < to; i++)
            {
                batch.longs(0)[i - from] = 1_000L * (i + 1);
                batch.ints(1)[i - from] = i;
            }
            batch.size(to - from);
            sender.send(batch);
        }
    }

    private static ChannelStage channel(final String id, final EventType type, final String time,
        final ChannelStage.Queue queue, final List<String> selector, final String below)
    {
        return new ChannelStage(id, type, false, List.of(), queue, false, new ChannelStage.Time(time, true, 0),
            selector, List.of(below), SourcePosition.NONE);
    }

    private static ProcessorStage processor(final String id, final List<String> below, final String... rules)
    {
        final List<ProcessorStage.Rule> all = new ArrayList<>();
        for (int i = 0; i < rules.length; i += 2)
        {
            all.add(LiveNetwork.query(rules[i], rules[i + 1]));
        }
        return new ProcessorStage(id, CqlProcessorProvider.TYPE, all, Map.of(), 1, below, SourcePosition.NONE);
    }

    private Network start(final List<StageDefinition> first, final ChannelStage.Queue queueOfOdd) throws Exception
    {
        final List<StageDefinition> stages = new ArrayList<>(first);
        stages.add(channel("even", NUMBER, "at", ChannelStage.Queue.PASS_THROUGH,
            first.size() == 3 ? List.of("even") : List.of(), "join"));
        stages.add(channel("odd", NUMBER, "at", queueOfOdd, first.size() == 3 ? List.of("odd") : List.of(), "join"));
        stages.add(processor("join", List.of("out"), "pairs",
            "IStream(select e.n as a, o.n as b from even[rows 1] as e, odd[rows 1] as o)"));
        stages.add(channel("out", PAIR, null, ChannelStage.Queue.PASS_THROUGH, List.of(), "sink"));
        stages.add(new BeanStage("sink", false, sink, List.of(), SourcePosition.NONE));
        final Network network = Network.build(new NetworkDefinition("same", services, stages, List.of()), services);
        network.start();
        return network;
    }

    private static List<StageDefinition> split(final Feed feed)
    {
        return List.of(new BeanStage("feed", true, feed, List.of("numbers"), SourcePosition.NONE),
            channel("numbers", NUMBER, "at", ChannelStage.Queue.PASS_THROUGH, List.of(), "split"),
            processor("split", List.of("even", "odd"), "even", "select at, n from numbers where n - n / 2 * 2 = 0",
                "odd", "select at, n from numbers where n - n / 2 * 2 = 1"));
    }

    /** Each number with the previous one, the even one first. */
    private static List<List<Object>> pairs(final int to)
    {
        final List<List<Object>> pairs = new ArrayList<>();
        for (int n = 1; n < to; n++)
        {
            pairs.add(n % 2 == 0 ? List.of(n, n - 1) : List.of(n - 1, n));
        }
        return pairs;
    }

    @Test
    void shouldJoinChannelsOfOneSourceOnItsThread() throws Exception
    {
        final Feed feed = new Feed();
        final Network network = start(split(feed), ChannelStage.Queue.PASS_THROUGH);
        for (int from = 0; from < ROWS; from += 100)
        {
            feed.send(from, from + 100);
            // Complete pairs are emitted before the call returns; the last number waits for the next even one.
            assertThat(sink.rows()).isEqualTo(pairs(from + 99));
        }
        network.stop();
        assertThat(services.made()).isEmpty();
    }

    @Test
    void shouldJoinOnTheThreadsOfTheSourceAndOfAQueue() throws Exception
    {
        final Feed feed = new Feed();
        final Network network = start(split(feed), new ChannelStage.Queue(1, 1024));
        for (int from = 0; from < ROWS; from += 100)
        {
            feed.send(from, from + 100);
        }
        network.stop();
        assertThat(sink.rows()).isEqualTo(pairs(ROWS - 1));
        assertThat(services.made()).extracting(Thread::getName).containsExactly("same/odd");
    }

    @Test
    void shouldJoinChannelsOfTwoSourcesOnTheirThreads() throws Exception
    {
        final Feed even = new Feed();
        final Feed odd = new Feed();
        final Network network = start(List.of(
            new BeanStage("feedEven", true, even, List.of("even"), SourcePosition.NONE),
            new BeanStage("feedOdd", true, odd, List.of("odd"), SourcePosition.NONE)),
            ChannelStage.Queue.PASS_THROUGH);
        for (int n = 0; n < 100; n++)
        {
            (n % 2 == 0 ? even : odd).send(n, n + 1);
            // The last number waits for rows that the other source may still send.
            assertThat(sink.rows()).isEqualTo(pairs(n));
        }
        network.stop();
        assertThat(services.made()).isEmpty();
    }
}
