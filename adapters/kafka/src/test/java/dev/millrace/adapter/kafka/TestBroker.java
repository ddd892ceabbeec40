package dev.millrace.adapter.kafka;

import dev.millrace.adapter.common.source.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A broker with its controller, on free ports of loopback. It can be stopped and started again on the same ports. */
public final class TestBroker implements AutoCloseable
{
    private static final int NODE = 1;
    private static final int LEADER_MILLIS = 60_000;

    public final int port;
    private final int securePort;
    private final Properties properties = new Properties();
    private KafkaRaftServer server;

    /** @param extra properties of the broker */
    public TestBroker(final Path directory, final Map<String, String> extra)
    {
        this(directory, extra, List.of());
    }

    private TestBroker(final Path directory, final Map<String, String> extra, final List<String> scramUsers)
    {
        final List<Integer> ports = freePorts(3);
        port = ports.get(0);
        securePort = ports.get(2);
        properties.putAll(Map.ofEntries(
            Map.entry("process.roles", "broker,controller"), Map.entry("node.id", String.valueOf(NODE)),
            Map.entry("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + ports.get(1)),
            Map.entry("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("controller.quorum.voters", NODE + "@127.0.0.1:" + ports.get(1)),
            Map.entry("log.dirs", directory.toString()), Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "1"), Map.entry("transaction.state.log.num.partitions", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"), Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("num.partitions", "1"), Map.entry("auto.create.topics.enable", "false"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("log.retention.ms", "-1")));
        properties.putAll(extra);
        if (!scramUsers.isEmpty())
        {
            addListener("SASL_SSL://127.0.0.1:" + securePort);
        }
        try
        {
            new Formatter().setNodeId(NODE).setClusterId(Uuid.randomUuid().toString())
                .addDirectory(directory.toString()).setMetadataLogDirectory(directory.toString())
                .setControllerListenerName("CONTROLLER").setIgnoreFormatted(true)
                .setScramArguments(scramUsers).run();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("the directory of the broker cannot be formatted", e);
        }
        start();
    }

    /**
     * A broker with a second listener for clients over TLS that log in by SCRAM-SHA-512.
     *
     * @param keyStore of {@link TestKeys}
     */
    public static TestBroker secure(final Path directory, final Path keyStore, final String user, final String password)
    {
        return new TestBroker(directory, Map.of("sasl.enabled.mechanisms", "SCRAM-SHA-512",
            "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
            "org.apache.kafka.common.security.scram.ScramLoginModule required;", "ssl.keystore.location",
            keyStore.toString(), "ssl.keystore.type", "PKCS12", "ssl.keystore.password", TestKeys.PASSWORD,
            "ssl.key.password", TestKeys.PASSWORD),
            List.of("SCRAM-SHA-512=[name=" + user + ",password=" + password + "]"));
    }

    private void addListener(final String listener)
    {
        for (final String name : List.of("listeners", "advertised.listeners"))
        {
            properties.setProperty(name, properties.getProperty(name) + ',' + listener);
        }
        properties.setProperty("listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL");
    }

    private static List<Integer> freePorts(final int count)
    {
        final List<ServerSocket> sockets = new ArrayList<>();
        try
        {
            for (int i = 0; i < count; i++)
            {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            final List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (final ServerSocket socket : sockets)
            {
                socket.close();
            }
            return ports;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    public String servers()
    {
        return "127.0.0.1:" + port;
    }

    /** The address of the second listener. */
    public String secureServers()
    {
        return "127.0.0.1:" + securePort;
    }

    public void start()
    {
        server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        server.startup();
    }

    public void stop()
    {
        server.shutdown();
        server.awaitShutdown();
    }

    public Admin admin()
    {
        return Admin.create(Map.of("bootstrap.servers", servers()));
    }

    public void createTopic(final String name, final int partitions, final Map<String, String> settings)
        throws InterruptedException, ExecutionException
    {
        try (Admin admin = admin())
        {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short)1).configs(settings))).all().get();
            awaitLeader(admin, name, partitions);
        }
    }

    /** Until the broker leads the partitions, it may refuse a batch of a producer and accept the next one. */
    private static void awaitLeader(final Admin admin, final String topic, final int partitions)
        throws InterruptedException, ExecutionException
    {
        final Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions).boxed().collect(
            Collectors.toMap(number -> new TopicPartition(topic, number), number -> OffsetSpec.latest()));
        final Deadline deadline = Deadline.afterMillis(LEADER_MILLIS);
        while (true)
        {
            try
            {
                admin.listOffsets(ends).all().get();
                return;
            }
            catch (final ExecutionException e)
            {
                // The client does not retry while its broker does not know the topic yet.
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || deadline.hasPassed())
                {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close()
    {
        stop();
    }
}
