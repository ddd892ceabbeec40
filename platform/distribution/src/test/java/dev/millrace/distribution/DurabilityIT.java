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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An instance whose application continues with its state after its process was killed or stopped. */
@Timeout(300)
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
        Product.await("the row " + row, 60, () -> received(instance) == before + 1);
    }

    /** Signal Generation as it is, but durable, with symbols from a file. */
    private Path application(final Path symbols) throws IOException
    {
        return Product.changed(directory.resolve("signals.jar"), Map.of(
            ASSEMBLY, text -> assembly(text, symbols), RULES, DurabilityIT::durable));
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
        instance.kill();
        instance.start();
        Product.await("the application", 60, () -> isRunning(instance));
    }

    private static Result rules(final RunningInstance instance, final String verb, final String... arguments)
        throws Exception
    {
        final List<String> command = new ArrayList<>(List.of("rules", verb, "--domain",
            instance.domain.directory().toString(), "-A", APPLICATION, "-P", "processor1"));
        command.addAll(List.of(arguments));
        return Product.millrace(command.toArray(new String[0]));
    }

    private static void sees(final RunningInstance instance, final int expected) throws InterruptedException
    {
        Product.await("signal " + expected, 60, () -> signals(instance) == expected);
    }

    /** Rules change by command, by an update, and while the instance does not run; a kill follows each time. */
    @Test
    void shouldKeepTheStateOfUnchangedRulesWhenOthersChangeAndItIsKilled() throws Exception
    {
        final Path symbols = Files.writeString(directory.resolve("symbols.txt"), "ORCL\n");
        try (RunningInstance instance = new RunningInstance(directory.resolve("changed")))
        {
            assertThat(instance.app("install", application(symbols)).exitCode()).isZero();
            send(instance, "ORCL,100.0");
            final Result replaced = rules(instance, "replace", "-query", "trend", "-file",
                Files.writeString(directory.resolve("never.cql"), never(1)).toString(),
                "-ordering-constraint", "PARTITION_ORDERED", "-partition-expression", "symbol");
            assertThat(replaced.exitCode()).as(replaced.output()).isZero();
            assertThat(replaced.output()).containsPattern("perc +keeps its state")
                .containsPattern("trend +restarted, lost: pattern");

            // The rule and the state of the other one are stored.
            killAndStart(instance);
            assertThat(rules(instance, "show", "-rule", "trend").output()).contains("A.lastPrice + 1000001");
            send(instance, "ORCL,103.0");
            sees(instance, 1);

            final Result updated = instance.app("update", Product.changed(directory.resolve("next.jar"), Map.of(
                ASSEMBLY, text -> assembly(text, symbols), RULES, text -> rules(text, never(2)))));
            assertThat(updated.output()).contains("only rules have changed").containsPattern("perc +keeps its state")
                .containsPattern("trend +restarted, lost: pattern");
            // A channel with a queue needs another network, which restores the state.
            final Result other = instance.app("update", Product.changed(directory.resolve("other.jar"), Map.of(
                ASSEMBLY, text -> assembly(text, symbols).replace("id=\"TrendTickStream\"",
                    "id=\"TrendTickStream\" max-threads=\"1\""), RULES, text -> rules(text, never(4)))));
            assertThat(other.output()).contains("a new network was created").containsPattern("perc +keeps its state")
                .containsPattern("trend +restarted, lost: pattern");
            killAndStart(instance);
            send(instance, "ORCL,107.0");
            // The bean counts since the start of the process.
            sees(instance, 1);

            instance.kill();
            final Path files = instance.domain.directory().resolve("applications").resolve(APPLICATION);
            Files.createDirectories(files.resolve(RULES).getParent());
            Files.writeString(files.resolve(RULES), rules(bundled(), never(3)));
            instance.start();
            Product.await("the application", 60, () -> isRunning(instance));
            send(instance, "ORCL,111.0");
            sees(instance, 1);
            assertThat(instance.app("status", APPLICATION).output()).contains("EPN-0643", "query=trend")
                .doesNotContain("query=perc");
        }
    }

    /** A pattern without matches. */
    private static String never(final int number)
    {
        return "select symbol, lastPrice, percTrend from S MATCH_RECOGNIZE (PARTITION BY symbol MEASURES " +
            "B.symbol as symbol, B.lastPrice as lastPrice, B.lastPrice - A.lastPrice as percTrend ALL MATCHES " +
            "PATTERN (A B) DEFINE B AS B.lastPrice > A.lastPrice + 100000" + number + ") as T";
    }

    private static String assembly(final String text, final Path symbols)
    {
        return text.replace("${loadgen.port}", "0").replace("${signalgeneration.symbols:}", symbols.toString());
    }

    private static String durable(final String text)
    {
        return text.replace("<name>processor1</name>", "<name>processor1</name>\n    <durable>true</durable>");
    }

    /** The rules of the sample, durable, with another trend. */
    private static String rules(final String text, final String trend)
    {
        final int query = text.indexOf("<![CDATA[", text.indexOf("id=\"trend\"")) + "<![CDATA[".length();
        return durable(text.substring(0, query) + trend + text.substring(text.indexOf("]]>", query)));
    }

    private static String bundled() throws IOException
    {
        try (ZipFile sample = new ZipFile(Product.HOME.signalGeneration().toFile()))
        {
            return new String(sample.getInputStream(sample.getEntry(RULES)).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void shouldContinueWithItsStateAfterAKillAndAfterAStop() throws Exception
    {
        final Path symbols = Files.writeString(directory.resolve("symbols.txt"), "ORCL\n");
        try (RunningInstance instance = new RunningInstance(directory.resolve("durable")))
        {
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
            Product.await("a signal", 60, () -> signals(instance) == 1);
            instance.process.close();

            instance.start();
            Product.await("the application", 60, () -> isRunning(instance));
            send(instance, "ORCL,110.0");
            Product.await("a signal", 60, () -> signals(instance) == 1);
            final Path state = instance.domain.directory().resolve("var/state").resolve(APPLICATION);
            assertThat(Files.isDirectory(state.resolve("processor1"))).isTrue();
            shouldReplayRecordedAndLiveRowsWithoutAGap(instance);
        }
    }
}
