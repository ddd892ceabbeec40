package dev.millrace.adapter.kafka.inbound;

import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.KafkaFailure;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;

/** Creates the clients of a source. Immutable. */
final class ClientFactory
{
    private static final int POLL_RECORDS = 4096;
    /** The time after which new topics and partitions are seen; by default the client takes five minutes. */
    private static final int METADATA_MILLIS = 30_000;
    private static final String UNRESOLVABLE = "No resolvable bootstrap urls";

    private final SourceSettings settings;
    private final Map<String, Object> given;

    /** @param given properties of the assembly file, with their secrets */
    ClientFactory(final SourceSettings settings, final Map<String, Object> given)
    {
        this.settings = settings;
        this.given = given;
    }

    private Map<String, Object> consumerConfiguration(final int index)
    {
        final Map<String, Object> all = new HashMap<>();
        // Rows of transactions that were aborted are no events.
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        all.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, (long)settings.maxRetryMillis());
        all.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MILLIS);
        all.putAll(given);
        if (!"consumer".equalsIgnoreCase(String.valueOf(all.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG))))
        {
            all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName());
        }
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
        all.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
        all.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId(index));
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return all;
    }

    private String clientId(final int index)
    {
        return settings.stageName().replace('/', '.') + '-' + index;
    }

    /** A new consumer, which connects later. */
    Consumer<ByteBuffer, ByteBuffer> consumer(final int index)
    {
        return new KafkaConsumer<>(consumerConfiguration(index), new ByteBufferDeserializer(),
            new ByteBufferDeserializer());
    }

    /**
     * Checks the properties without a connection.
     *
     * @throws IllegalArgumentException if the client refuses them, with code and next step
     */
    void check()
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClientFactory.class.getClassLoader());
        try
        {
            consumer(0).close();
        }
        catch (final KafkaException e)
        {
            final String reason = KafkaFailure.messages(e);
            // Names may be resolvable later.
            if (!reason.contains(UNRESOLVABLE))
            {
                throw new IllegalArgumentException(KafkaErrorCode.CLIENT.message("the client refuses its properties, " +
                    "stage=" + settings.stageName() + " reason=" + reason, "correct servers or clientProperties"), e);
            }
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    /** The configuration of a producer of rejected records: the security of the consumer, and no other property. */
    Map<String, Object> producer(final int index)
    {
        final Map<String, Object> all = new HashMap<>();
        given.forEach((name, value) ->
        {
            if (name.startsWith("sasl.") || name.startsWith("ssl.") || name.equals("security.protocol"))
            {
                all.put(name, value);
            }
        });
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
        all.put(ProducerConfig.CLIENT_ID_CONFIG, clientId(index) + "-rejected");
        all.put(ProducerConfig.ACKS_CONFIG, "all");
        final int answerMillis = (int)settings.answer().toMillis();
        all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, answerMillis);
        all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, answerMillis);
        all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, answerMillis);
        return all;
    }
}
