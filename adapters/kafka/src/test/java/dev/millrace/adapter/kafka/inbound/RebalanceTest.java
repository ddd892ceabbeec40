package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.adapter.kafka.inbound.RunningSource.Receiver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that share the partitions of a group, as those of several servers do. */
@Tag("slow")
@Timeout(120)
class RebalanceTest
{
    private static final int PARTITIONS = 4;

    @TempDir
    private static Path directory;
    private static TestBroker broker;
    private static Producer<byte[], byte[]> producer;
    private static int topics;

    private final List<Receiver> receivers = new ArrayList<>();

    @BeforeAll
    static void startBroker()
    {
        broker = new TestBroker(directory, Map.of("group.min.session.timeout.ms", "100"));
        producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers()), new ByteArraySerializer(),
            new ByteArraySerializer());
    }

    @AfterAll
    static void stopBroker()
    {
        producer.close();
        broker.close();
    }

    private static String topic() throws Exception
    {
        final String name = "shared-" + ++topics;
        broker.createTopic(name, PARTITIONS, Map.of());
        return name;
    }

    private static void put(final String topic, final long first, final long count)
    {
        for (long id = first; id < first + count; id++)
        {
            producer.send(new ProducerRecord<>(topic, (int)(id % PARTITIONS), null,
                ("{\"id\":" + id + ",\"symbol\":\"S\",\"price\":1.5}").getBytes(StandardCharsets.UTF_8)));
        }
        producer.flush();
    }

    /** A source of another server: its stages store their own numbers. */
    private RunningSource member(final String topic, final boolean isStoring, final Consumer<KafkaSource> properties)
    {
        final Receiver receiver = new Receiver();
        receiver.isStoring = isStoring;
        receivers.add(receiver);
        return member(topic, receiver, properties);
    }

    private static RunningSource member(final String topic, final Receiver receiver,
        final Consumer<KafkaSource> properties)
    {
        return new RunningSource(broker.servers(), TestStage.TICK, receiver, source ->
        {
            source.setTopics(topic);
            source.setGroup("group-" + topic);
            final Properties client = new Properties();
            client.setProperty("heartbeat.interval.ms", "50");
            // Members that end leave the group; a slow machine must not remove the others.
            client.setProperty("session.timeout.ms", "60000");
            source.setClientProperties(client);
            properties.accept(source);
        });
    }

    private List<Object> ids()
    {
        final List<Object> all = new ArrayList<>();
        receivers.forEach(receiver -> all.addAll(receiver.column(0)));
        return all;
    }

    private void awaitAll(final RunningSource member, final int count) throws InterruptedException
    {
        member.await(count + " rows of all members", () -> ids().size() >= count);
    }

    private static int assigned(final RunningSource member)
    {
        return ((Map<?, ?>)member.figures().get("partitions")).size();
    }

    private static List<Object> all(final long first, final long last)
    {
        return new ArrayList<>(LongStream.rangeClosed(first, last).boxed().toList());
    }

    private static void assertOrderOfPartitions(final List<Object> ids)
    {
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            final int rest = partition;
            assertThat(ids.stream().map(id -> (Long)id).filter(id -> id % PARTITIONS == rest)).isSorted();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReceiveEachRowOnceWhenPartitionsMoveToASecondMemberAndBack(final boolean isStoring) throws Exception
    {
        final String topic = topic();
        put(topic, 0, 4000);
        try (RunningSource first = member(topic, isStoring, each -> { }).start())
        {
            awaitAll(first, 1);
            try (RunningSource second = member(topic, isStoring, each -> { }).start())
            {
                first.await("half of the partitions", () -> assigned(first) == 2 && assigned(second) == 2);
                put(topic, 4000, 4000);
                awaitAll(first, 8000);
                assertThat(receivers.get(1).size()).isPositive();
                put(topic, 8000, 4000);
            }
            first.await("all partitions", () -> assigned(first) == PARTITIONS);
            awaitAll(first, 12_000);
            assertThat((Long)first.figures().get("rebalances")).isGreaterThan(1L);
        }
        assertThat(ids()).containsExactlyInAnyOrderElementsOf(all(0, 11_999));
        receivers.forEach(receiver -> assertThat(receiver.repeated).isZero());
        receivers.forEach(receiver -> assertOrderOfPartitions(receiver.column(0)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReceiveEachRowOnceWhenMembersComeAndGo(final boolean isStoring) throws Exception
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final String topic = topic();
        long next = 0;
        try (RunningSource stays = member(topic, isStoring, each -> { }).start();
            RunningSource one = member(topic, isStoring, each -> { });
            RunningSource two = member(topic, isStoring, each -> each.setThreads(2)))
        {
            final List<RunningSource> guests = List.of(one, two);
            final Set<RunningSource> present = new HashSet<>();
            for (int change = 0; change < 30; change++)
            {
                final RunningSource guest = guests.get(random.nextInt(2));
                if (present.add(guest))
                {
                    guest.resume();
                }
                else
                {
                    present.remove(guest);
                    guest.suspend();
                }
                final int count = 1 + random.nextInt(2000);
                put(topic, next, count);
                next += count;
                // The changes overlap with the rebalancing of earlier ones.
                final int atLeast = (int)next - random.nextInt(3000);
                stays.await(atLeast + " rows", () -> ids().size() >= atLeast);
            }
            awaitAll(stays, (int)next);
        }
        assertThat(ids()).containsExactlyInAnyOrderElementsOf(all(0, next - 1));
        receivers.forEach(receiver -> assertThat(receiver.repeated).isZero());
    }

    @Test
    void shouldRepeatOnlyRowsAfterTheLastCommitWhenAMemberIsKilled() throws Exception
    {
        final String topic = topic();
        put(topic, 0, 4000);
        final Properties soon = new Properties();
        soon.setProperty("heartbeat.interval.ms", "50");
        soon.setProperty("session.timeout.ms", "3000");
        final RunningSource killed = member(topic, false, each -> each.setClientProperties(soon)).start();
        killed.awaitRows(4000);
        killed.await("the commit", () -> committed(topic) == 4000);
        receivers.get(0).killAfter = 5000;
        put(topic, 4000, 4000);
        killed.join();
        final long before = committed(topic);
        try (RunningSource next = member(topic, false, each -> { }).start())
        {
            next.awaitRows((int)(8000 - before));
        }
        assertThat(before).isBetween(4000L, 5000L);
        assertThat(new HashSet<>(ids())).hasSize(8000);
        assertThat(receivers.get(1).size()).isEqualTo((int)(8000 - before));
        assertOrderOfPartitions(receivers.get(1).column(0));
    }

    private static long committed(final String topic)
    {
        try (Admin admin = broker.admin())
        {
            return admin.listConsumerGroupOffsets("group-" + topic).partitionsToOffsetAndMetadata().get().values()
                .stream().mapToLong(OffsetAndMetadata::offset).sum();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** The next member repeats the rows that the first one had not committed, and none is missing. */
    @Test
    void shouldContinueAfterTheGroupHasRemovedAMemberThatWasBlocked() throws Exception
    {
        final String topic = topic();
        final Properties impatient = new Properties();
        impatient.setProperty("max.poll.interval.ms", "3000");
        impatient.setProperty("session.timeout.ms", "2500");
        impatient.setProperty("heartbeat.interval.ms", "50");
        try (RunningSource blocked = member(topic, false, each -> each.setClientProperties(impatient)).start())
        {
            put(topic, 0, 400);
            awaitAll(blocked, 400);
            try (RunningSource other = member(topic, new Receiver(), each -> { }))
            {
                receivers.add(other.receiver);
                synchronized (blocked.receiver)
                {
                    put(topic, 400, 400);
                    other.start();
                    other.await("all partitions", () -> assigned(other) == PARTITIONS);
                    other.awaitRows(400);
                }
                blocked.await("its partitions", () -> assigned(blocked) == 2);
                put(topic, 800, 400);
                other.await("the last rows", () -> ids().containsAll(all(800, 1199)));
                assertThat(blocked.stage.raised).isEmpty();
            }
        }
        assertThat(new HashSet<>(ids())).hasSize(1200);
        assertThat(ids().stream().map(id -> (Long)id).filter(id -> id >= 800)).hasSize(400);
        receivers.forEach(receiver -> assertOrderOfPartitions(receiver.column(0)));
    }

    @Test
    void shouldBeginWhereItIsToldToWhenTheFirstAttemptHasFailed() throws Exception
    {
        final String topic = topic();
        put(topic, 0, 400);
        try (Admin admin = broker.admin())
        {
            final TopicPartition wrong = new TopicPartition(topic, 0);
            admin.alterConsumerGroupOffsets("group-" + topic, Map.of(wrong, new OffsetAndMetadata(1000))).all().get();
            try (RunningSource source = member(topic, false, each -> each.setStart("latest")).start())
            {
                source.await("the report", () -> source.stage.raised.containsKey("KAF-0106"));
                source.suspend();
                admin.alterConsumerGroupOffsets("group-" + topic, Map.of(wrong, new OffsetAndMetadata(90)))
                    .all().get();
                source.resume();
                source.await("all partitions", () -> assigned(source) == PARTITIONS);
                put(topic, 400, 4);
                source.awaitRows(14);
            }
        }
        // Of partition 0 the rows from offset 90, of the others what was written after the start.
        assertThat(ids()).containsExactlyInAnyOrder(360L, 364L, 368L, 372L, 376L, 380L, 384L, 388L, 392L, 396L, 400L,
            401L, 402L, 403L);
    }
}
