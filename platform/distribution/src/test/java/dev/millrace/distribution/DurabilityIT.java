package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static dev.millrace.distribution.Product.ASSEMBLY;
import static dev.millrace.distribution.Product.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An instance whose application continues with its state after its process was killed or stopped. */
@Timeout(180)
class DurabilityIT
{
    private static final String PRICES =
        "<wlevs:config xmlns:wlevs=\"http://www.bea.com/ns/wlevs/config/application\">" +
        "<processor><name>processor1</name><durable>true</durable><rules><query id=\"perc\"><![CDATA[ IStream(" +
        "select symbol, lastPrice, lastPrice as percLastPrice from StockTickStream) ]]></query></rules></processor>" +
        "</wlevs:config>";

    @TempDir
    private Path directory;

    private static JsonObject own(final RunningInstance instance, final String stage) throws InterruptedException
    {
        for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
        {
            if (each.getAsJsonObject().get("id").getAsString().equals(stage))
            {
                return each.getAsJsonObject().getAsJsonObject("own");
            }
        }
        throw new AssertionError("no such stage: " + stage);
    }

    private static long signals(final RunningInstance instance)
    {
        try
        {
            return own(instance, "outputBean").get("signals").getAsLong();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isRunning(final RunningInstance instance)
    {
        try
        {
            return instance.state(APPLICATION).equals("RUNNING");
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static long received(final RunningInstance instance)
    {
        try
        {
            return own(instance, "loadgenAdapter").get("rows").getAsLong();
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private static void send(final RunningInstance instance, final String row) throws IOException, InterruptedException
    {
        final long before = received(instance);
        final int port = own(instance, "loadgenAdapter").get("port").getAsInt();
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), port))
        {
            sender.getOutputStream().write((row + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        Product.await("the row " + row, 20, () -> received(instance) == before + 1);
    }

    /** Signal Generation as it is, but durable, with symbols from a file. */
    private Path application(final Path symbols) throws IOException
    {
        return Product.changed(directory.resolve("signals.jar"), Map.of(
            ASSEMBLY, text -> text.replace("${loadgen.port}", "0")
                .replace("${signalgeneration.symbols:}", symbols.toString()),
            RULES, text -> text
                .replace("<name>processor1</name>", "<name>processor1</name>\n    <durable>true</durable>")));
    }

    private static void shouldReadTheJournalInUse(final RunningInstance instance, final Path rows) throws Exception
    {
        final String domain = instance.domain.directory().toString();
        final Result list = Product.millrace("journal", "list", "--domain", domain);
        assertThat(list.output()).contains(APPLICATION + "/processor1/").contains(" yes ");
        final Result verified = Product.millrace("journal", "verify", "--domain", domain, APPLICATION);
        assertThat(verified.exitCode()).as(verified.output()).isZero();
        assertThat(verified.output()).contains(" intact ");
        assertThat(Product.millrace("journal", "export", "--domain", domain, APPLICATION, "--format", "json",
            rows.toString()).exitCode()).isZero();
        assertThat(Files.readString(rows)).contains("ORCL");
        final Result replayed =
            Product.millrace("replay", "--domain", domain, "--app", APPLICATION, "--speed", "max");
        assertThat(replayed.exitCode()).as(replayed.output()).isZero();
        assertThat(replayed.output()).contains("state is empty before the first row", "replayed records=");
        assertThat(Product.millrace("replay", "--domain", domain, "--app", APPLICATION, "--to", "2001-01-01T00:00:00Z")
            .exitCode()).isEqualTo(2);
    }

    private void shouldReplayRecordedAndLiveRowsWithoutAGap(final RunningInstance instance) throws Exception
    {
        final Path rules = Files.writeString(directory.resolve("changed.xml"), PRICES.replace(
            "from StockTickStream", "from StockTickStream where lastPrice &gt; 200.0").replace("<![CDATA[", "")
            .replace("]]>", ""));
        final Path rows = directory.resolve("live.csv");
        for (int price = 201; price <= 205; price++)
        {
            send(instance, "ORCL," + price);
        }
        final CompletableFuture<Result> replay = CompletableFuture.supplyAsync(() ->
        {
            try
            {
                return Product.millrace("replay", "--domain", instance.domain.directory().toString(), "--app",
                    APPLICATION, "--rules", rules.toString(), "--until-live", "--for", "5s", "--format", "csv", "--out",
                    rows.toString());
            }
            catch (final IOException | InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
        });
        // The command starts in the meantime: some of these rows are recorded when it does, the others are live.
        for (int price = 206; price <= 230; price++)
        {
            send(instance, "ORCL," + price);
        }
        assertThat(replay.get(120, TimeUnit.SECONDS).output()).contains("live, records=", "replayed records=");
        assertThat(Files.readAllLines(rows)).extracting(line -> line.split(",")[4])
            .isEqualTo(IntStream.rangeClosed(201, 230).mapToObj(price -> price + ".0").toList());
    }

    private static void killAndStart(final RunningInstance instance) throws Exception
    {
        instance.process.process().destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        instance.start();
        Product.await("the application", 60, () -> isRunning(instance));
    }

    @Test
    void shouldContinueWithItsStateAfterAKillAndAfterAStop() throws Exception
    {
        final Path symbols = Files.writeString(directory.resolve("symbols.txt"), "ORCL\n");
        try (RunningInstance instance = new RunningInstance(directory.resolve("durable")))
        {
            final Result relation = instance.app("install", Product.changed(directory.resolve("relation.jar"), Map.of(
                ASSEMBLY, text -> text.replace("${loadgen.port}", "0").replace("id=\"StockTickStream\" event-type",
                    "id=\"StockTickStream\" is-relation=\"true\" primary-key=\"symbol\" event-type"),
                RULES, text -> PRICES)));
            assertThat(relation.exitCode()).isEqualTo(1);
            assertThat(relation.output()).contains("CQL-8109").contains("relation");

            final Result installed = instance.app("install", application(symbols));
            assertThat(installed.exitCode()).as(installed.output()).isZero();
            send(instance, "ORCL,100.0");
            shouldReadTheJournalInUse(instance, directory.resolve("rows.json"));

            // The row was joined before the symbol disappeared; the next one is not.
            Files.writeString(symbols, "MSFT\n");
            killAndStart(instance);
            send(instance, "ORCL,101.5");

            Files.writeString(symbols, "ORCL\n");
            killAndStart(instance);
            // 3 percent more than the price that the first process received.
            send(instance, "ORCL,103.0");
            Product.await("a signal", 20, () -> signals(instance) == 1);
            instance.process.close();

            instance.start();
            Product.await("the application", 60, () -> isRunning(instance));
            send(instance, "ORCL,110.0");
            Product.await("a signal", 20, () -> signals(instance) == 1);
            final Path state = instance.domain.directory().resolve("var/state").resolve(APPLICATION);
            assertThat(Files.isDirectory(state.resolve("processor1"))).isTrue();
            shouldReplayRecordedAndLiveRowsWithoutAGap(instance);
        }
    }
}
