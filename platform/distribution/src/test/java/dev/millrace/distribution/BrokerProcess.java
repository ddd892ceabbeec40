package dev.millrace.distribution;

import dev.millrace.command.instance.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** A Kafka broker with its controller in a process, on free ports of loopback; it can be killed and started again. */
final class BrokerProcess implements AutoCloseable
{
    private static final int ANSWER_MS = 30_000;

    private final Path directory;
    private final Path configuration;
    private final int port;
    private Process process;

    BrokerProcess(final Path directory) throws IOException, InterruptedException
    {
        this.directory = directory;
        port = FreePorts.range(2);
        configuration = Files.writeString(Files.createDirectories(directory).resolve("server.properties"), """
            process.roles=broker,controller
            node.id=1
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
            controller.listener.names=CONTROLLER
            controller.quorum.voters=1@127.0.0.1:%2$d
            log.dirs=%3$s
            auto.create.topics.enable=false
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            transaction.state.log.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            group.initial.rebalance.delay.ms=0
            """.formatted(port, port + 1, directory.resolve("data")));
        final Process format = java(StorageTool.class, "format", "-t", Uuid.randomUuid().toString(), "-c",
            configuration.toString());
        if (format.waitFor() != 0)
        {
            throw new IOException("the directory of the broker was not formatted:\n" +
                Files.readString(directory.resolve("broker.log")));
        }
        start();
    }

    private Process java(final Class<?> main, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
            main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("broker.log").toFile())).start();
    }

    String servers()
    {
        return "127.0.0.1:" + port;
    }

    /** Starts the broker and waits until it responds. */
    void start() throws IOException, InterruptedException
    {
        process = java(Kafka.class, configuration.toString());
        Product.await("the broker", 120, this::isResponding);
    }

    private boolean isResponding()
    {
        try (Admin admin = admin())
        {
            return !admin.describeCluster().nodes().get().isEmpty();
        }
        catch (final ExecutionException e)
        {
            return false;
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private Admin admin()
    {
        return Admin.create(Map.of("bootstrap.servers", servers(), "default.api.timeout.ms", ANSWER_MS,
            "request.timeout.ms", ANSWER_MS));
    }

    void createTopics(final Map<String, Integer> partitions) throws InterruptedException
    {
        Product.await("the topics", 120, () ->
        {
            try (Admin admin = admin())
            {
                final Set<String> existing = admin.listTopics().names().get();
                admin.createTopics(partitions.entrySet().stream().filter(each -> !existing.contains(each.getKey()))
                    .map(each -> new NewTopic(each.getKey(), Optional.of(each.getValue()), Optional.empty())).toList())
                    .all().get();
                // Until the broker leads the partitions, it may refuse a batch of a producer and accept the next one.
                admin.listOffsets(partitions.entrySet().stream().flatMap(each -> IntStream.range(0, each.getValue())
                    .mapToObj(number -> new TopicPartition(each.getKey(), number)))
                    .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()))).all().get();
                return true;
            }
            catch (final ExecutionException e)
            {
                return false;
            }
            catch (final InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        });
    }

    void kill() throws InterruptedException
    {
        process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
    }

    @Override
    public void close()
    {
        process.destroyForcibly();
    }
}
