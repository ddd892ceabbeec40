package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.common.source.Deadline;
import dev.millrace.adapter.kafka.property.KafkaFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * The compacted topic with the position of each sink, whose records are part of the transactions that write the rows.
 * Not thread-safe. Failure: {@link KafkaException}.
 */
final class PositionTopic
{
    private static final Duration POLL = Duration.ofMillis(100);
    /** The brokers abort a transaction of another sink after a minute. */
    private static final long READ_NS = TimeUnit.SECONDS.toNanos(70);

    private final TopicPartition partition;
    private final String key;
    private final Duration answer;

    PositionTopic(final SinkSettings settings)
    {
        // One partition is enough: a sink writes a record for each transaction.
        partition = new TopicPartition(settings.positionTopic(), 0);
        key = settings.transactionalId();
        answer = settings.answer();
    }

    /** The record to add to a transaction. */
    ProducerRecord<byte[], byte[]> record(final StoredPosition position)
    {
        return new ProducerRecord<>(partition.topic(), partition.partition(), key.getBytes(StandardCharsets.UTF_8),
            position.bytes());
    }

    /**
     * Reads the position of the last transaction that was committed, after {@code initTransactions} has ended those of
     * an earlier process. Creates the topic if it does not exist.
     */
    StoredPosition read(final ProducerFactory clients)
    {
        try (Admin admin = clients.admin())
        {
            create(admin);
            return read(clients, end(admin));
        }
        catch (final ExecutionException e)
        {
            throw e.getCause() instanceof KafkaException failure ? failure : new KafkaException(e.getCause());
        }
        catch (final InterruptedException e)
        {
            throw new InterruptException(e);
        }
    }

    private void create(final Admin admin) throws InterruptedException, ExecutionException
    {
        if (admin.listTopics().names().get().contains(partition.topic()))
        {
            return;
        }
        try
        {
            admin.createTopics(List.of(new NewTopic(partition.topic(), Optional.of(1), Optional.empty())
                .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT))),
                new CreateTopicsOptions().timeoutMs((int)answer.toMillis())).all().get();
        }
        catch (final ExecutionException e)
        {
            if (KafkaFailure.find(e, TopicExistsException.class) == null)
            {
                throw e;
            }
        }
    }

    /** Transactions of other sinks may be open: what this one has committed is not after this offset. */
    private long end(final Admin admin) throws InterruptedException, ExecutionException
    {
        final Deadline deadline = Deadline.afterNs(answer.toNanos());
        while (true)
        {
            try
            {
                return admin.listOffsets(Map.of(partition, OffsetSpec.latest()),
                    new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED).timeoutMs((int)answer.toMillis()))
                    .partitionResult(partition).get().offset();
            }
            catch (final ExecutionException e)
            {
                // A broker may not know the new topic yet, and then the client does not try again.
                if (KafkaFailure.find(e, UnknownTopicOrPartitionException.class) == null || deadline.hasPassed())
                {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            }
        }
    }

    private StoredPosition read(final ProducerFactory clients, final long end)
    {
        StoredPosition found = StoredPosition.NONE;
        try (Consumer<byte[], byte[]> consumer = clients.consumer())
        {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            final Deadline deadline = Deadline.afterNs(READ_NS);
            while (consumer.position(partition, answer) < end)
            {
                for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL))
                {
                    if (record.key() != null && record.value() != null &&
                        key.equals(new String(record.key(), StandardCharsets.UTF_8)))
                    {
                        found = StoredPosition.of(record.value());
                    }
                }
                if (deadline.hasPassed())
                {
                    throw new TimeoutException("the numbers of rows were not read because a transaction is open, " +
                        "topic=" + partition.topic() + " position=" + consumer.position(partition, answer) + " end=" +
                        end + ": if kafka-transactions.sh find-hanging lists it, abort it");
                }
            }
        }
        return found;
    }
}
