package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An instance with few file handles remains manageable when senders need more than are available. */
@Timeout(300)
class FileHandlesIT
{
    private static final int SENDERS = 200;

    @TempDir
    private Path directory;

    private final List<Socket> senders = new ArrayList<>();

    @AfterEach
    void close() throws IOException
    {
        for (final Socket sender : senders)
        {
            sender.close();
        }
    }

    @Test
    void shouldAnswerWhile200SendersConnectAndThereAre160Handles() throws Exception
    {
        try (RunningInstance instance = new RunningInstance(directory.resolve("domain")))
        {
            instance.kill();
            final Path script = instance.domain.directory().resolve("startwlevs.sh");
            final String text = Files.readString(script);
            assertThat(text).contains("\nset -eu\n");
            Files.writeString(script, text.replaceFirst("\nset -eu\n", "\nset -eu\nulimit -n 160\n"));
            instance.start();
            instance.client.install(Product.HOME.signalGeneration());

            for (int i = 0; i < SENDERS; i++)
            {
                senders.add(new Socket("127.0.0.1", instance.ports.loadgen()));
            }
            final Path log = instance.domain.directory().resolve("logs/server.log");
            Product.await("senders are refused", 60, () -> read(log).contains("too few file handles"));
            for (int i = 0; i < 10; i++)
            {
                assertThat(instance.client.within(Duration.ofSeconds(10)).application(APPLICATION).get("state")
                    .getAsString()).isEqualTo("RUNNING");
            }
            // Installing also needs handles.
            instance.client.uninstall(APPLICATION);
            assertThat(instance.client.install(Product.HOME.signalGeneration()).get("state").getAsString())
                .isEqualTo("RUNNING");
        }
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
