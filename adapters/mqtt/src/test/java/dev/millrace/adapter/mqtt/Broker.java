package dev.millrace.adapter.mqtt;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.postoffice.QueueBinding;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/** An MQTT broker with a journal, on a port of loopback that it keeps when it is started again. */
public final class Broker implements AutoCloseable
{
    /** A client that has subscribed. */
    public static final class Subscriber implements AutoCloseable
    {
        private final Mqtt5BlockingClient client;
        private final Mqtt5BlockingClient.Mqtt5Publishes publishes;

        private Subscriber(final Mqtt5BlockingClient client, final String filter)
        {
            this.client = client;
            publishes = client.publishes(MqttGlobalPublishFilter.ALL);
            client.subscribeWith().topicFilter(filter).qos(MqttQos.EXACTLY_ONCE).send();
        }

        /** The next message; empty if none arrives for a while. */
        public Optional<Mqtt5Publish> next(final long millis) throws InterruptedException
        {
            return publishes.receive(millis, TimeUnit.MILLISECONDS);
        }

        /** The next messages in the order of their arrival. */
        public List<Mqtt5Publish> take(final int count) throws InterruptedException
        {
            final List<Mqtt5Publish> messages = new ArrayList<>(count);
            while (messages.size() < count)
            {
                messages.add(next(60_000).orElseThrow());
            }
            return messages;
        }

        @Override
        public void close()
        {
            publishes.close();
            client.disconnect();
        }
    }

    private final Path directory;
    private int port;
    private EmbeddedActiveMQ server;
    /** Stays connected, because the broker may lose messages of QoS 0 when their sender disconnects. */
    private Mqtt5BlockingClient publisher;

    public Broker(final Path directory) throws Exception
    {
        this.directory = directory;
        start();
    }

    public void start() throws Exception
    {
        final Configuration configuration = new ConfigurationImpl().setSecurityEnabled(false)
            .setJournalType(JournalType.NIO).setJournalSyncTransactional(false).setJournalSyncNonTransactional(false)
            .setJournalDirectory(directory.resolve("journal").toString())
            .setBindingsDirectory(directory.resolve("bindings").toString())
            .setLargeMessagesDirectory(directory.resolve("large").toString())
            .setPagingDirectory(directory.resolve("paging").toString()).setJournalFileSize(1 << 20)
            .addAcceptorConfiguration("mqtt", "tcp://127.0.0.1:" + port + "?protocols=MQTT")
            .addAddressSetting("#", new AddressSettings().setMaxDeliveryAttempts(-1));
        server = new EmbeddedActiveMQ().setConfiguration(configuration);
        server.start();
        port = ((NettyAcceptor)server.getActiveMQServer().getRemotingService().getAcceptor("mqtt")).getActualPort();
    }

    /** Ends all connections at once. */
    public void stop() throws Exception
    {
        server.stop();
    }

    public String url()
    {
        return "tcp://127.0.0.1:" + port;
    }

    private Mqtt5BlockingClient client()
    {
        final Mqtt5BlockingClient client = MqttClient.builder().useMqttVersion5().serverHost("127.0.0.1")
            .serverPort(port).buildBlocking();
        client.connect();
        return client;
    }

    private Mqtt5BlockingClient publisher()
    {
        if (publisher == null || !publisher.getState().isConnected())
        {
            publisher = client();
        }
        return publisher;
    }

    /** Publishes texts and waits until the broker has confirmed them, except with QoS 0. */
    public void publish(final String topic, final int qos, final List<String> texts)
    {
        for (final String each : texts)
        {
            publisher().publishWith().topic(topic).qos(MqttQos.fromCode(qos))
                .payload(each.getBytes(StandardCharsets.UTF_8)).send();
        }
    }

    public void publish(final String topic, final byte[] payload)
    {
        publisher().publishWith().topic(topic).qos(MqttQos.AT_LEAST_ONCE).payload(payload).send();
    }

    public Subscriber subscribe(final String filter)
    {
        return new Subscriber(client(), filter);
    }

    /** Number of messages for the subscriptions of a client that are not acknowledged. */
    public long waiting(final String clientId)
    {
        return server.getActiveMQServer().getPostOffice().getAllBindings()
            .filter(QueueBinding.class::isInstance).map(QueueBinding.class::cast)
            .filter(binding -> binding.getUniqueName().toString().startsWith(clientId))
            .mapToLong(binding -> binding.getQueue().getMessageCount()).sum();
    }

    public static void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() > endNs)
            {
                throw new AssertionError(what);
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close() throws IOException
    {
        try
        {
            server.stop();
        }
        catch (final Exception e)
        {
            throw new IOException(e);
        }
    }
}
