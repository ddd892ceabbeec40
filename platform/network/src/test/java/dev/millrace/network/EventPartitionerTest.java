package dev.millrace.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.ChannelStage.Queue;
import dev.millrace.network.definition.ChannelStage.Time;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A channel with an event partitioner gives each row to one of its listeners. */
@Timeout(60)
class EventPartitionerTest
{
    private static final int ROWS = 1000;

    private final Parts.ColumnSource source = new Parts.ColumnSource();
    private final List<Parts.ColumnSink> sinks =
        List.of(new Parts.ColumnSink(), new Parts.ColumnSink(), new Parts.ColumnSink());
    private final TestNetwork net = new TestNetwork();
    private Network network;

    @AfterEach
    void stop()
    {
        if (network != null)
        {
            network.stop();
        }
    }

    private static ChannelStage channel(final EventType type, final boolean batching, final Queue queue,
        final Time time, final String property, final String... listeners)
    {
        return new ChannelStage("ticks", type, false, List.of(), queue, batching, time, List.of(), List.of(listeners),
            new SourcePosition("test.xml", 9, 9)).partitionedBy(property);
    }

    private void start(final Queue queue, final Time time) throws Exception
    {
        net.adapter("in", source, "ticks").channel(channel(Parts.TICK, false, queue, time, "symbol", "a", "b", "c"));
        network = net.bean("a", sinks.get(0)).bean("b", sinks.get(1)).bean("c", sinks.get(2)).start();
    }

    private static Set<Long> symbols(final Parts.ColumnSink sink)
    {
        return sink.ids.stream().map(id -> id % 10).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldGiveAllRowsOfOneValueInOrderToOneListener(final int threads) throws Exception
    {
        start(new Queue(threads, 4096), TestNetwork.NO_HEARTBEAT);
        for (int from = 0; from < ROWS; from += 50)
        {
            source.send(LongStream.range(from, from + 50).toArray());
        }
        TestNetwork.await("all rows", () -> sinks.stream().mapToInt(sink -> sink.ids.size()).sum() == ROWS);

        final List<Long> all = new ArrayList<>();
        final Set<Long> seen = new HashSet<>();
        for (final Parts.ColumnSink sink : sinks)
        {
            assertThat(List.copyOf(sink.ids)).isSorted();
            assertThat(seen).doesNotContainAnyElementsOf(symbols(sink));
            seen.addAll(symbols(sink));
            all.addAll(sink.ids);
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(ROWS);
        assertThat(sinks.stream().filter(sink -> !sink.ids.isEmpty())).as("listeners with rows").hasSizeGreaterThan(1);
        assertThat(TestNetwork.figure(network, "ticks", "rowsOut")).isEqualTo(ROWS);
    }

    @Test
    void shouldMoveTheTimeOfListenersWithoutRows() throws Exception
    {
        start(Queue.PASS_THROUGH, new Time("id", false, 0));
        // One symbol, "S1".
        source.send(101);
        source.send(201, 301, 301);

        for (final Parts.ColumnSink sink : sinks)
        {
            if (sink.ids.isEmpty())
            {
                // Another row may come with the time of the last one.
                assertThat(sink.heartbeatsNs).containsExactly(100L, 300L);
            }
            else
            {
                assertThat(sink.ids).containsExactly(101L, 201L, 301L, 301L);
                assertThat(sink.timesNs).containsExactly(101L, 201L, 301L, 301L);
                assertThat(sink.heartbeatsNs).isEmpty();
            }
        }
    }

    private void shouldRefuse(final ChannelStage channel, final String... texts)
    {
        final DeploymentException refused = catchThrowableOfType(DeploymentException.class,
            () -> new TestNetwork().adapter("in", source, "ticks").channel(channel).bean("a", sinks.get(0)).build());
        assertThat(refused).isNotNull();
        assertThat(refused.problems()).singleElement().satisfies(problem ->
        {
            assertThat(problem.code()).isEqualTo("EPN-0523");
            assertThat(problem.position()).hasToString("test.xml:9:9");
            assertThat(problem.text()).contains(texts);
        });
    }

    @Test
    void shouldRefusePropertiesAndSettingsThatDoNotFit()
    {
        final EventType type = EventType.tuple("Tick", new EventProperty("id", CqlType.BIGINT),
            new EventProperty("symbol", CqlType.CHAR), new EventProperty("amount", CqlType.BIGDECIMAL));
        shouldRefuse(channel(type, false, Queue.PASS_THROUGH, Time.SYSTEM, "amount", "a"),
            "cannot be partitioned by this property", "channel=ticks partitionByEventProperty=amount");
        shouldRefuse(channel(type, false, Queue.PASS_THROUGH, Time.SYSTEM, "colour", "a"), "colour");
        shouldRefuse(channel(type, true, Queue.PASS_THROUGH, Time.SYSTEM, "symbol", "a"), "excludes other settings");
    }
}
