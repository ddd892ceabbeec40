package dev.millrace.command.demo;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.cli.Processes;
import dev.millrace.command.instance.FreePorts;
import dev.millrace.command.instance.Home;
import dev.millrace.command.instance.InstanceProcess;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The MQTT broker of the home, Moquette, in a separate process on a free port of loopback. It stores nothing. Closing
 * it ends the process.
 */
final class MqttBrokerProcess implements AutoCloseable
{
    private static final String MAIN_CLASS = "io.moquette.broker.Server";
    private static final long START_SECONDS = 30;
    private static final long POLL_MS = 50;
    private static final long STOP_SECONDS = 5;

    private final Process process;
    private final Path console;
    private final int port;

    private MqttBrokerProcess(final Process process, final Path console, final int port)
    {
        this.process = process;
        this.console = console;
        this.port = port;
    }

    /**
     * Starts the broker.
     *
     * @param directory directory for its files
     * @param jdk       Java of the broker, or {@code null}
     * @return the process; wait for it with {@link #awaitListening}
     * @throws IOException when it cannot be started
     */
    static MqttBrokerProcess start(final Home home, final Path directory, final Path jdk) throws IOException
    {
        final int port = FreePorts.range(1);
        final Path console = directory.resolve("broker.log");
        Files.writeString(Files.createDirectories(directory.resolve("config")).resolve("moquette.conf"), """
            host 127.0.0.1
            port %d
            allow_anonymous true
            persistence_enabled false
            telemetry_enabled false
            """.formatted(port));
        // The log of the broker is its output; without a configuration, Logback writes every packet.
        final Path log = Files.writeString(directory.resolve("logback.xml"), """
            <configuration><appender name="console" class="ch.qos.logback.core.ConsoleAppender">
            <encoder><pattern>%d %level %logger - %msg%n</pattern></encoder></appender>
            <root level="WARN"><appender-ref ref="console"/></root></configuration>
            """);
        final Path lib = home.directory().resolve("lib");
        final String classPath = Stream.of("mqtt-broker/*", "tuning/*", "*").map(part -> lib + "/" + part)
            .collect(Collectors.joining(File.pathSeparator));
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(InstanceProcess.javaHome(jdk), "bin", "java").toString(), "-Xmx128m", "-XX:+UseSerialGC",
            "-Dmoquette.path=" + directory, "-Dlogback.configurationFile=" + log, "-cp", classPath, MAIN_CLASS);
        return new MqttBrokerProcess(builder.directory(directory.toFile()).redirectErrorStream(true)
            .redirectOutput(console.toFile()).start(), console, port);
    }

    /**
     * Waits until it accepts connections.
     *
     * @return its address
     * @throws IOException when its output cannot be read
     */
    String awaitListening() throws IOException, InterruptedException
    {
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!isListening())
        {
            if (System.nanoTime() - endNs > 0 || process.waitFor(POLL_MS, TimeUnit.MILLISECONDS))
            {
                throw new CommandException(ExitCode.FAILED, "CMD-0293", "the MQTT broker did not start, port=" + port,
                    "select another with --broker tcp://HOST:1883; the output of this one:\n" +
                    Files.readString(console));
            }
        }
        return "tcp://127.0.0.1:" + port;
    }

    private boolean isListening()
    {
        try (Socket socket = new Socket())
        {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        }
        catch (final IOException notYet)
        {
            return false;
        }
    }

    @Override
    public void close()
    {
        Processes.end(process, STOP_SECONDS);
    }
}
