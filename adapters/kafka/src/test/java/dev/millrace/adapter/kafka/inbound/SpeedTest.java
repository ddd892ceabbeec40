package dev.millrace.adapter.kafka.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.kafka.TestBroker;
import dev.millrace.adapter.kafka.TestStage;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSender;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Prints rows per second of the source and of a bare consumer, by wall time and by processor time of their thread;
 * {@code -DargLine="-Drows=2000000 -Drounds=7"} for the figures of SOURCE.md.
 */
@Tag("slow")
@Timeout(600)
class SpeedTest
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ROWS = Integer.getInteger("rows", 20_000);
    private static final int ROUNDS = Integer.getInteger("rounds", 1);
    private static final int BYTES = 100;
    private static final EventType ROW = EventType.tuple("Row", new EventProperty("id", CqlType.BIGINT),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("text", CqlType.CHAR));

    @TempDir
    private Path directory;

    /** Adds up a column, so that it must be read, and stops the source after the last row. */
    private static final class Receiver implements EventBatchSender
    {
        private final BatchSchema schema = new BatchSchema(ROW);
        private KafkaSource source;
        private long rows;
        private long sum;

        @Override
        public BatchSchema schema()
        {
            return schema;
        }

        @Override
        public void send(final EventBatch batch)
        {
            rows += batch.size();
            for (int row = 0; row < batch.size(); row++)
            {
                sum += batch.longs(0)[row];
            }
            if (rows == ROWS)
            {
                source.suspend();
            }
        }

        @Override
        public void reject(final int count, final String reason, final String detail)
        {
            throw new AssertionError(detail);
        }

        @Override
        public EventBatchSender another()
        {
            return this;
        }
    }

    /** A record of 100 bytes. */
    private static byte[] value(final String format, final long id)
    {
        if (format.equals("wire"))
        {
            final ByteBuffer value = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
            value.putShort((short)1).putLong(id).putDouble(id / 4.0).putShort((short)(value.remaining() - 2));
            Arrays.fill(value.array(), value.position(), BYTES, (byte)'x');
            return value.array();
        }
        final String begin = format.equals("csv") ? id + "," + id / 4.0 + ",\"" :
            "{\"id\":" + id + ",\"price\":" + id / 4.0 + ",\"text\":\"";
        final String end = format.equals("csv") ? "\"" : "\"}";
        return (begin + "x".repeat(BYTES - begin.length() - end.length()) + end).getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "json", "wire"})
    void shouldReadDistinctRowsOfHundredBytes(final String format) throws Exception
    {
        try (TestBroker broker = new TestBroker(directory, Map.of("log.segment.bytes", "1073741824")))
        {
            broker.createTopic("rows", 1, Map.of());
            try (Producer<byte[], byte[]> producer = new KafkaProducer<>(Map.of("bootstrap.servers", broker.servers(),
                "linger.ms", 20, "batch.size", 1 << 17), new ByteArraySerializer(), new ByteArraySerializer()))
            {
                for (long id = 0; id < ROWS; id++)
                {
                    producer.send(new ProducerRecord<>("rows", 0, null, value(format, id)));
                }
            }
            final List<double[]> shares = new ArrayList<>();
            for (int round = 0; round <= ROUNDS; round++)
            {
                final long[] bare = bare(broker);
                final long[] source = source(broker, format, round);
                final double[] share = {(double)bare[0] / source[0], (double)bare[1] / source[1]};
                System.out.printf("%s, round %d: bare/s=%,d source/s=%,d share=%.2f, by processor time: bare/s=%,d " +
                    "source/s=%,d share=%.2f%n", format, round, rate(bare[0]), rate(source[0]), share[0],
                    rate(bare[1]), rate(source[1]), share[1]);
                if (round > 0)
                {
                    shares.add(share);
                }
            }
            System.out.printf("%s: rows=%,d rounds=%d after a warm-up, median share=%.2f, by processor time %.2f%n",
                format, ROWS, ROUNDS, median(shares, 0), median(shares, 1));
        }
    }

    private static double median(final List<double[]> shares, final int which)
    {
        return shares.stream().mapToDouble(each -> each[which]).sorted().toArray()[shares.size() / 2];
    }

    private static long rate(final long durationNs)
    {
        return ROWS * TimeUnit.SECONDS.toNanos(1) / durationNs;
    }

    /** Wall time and processor time of a consumer that reads the bytes of each value. */
    private static long[] bare(final TestBroker broker)
    {
        try (Consumer<byte[], byte[]> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", broker.servers(),
            "group.id", "bare", "enable.auto.commit", false, "isolation.level", "read_committed",
            "max.poll.records", 4096), new ByteArrayDeserializer(), new ByteArrayDeserializer()))
        {
            final TopicPartition partition = new TopicPartition("rows", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            consumer.position(partition);
            final long beginNs = System.nanoTime();
            final long beginCpuNs = THREADS.getCurrentThreadCpuTime();
            long rows = 0;
            long bytes = 0;
            while (rows < ROWS)
            {
                for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100)))
                {
                    rows++;
                    bytes += record.value().length;
                }
            }
            final long[] durations = {System.nanoTime() - beginNs, THREADS.getCurrentThreadCpuTime() - beginCpuNs};
            assertThat(bytes).isEqualTo((long)BYTES * ROWS);
            return durations;
        }
    }

    private static long[] source(final TestBroker broker, final String format, final int round)
    {
        final Receiver receiver = new Receiver();
        final KafkaSource source = new KafkaSource(name -> null);
        receiver.source = source;
        source.setStageContext(new TestStage(ROW));
        source.setServers(broker.servers());
        source.setTopics("rows");
        source.setPartitions("0");
        source.setGroup("round-" + round);
        source.setFormat(format);
        source.setBatchSender(receiver);
        source.afterPropertiesSet();
        source.afterConfigurationActive();
        final long beginNs = System.nanoTime();
        final long beginCpuNs = THREADS.getCurrentThreadCpuTime();
        source.run();
        final long[] durations = {System.nanoTime() - beginNs, THREADS.getCurrentThreadCpuTime() - beginCpuNs};
        assertThat(receiver.rows).isEqualTo(ROWS);
        assertThat(receiver.sum).isEqualTo((ROWS - 1L) * ROWS / 2);
        return durations;
    }
}
