package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Projects of {@code app new --adapters} in a server that contains the adapters. */
@Timeout(300)
class NewProjectAdaptersIT
{
    private static final Path MILLRACE = Product.HOME.directory().resolve("bin/millrace");
    /** A server of events, channels, and the data source whose driver is missing. */
    private static final UnaryOperator<String> CONFIGURATION = config -> config.replace("</n1:config>",
        "<netio><name>events</name><port>0</port></netio>" +
        "<jetty><name>Events</name><purpose>events</purpose><network-io-name>events</network-io-name></jetty>" +
        "<http-pubsub><name>pubsub</name><path>/pubsub</path><pub-sub-bean><channels><element><channel-pattern>/**" +
        "</channel-pattern></element></channels></pub-sub-bean></http-pubsub>" +
        "<data-source><name>all</name><driver-params><url>jdbc:h2:mem:all</url>" +
        "<driver-name>org.h2.Driver</driver-name></driver-params></data-source></n1:config>");

    @TempDir
    private Path directory;

    /** Returns the bundle of a new project. */
    private Path project(final String name, final String adapters) throws Exception
    {
        for (final List<String> command : List.of(
            List.of("app", "new", name, "--template", "no-java", "--adapters", adapters),
            List.of("app", "package", name)))
        {
            final Product.Result result =
                Product.runIn(directory, Map.of(), MILLRACE, command.toArray(String[]::new));
            assertThat(result.exitCode()).as(result.output()).isZero();
        }
        return directory.resolve(name).resolve(name + ".jar");
    }

    private static void install(final RunningInstance instance, final Path bundle) throws Exception
    {
        final Product.Result result = instance.app("install", bundle);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @Test
    void shouldDeployWithEveryAdapterAndReadAndWriteFiles() throws Exception
    {
        try (RunningInstance instance = new RunningInstance(directory.resolve("server"), CONFIGURATION))
        {
            final Path domain = instance.domain.directory();
            Files.writeString(domain.resolve("config/all.properties"), "socket.port=0\nkafka.servers=127.0.0.1:1\n" +
                "mqtt.url=tcp://127.0.0.1:1\njms.url=tcp://127.0.0.1:1\nrest.url=http://127.0.0.1:1\n");

            install(instance, project("all", "csv,file,jdbc,jms,kafka,mqtt,parquet,pubsub,rest,socket"));
            install(instance, project("prices", "csv,file,pubsub"));

            // No broker, driver or client is there.
            instance.awaitState("all", "DEGRADED");
            for (final String missing : List.of("TradeFromJms", "TradeFromKafka", "TradeFromMqtt", "TradeFromJdbc"))
            {
                Product.await(missing, 120, () -> status(instance).contains(missing));
            }
            final Path incoming = Files.createDirectories(domain.resolve("var/prices/Trade"));
            Files.writeString(incoming.resolve("b.csv.part"), "symbol,price\n" + String.join("\n",
                IntStream.rangeClosed(0, 5).mapToObj(fall -> "A," + (100 - fall)).toList()) + '\n');
            Files.move(incoming.resolve("b.csv.part"), incoming.resolve("b.csv"));
            Product.await("the fall", 120, () ->
                Product.lines(domain.resolve("var/prices/Fall.csv"), "A,.*").size() == 1 &&
                Product.lines(domain.resolve("var/prices/Fall.json"), ".*").size() == 1);
            assertThat(Product.lines(domain.resolve("var/prices/Fall.csv"), "A,.*")).containsExactly("A,100.0,96.0");
            assertThat(Product.lines(domain.resolve("var/prices/Fall.json"), ".*"))
                .containsExactly("{\"symbol\":\"A\",\"high\":100.0,\"low\":96.0}");
            instance.awaitState("prices", "RUNNING");
        }
    }

    private static String status(final RunningInstance instance)
    {
        try
        {
            return instance.client.application("all").toString();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
