package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static dev.millrace.distribution.Product.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.client.ColumnType;
import dev.millrace.client.EventSender;
import dev.millrace.client.EventSenderBuilder;
import dev.millrace.client.EventSenderException;
import dev.millrace.command.instance.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed while a client sends to its durable processor: the processor sees every row once. */
@Timeout(600)
class KilledServerClientsIT
{
    private static final int SYMBOLS = 40;
    private static final int ROWS_PER_SYMBOL = 2_500;
    private static final int ROWS = SYMBOLS * ROWS_PER_SYMBOL;
    private static final int KILLS = Integer.getInteger("millrace.kills", 2);
    private static final Duration RESTART = Duration.ofSeconds(100);
    /** The n-th row of a symbol has the price n, and n is the number of its rows so far. */
    private static final String CONFIGURATION =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\">" +
        "<processor><name>processor1</name><durable>true</durable><rules><query id=\"perc\" " +
        "ordering-constraint=\"PARTITION_ORDERED\" partition-expression=\"symbol\"><![CDATA[" +
        "IStream(select symbol, max(lastPrice) as lastPrice, sum(lastPrice*0 + 1) as percLastPrice " +
        "from StockTickStream group by symbol)]]></query></rules></processor></wlevs:config>";
    private static final String SCRIPT = """
        import sys
        import millrace_client as millrace
        columns = [("symbol", "char8"), ("lastPrice", "double")]
        with millrace.connect("127.0.0.1", int(sys.argv[1]), columns, stream="desk", timeout=100,
                frame_bytes=4096, max_unacknowledged_bytes=65536) as sender:
            for row in range(sender.rows, %d):
                sender.send("S%%d" %% (row %% %d), row // %d + 1)
                if row %% %d == 0:
                    assert sender.await_acknowledgements(100)
        """.formatted(ROWS, SYMBOLS, SYMBOLS, SYMBOLS);

    /** Sends all rows to a port. */
    private interface Sending
    {
        void run(int port) throws IOException, InterruptedException;
    }

    @TempDir
    private Path directory;

    static boolean hasPython()
    {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator)).anyMatch(each ->
            Files.isExecutable(Path.of(each, "python3")));
    }

    private Path application(final int port) throws IOException
    {
        return Product.changed(directory.resolve("counts.jar"), Map.of(
            ASSEMBLY, text -> text.replace("provider=\"loadgen\"", "provider=\"socket\"")
                .replace("${loadgen.port}", Integer.toString(port))
                .replace("id=\"StockTickStream\"", "id=\"StockTickStream\" max-threads=\"2\"")
                .replace("<wlevs:listener ref=\"outputBean\"/>", "<wlevs:listener ref=\"archive\"/>")
                .replace("</beans>", "<wlevs:adapter id=\"archive\" provider=\"csv-outbound\">" +
                    "<wlevs:instance-property name=\"file\" value=\"var/archive/counts.csv\"/>" +
                    "<wlevs:instance-property name=\"exactlyOnce\" value=\"true\"/></wlevs:adapter></beans>"),
            RULES, text -> CONFIGURATION));
    }

    /** The rows of all files of the file sink, without their headers. */
    private static List<String> archived(final Path archive)
    {
        return Product.linesOfAll(archive, "S\\d.*");
    }

    private void assertCounted(final Sending client) throws Exception
    {
        final int port = FreePorts.range(1);
        try (RunningInstance instance = new RunningInstance(directory.resolve("killed"), config -> config))
        {
            instance.client.install(application(port));
            final Path archive = instance.domain.directory().resolve("var/archive");
            final CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> run(client, port));
            for (int kill = 1; kill <= KILLS; kill++)
            {
                final int rows = kill * ROWS / (4 * KILLS);
                Product.await(rows + " rows", 60, () -> archived(archive).size() >= rows || sending.isDone());
                assertThat(sending).as("rows are sent while the server is killed").isNotDone();
                instance.kill();
                instance.start();
                instance.awaitState(APPLICATION, "RUNNING");
            }
            sending.get(120, TimeUnit.SECONDS);
            Product.await("the last row in the files", 60, () -> archived(archive).size() >= ROWS);
            assertThat(archived(archive)).hasSize(ROWS).doesNotHaveDuplicates().allMatch(row ->
                row.split(",")[1].equals(row.split(",")[2]));
        }
    }

    private static void run(final Sending client, final int port)
    {
        try
        {
            client.run(port);
        }
        catch (final IOException | InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static void java(final int port) throws EventSenderException
    {
        try (EventSender sender = new EventSenderBuilder("127.0.0.1", port).column("symbol", ColumnType.CHAR8)
            .column("lastPrice", ColumnType.DOUBLE).stream("desk").timeout(RESTART).frameBytes(4_096)
            .maxUnacknowledgedBytes(65_536).connect())
        {
            for (long row = sender.rows(); row < ROWS; row++)
            {
                sender.addString("S" + row % SYMBOLS).addDouble(row / SYMBOLS + 1).endRow();
                if (row % SYMBOLS == 0)
                {
                    assertThat(sender.awaitAcknowledgements(RESTART)).isTrue();
                }
            }
        }
    }

    private static void python(final int port) throws IOException, InterruptedException
    {
        final ProcessBuilder builder = new ProcessBuilder("python3", "-c", SCRIPT, Integer.toString(port))
            .redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", Product.HOME.directory().resolve("clients/python").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        final Process process = builder.start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    @Test
    void shouldCountEveryRowOfTheJavaClientOnce() throws Exception
    {
        assertCounted(KilledServerClientsIT::java);
    }

    @Test
    @EnabledIf(value = "hasPython", disabledReason = "needs python3 in the PATH")
    void shouldCountEveryRowOfThePythonClientOnce() throws Exception
    {
        assertCounted(KilledServerClientsIT::python);
    }
}
