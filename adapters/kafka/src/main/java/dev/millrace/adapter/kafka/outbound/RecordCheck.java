package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.kafka.property.KafkaFailure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;

/** Finds records that no attempt can write, before the client fails because of them. Immutable. */
final class RecordCheck
{
    /** How many rejected records one of them is logged for. */
    static final long LOG_EVERY = 10_000;
    /** Upper bound of what the protocol adds to a record and to the batch that contains it. */
    private static final int OVERHEAD_BYTES = 256;
    private static final int HEADER_BYTES = 10;

    private final String topic;
    private final int maxBytes;
    private final boolean hasPartitions;

    /** @param maxRequestBytes of the client */
    RecordCheck(final SinkSettings settings, final int maxRequestBytes)
    {
        topic = settings.topic();
        maxBytes = maxRequestBytes - OVERHEAD_BYTES;
        hasPartitions = settings.partitionColumn() != null;
    }

    /** The number of partitions, if rows name partitions. Asks the brokers if the client does not know it. */
    int partitions(final Producer<?, ?> producer)
    {
        return hasPartitions ? producer.partitionsFor(topic).size() : Integer.MAX_VALUE;
    }

    /** Why a record cannot be written; {@code null} if it can. */
    String refusal(final ProducerRecord<byte[], byte[]> record, final int partitions)
    {
        if (record instanceof RefusedRecord)
        {
            return ((RefusedRecord)record).reason();
        }
        if (record.partition() != null && record.partition() >= partitions)
        {
            return "the topic has no such partition, partition=" + record.partition() + " partitions=" + partitions;
        }
        long bytes = record.value().length + (record.key() == null ? 0 : record.key().length);
        for (final Header header : record.headers())
        {
            bytes += header.value().length + 4L * header.key().length() + HEADER_BYTES;
        }
        return bytes <= maxBytes ? null : "the record is too large, bytes=" + bytes + " maxBytes=" + maxBytes;
    }

    /** Whether a failure is due to a record and not to the brokers. */
    static boolean isOfRecord(final Throwable failure)
    {
        return KafkaFailure.find(failure, RecordTooLargeException.class) != null ||
            KafkaFailure.find(failure, RecordBatchTooLargeException.class) != null ||
            KafkaFailure.find(failure, InvalidTimestampException.class) != null ||
            KafkaFailure.find(failure, SerializationException.class) != null;
    }

    /**
     * Returns why the client has failed at once, for example without metadata of the topic, for which it has waited.
     *
     * @return {@code null} if it has the record, or if the record is the reason
     * @throws InterruptException if the thread is interrupted
     */
    static KafkaException outage(final Future<?> answer)
    {
        try
        {
            if (answer.isDone())
            {
                answer.get();
            }
            return null;
        }
        catch (final ExecutionException e)
        {
            return isOfRecord(e) ? null :
                e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        }
        catch (final InterruptedException e)
        {
            throw new InterruptException(e);
        }
    }
}
