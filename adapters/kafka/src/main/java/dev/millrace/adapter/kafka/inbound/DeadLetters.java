package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes rejected records to a topic, with headers that describe why and where they were read. Confined to the thread
 * of the source. Failure: {@link SourceException} if the brokers do not accept a record; it is then rejected again.
 */
final class DeadLetters implements AutoCloseable
{
    private static final String PREFIX = "millrace.";

    /** {@code null} if rejected records are not written. */
    private final String topic;
    private final String stageName;
    private final Duration timeout;
    private final Map<String, Object> configuration;
    private final SourceCounters counters;
    private final Deque<Future<?>> unconfirmed = new ArrayDeque<>();
    /** Created when it is needed. */
    private Producer<byte[], byte[]> producer;

    /** @param configuration of the producer */
    DeadLetters(final SourceSettings settings, final Map<String, Object> configuration, final SourceCounters counters)
    {
        topic = settings.deadLetterTopic();
        stageName = settings.stageName();
        timeout = settings.answer();
        this.configuration = configuration;
        this.counters = counters;
    }

    void add(final ConsumerRecord<ByteBuffer, ByteBuffer> record, final String reason, final String detail)
    {
        if (topic == null)
        {
            return;
        }
        if (producer == null)
        {
            producer = new KafkaProducer<>(configuration, new ByteArraySerializer(), new ByteArraySerializer());
        }
        final ProducerRecord<byte[], byte[]> letter =
            new ProducerRecord<>(topic, null, bytes(record.key()), bytes(record.value()), record.headers());
        header(letter, "stage", stageName);
        header(letter, "topic", record.topic());
        header(letter, "partition", String.valueOf(record.partition()));
        header(letter, "offset", String.valueOf(record.offset()));
        header(letter, "reason", reason);
        header(letter, "detail", detail);
        unconfirmed.add(producer.send(letter));
    }

    private static byte[] bytes(final ByteBuffer buffer)
    {
        if (buffer == null)
        {
            return null;
        }
        final byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private static void header(final ProducerRecord<?, ?> letter, final String name, final String value)
    {
        letter.headers().add(PREFIX + name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Waits until the topic contains all records. */
    void await()
    {
        while (!unconfirmed.isEmpty())
        {
            try
            {
                unconfirmed.peek().get();
                unconfirmed.remove();
                counters.deadLetter();
            }
            catch (final ExecutionException e)
            {
                throw new SourceException(KafkaErrorCode.DEAD_LETTER, "rejected records cannot be written, stage=" +
                    stageName + " deadLetterTopic=" + topic + " reason=" + e.getCause().getMessage(),
                    "create the topic, or correct its permissions: the source waits");
            }
            catch (final InterruptedException e)
            {
                throw new InterruptException(e);
            }
        }
    }

    /** Drops records that are not confirmed. */
    @Override
    public void close()
    {
        unconfirmed.clear();
        if (producer != null)
        {
            producer.close(timeout);
            producer = null;
        }
    }
}
