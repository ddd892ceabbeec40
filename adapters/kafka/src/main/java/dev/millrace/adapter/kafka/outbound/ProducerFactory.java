package dev.millrace.adapter.kafka.outbound;

import dev.millrace.adapter.kafka.property.KafkaErrorCode;
import dev.millrace.adapter.kafka.property.KafkaFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Creates the clients of a sink. Immutable. */
final class ProducerFactory
{
    private static final String UNRESOLVABLE = "No resolvable bootstrap urls";
    /** Prefixes of properties that the consumer and the admin client need, too. */
    private static final String[] SECURITY = {"sasl.", "ssl.", "security."};

    private final SinkSettings settings;
    private final Map<String, Object> given;

    /** @param given properties of the assembly file, with their secrets */
    ProducerFactory(final SinkSettings settings, final Map<String, Object> given)
    {
        this.settings = settings;
        this.given = given;
    }

    private String clientId()
    {
        return settings.stageName().replace('/', '.');
    }

    private Map<String, Object> producerConfiguration()
    {
        final Map<String, Object> all = new HashMap<>(given);
        final int answerMillis = (int)settings.answer().toMillis();
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
        all.put(ProducerConfig.CLIENT_ID_CONFIG, clientId());
        all.put(ProducerConfig.ACKS_CONFIG, settings.acks());
        all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, settings.acks().equals("all"));
        all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, answerMillis);
        if (settings.isConfirmed() || settings.exactlyOnce())
        {
            // The sink tries again by itself. Without a wait, the client does so for the time that it is given.
            all.put(ProducerConfig.LINGER_MS_CONFIG, 0);
            all.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, answerMillis);
            all.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, answerMillis);
        }
        if (settings.exactlyOnce())
        {
            all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, settings.transactionalId());
        }
        return all;
    }

    /** A new producer, which connects later. */
    Producer<byte[], byte[]> producer()
    {
        return withLoader(() -> new KafkaProducer<>(producerConfiguration(), new ByteArraySerializer(),
            new ByteArraySerializer()));
    }

    /** The maximum size of a request, and so of a record. */
    int maxRequestBytes()
    {
        return Integer.parseInt(String.valueOf(given.getOrDefault(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 1 << 20)));
    }

    /** A new consumer that sees committed transactions only. */
    Consumer<byte[], byte[]> consumer()
    {
        final Map<String, Object> all = security("-numbers");
        all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return withLoader(() -> new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    Admin admin()
    {
        return withLoader(() -> Admin.create(security("-topics")));
    }

    private Map<String, Object> security(final String suffix)
    {
        final Map<String, Object> all = new HashMap<>();
        given.forEach((name, value) ->
        {
            for (final String prefix : SECURITY)
            {
                if (name.startsWith(prefix))
                {
                    all.put(name, value);
                }
            }
        });
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.servers());
        all.put(ProducerConfig.CLIENT_ID_CONFIG, clientId() + suffix);
        return all;
    }

    /** Kafka finds classes that properties name by the loader of the thread. */
    private static <T> T withLoader(final Supplier<T> creation)
    {
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ProducerFactory.class.getClassLoader());
        try
        {
            return creation.get();
        }
        finally
        {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Checks the properties without a connection.
     *
     * @throws IllegalArgumentException if the client refuses them, with code and next step
     */
    void check()
    {
        try
        {
            producer().close(Duration.ZERO);
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
    }
}
