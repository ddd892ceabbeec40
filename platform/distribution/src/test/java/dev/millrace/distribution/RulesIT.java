package dev.millrace.distribution;

import static dev.millrace.distribution.Product.APPLICATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.distribution.Product.Result;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changes the rules of the sample application with the command, as a user does. */
@Timeout(300)
class RulesIT
{
    private static final String WAITED = "events waited for \\d+ us\n";

    /** Like the rule of the sample, for changes of half a percent. */
    private static final String SMALL = """
        select symbol, lastPrice, percLastPrice
        from S MATCH_RECOGNIZE (
          PARTITION BY symbol
          MEASURES B.symbol as symbol, B.lastPrice as lastPrice,
            100*(B.lastPrice - A.lastPrice)/A.lastPrice as percLastPrice
          ALL MATCHES
          PATTERN (A B)
          DEFINE B AS 100*(B.lastPrice - A.lastPrice)/A.lastPrice > 0.5
        ) as T
        """;

    @TempDir
    private static Path directory;

    private static RunningInstance instance;

    @BeforeAll
    static void start() throws Exception
    {
        instance = new RunningInstance(directory.resolve("rules"));
        instance.client.install(Product.HOME.signalGeneration());
    }

    @AfterAll
    static void stop()
    {
        instance.close();
    }

    private static Result rules(final String verb, final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of("rules", verb, "--domain",
            instance.domain.directory().toString(), "-application", APPLICATION, "-processor", "processor1"));
        command.addAll(List.of(arguments));
        return Product.millrace(command.toArray(new String[0]));
    }

    private static void prints(final Result result, final String pattern)
    {
        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).matches(pattern);
    }

    private static void refused(final Result result, final int exitCode, final String... parts)
    {
        assertThat(result.exitCode()).as(result.output()).isEqualTo(exitCode);
        assertThat(result.output()).contains(parts).contains("hint: ").doesNotContain("Exception");
    }

    private static String line(final String id, final String what)
    {
        return String.format("%-24s %s\n", id, what);
    }

    private static long signals()
    {
        try
        {
            for (final JsonElement stage : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
            {
                final JsonObject figures = stage.getAsJsonObject();
                if (figures.get("id").getAsString().equals("PercentTickStream"))
                {
                    return figures.get("rowsIn").getAsLong();
                }
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("no figures of PercentTickStream");
    }

    /** Returns a symbol that is in the cache of the sample. */
    private static String monitored() throws IOException
    {
        try (ZipFile bundle = new ZipFile(Product.HOME.signalGeneration().toFile());
            InputStream symbols = bundle.getInputStream(bundle.getEntry(Product.SYMBOLS)))
        {
            return new String(symbols.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter(line -> line.matches("[A-Z]+")).findFirst().orElseThrow();
        }
    }

    @Test
    void shouldChangeWhatARunningQueryFinds() throws Exception
    {
        prints(rules("list"), "(?s)" + line("s", "view   active   RStream\\(select .*")
            .replace("\n", "") + "\nperc .*\ntrend .*");
        assertThat(rules("show", "-rule", "s").output()).startsWith(
            "view s\nschema symbol lastPrice\nPARTITION_ORDERED T.symbol\n").contains("  RStream(select T.symbol");
        final Path file = Files.writeString(directory.resolve("small.cql"), SMALL);

        final Result replaced = rules("REPLACERULE", "-query", "perc", "-file", file.toString(),
            "-ordering-constraint", "PARTITION_ORDERED", "-partition-expression", "symbol");

        prints(replaced, "(?s).*" + line("perc", "restarted, lost: pattern.*").strip() + ".*" + WAITED);
        assertThat(replaced.output()).contains(line("trend", "keeps its state"));
        final long before = signals();
        final String symbol = monitored();
        try (Socket sender = new Socket(InetAddress.getLoopbackAddress(), instance.ports.loadgen()))
        {
            sender.getOutputStream().write((symbol + ",100\n" + symbol + ",101\n").getBytes(StandardCharsets.US_ASCII));
            Product.await("a change of one percent is found", 60, () -> signals() > before);
        }
    }

    @Test
    void shouldGoThroughTheLifeOfAQuery() throws Exception
    {
        final Result added = rules("ADDRULE", "-query", "dear",
            "select symbol, lastPrice from StockTickStream where lastPrice > :1", "-active", "false");
        prints(added, "(?s).*" + WAITED);
        assertThat(rules("list").output()).containsPattern("dear +query  stopped  select symbol");
        prints(rules("bindings", "-query", "dear", "low=10.0", "high=100.0"), "(?s).*" + WAITED);
        assertThat(rules("GETRULE", "-rule", "dear").output()).isEqualTo("query dear (stopped)\n" +
            "  select symbol, lastPrice from StockTickStream where lastPrice > :1\n" +
            "binding low: 10.0\nbinding high: 100.0\n");

        final Result started = rules("STARTRULE", "-rule", "dear");
        assertThat(started.exitCode()).as(started.output()).isZero();
        assertThat(started.output()).contains(line("dear_low", "started"), line("dear_high", "started"),
            "note: no channel accepts the rows of dear_low: selectors exclude it");
        assertThat(rules("list").output()).contains("bindings: low, high");
        final Result stopped = rules("stop", "-rule", "dear");
        assertThat(stopped.output()).contains(line("dear_low", "stopped, no state lost"));
        prints(rules("remove", "-rule", "dear"), "(?s).*" + WAITED);
        assertThat(rules("list").output()).doesNotContain("dear");
        refused(rules("show", "-rule", "dear"), 2, "CMD-0180", "rules of the processor: s, perc, trend");
        refused(rules("DELETERULE", "-rule", "dear"), 2, "SRV-0501", "rules of the processor: s, perc, trend");
    }

    @Test
    void shouldPutRulesIntoAFileAndTakeThemOutAgain() throws Exception
    {
        final Path file = directory.resolve("rules.xml");
        assertThat(rules("download", file.toString()).output()).isEqualTo("wrote " + file + "\n");
        final String printed = rules("DOWNLOAD").output();
        assertThat(printed).isEqualTo(Files.readString(file)).contains("<name>processor1</name>", "<view id=\"s\"");

        final Result same = rules("upload", file.toString());
        prints(same, "(?s).*" + WAITED);
        assertThat(same.output()).contains(line("perc", "keeps its state"));
        final Path wrong = Files.writeString(
            directory.resolve("wrong.xml"), printed.replace("T.lastPrice from", "T.lastPrise from"));
        refused(rules("UPLOAD", wrong.toString()), 1, "wrong.xml:", "CQL-", "lastPrise", "^", "did you mean");
        refused(rules("upload", directory.resolve("absent.xml").toString()), 64, "CMD-0103");
    }

    @Test
    void shouldSayWhatIsWrongWhereItIs() throws Exception
    {
        assertThat(rules("add", "-query", "dear", "select symbol from StockTickStream where lastPrise > 1").output())
            .as("as docs/cql/tools.md shows it").isEqualTo("""
                rule dear:1:42: CQL-2002: StockTickStream has no column lastPrise
                select symbol from StockTickStream where lastPrise > 1
                                                         ^^^^^^^^^
                    hint: did you mean lastPrice?
                """);
        final Result wrong = rules("add", "-query", "dear", "select symbol\nfrom StockTickStream where prise > 1");
        refused(wrong, 1, "rule dear:2:28: CQL-2002", "^");
        refused(rules("remove", "-rule", "s"), 1, "CQL-8010", "perc");
        refused(rules("replace", "-query", "nobody", "select symbol from StockTickStream"), 2, "SRV-0501");
        refused(rules("add", "-query", "dear"), 64, "CMD-0181");
        refused(rules("add", "-query", "dear", "-file", "absent.cql"), 64, "CMD-0103");
        refused(rules("bindings", "-query", "perc", "low"), 64, "CMD-0182");
        refused(Product.millrace("rules", "list", "--domain", instance.domain.directory().toString(), "-A", APPLICATION,
            "-P", "nobody"), 2, "EPN-0522", "processors of this application: processor1");
        refused(Product.millrace("rules", "list", "--domain", instance.domain.directory().toString(), "-A", "no.app",
            "-P", "processor1"), 2, "SRV-0404");
        refused(Product.millrace("rules", "list"), 64, "CMD-0101");
        assertThat(rules("list").output().lines()).hasSize(3);
    }

    @Test
    void shouldShowExamplesInTheHelpOfEachVerb() throws Exception
    {
        for (final String verb : List.of("list", "show", "add", "replace", "remove", "start", "stop", "bindings",
            "upload", "download"))
        {
            final Result help = Product.help("rules", verb, "--help");
            assertThat(help.exitCode()).as(help.output()).isZero();
            assertThat(help.output()).contains("Example", "millrace rules " + verb + " -A my.application -P rules");
        }
        assertThat(Product.millrace("rules").output()).contains("GETRULE", "ADDRULE", "UPLOAD");
        assertThat(Product.millrace("bench", "rules", "--help").output()).contains("--replacements=N");
    }
}
