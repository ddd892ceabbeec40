package dev.millrace.adapter.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the committed records of a topic. */
public final class TestTopic
{
    private TestTopic()
    {
    }

    /** Waits for a number of records, and for the end of the topic. */
    public static List<ConsumerRecord<String, String>> read(final TestBroker broker, final String topic,
        final int count)
    {
        return read(broker, topic, count, new StringDeserializer());
    }

    /** Waits for a number of records, and for the end of the topic. */
    public static <T> List<ConsumerRecord<T, T>> read(final TestBroker broker, final String topic, final int count,
        final Deserializer<T> deserializer)
    {
        final List<ConsumerRecord<T, T>> records = new ArrayList<>();
        try (Consumer<T, T> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", broker.servers(),
            "isolation.level", "read_committed"), deserializer, deserializer))
        {
            final List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(each -> new TopicPartition(topic, each.partition())).toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (records.size() < count || !consumer.endOffsets(partitions).entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue()))
            {
                assertThat(System.nanoTime()).as("records: %s", records.size()).isLessThan(endNs);
                consumer.poll(Duration.ofMillis(20)).forEach(records::add);
            }
        }
        return records;
    }
}
