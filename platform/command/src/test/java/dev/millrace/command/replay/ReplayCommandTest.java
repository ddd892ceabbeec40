package dev.millrace.command.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.replay.ReplayDomain.Order;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays of journals with known rows; the expected output is computed by hand. */
@Tag("slow")
@Timeout(120)
class ReplayCommandTest
{
    private static final int DIFFERENT = 3;
    /** A group of pipelines, and a flow. */
    private static final String PIPELINE = "Orders ORDERED -1";
    private static final String FLOW = "inWindow Orders";
    private static final String PER_SHOP =
        "<query id=\"perShop\">IStream(select shop, count(*) as n from Orders group by shop)</query>";
    private static final String LARGE =
        "<query id=\"large\">select shop, quantity, price from Orders where quantity &gt; 5</query>";

    @TempDir
    private Path directory;
    private ReplayDomain domain;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void createDomain() throws IOException
    {
        domain = new ReplayDomain(directory.resolve("domain"));
    }

    @AfterEach
    void closeDomain()
    {
        domain.close();
    }

    private int run(final String... arguments)
    {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return domain.replay(out, err, arguments);
    }

    private String[] rules(final String rules, final String... more) throws IOException
    {
        final Path file = directory.resolve("changed.xml");
        Files.writeString(file, ReplayDomain.configuration(rules));
        return Stream.concat(Stream.of("--app", "shop", "--rules", file.toString()), Arrays.stream(more))
            .toArray(String[]::new);
    }

    /** Five orders of two shops, in two batches. */
    private void record() throws IOException
    {
        domain.deploy(PER_SHOP + LARGE);
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE))
        {
            journal.orders(0, new Order(1, "Berlin", 3, 10), new Order(2, "Paris", 7, 20))
                .time(0, 2.5).orders(0, new Order(3, "Berlin", 9, 30), new Order(4, "Berlin", 1, 40),
                new Order(5, "Paris", 2, 50)).time(0, 6);
        }
    }

    @Test
    void shouldPrintTheOutputOfTheCurrentRulesWithTheRecordedTimes() throws Exception
    {
        record();
        assertThat(run("--app", "shop")).as(err.toString()).isZero();
        assertThat(out.toString().lines()).containsExactly(
            "state is empty before the first row that is kept, first=1970-01-01T00:00:01Z",
            "1970-01-01T00:00:01Z perShop + shop=Berlin n=1",
            "1970-01-01T00:00:02Z perShop + shop=Paris n=1",
            "1970-01-01T00:00:02Z large + shop=Paris quantity=7 price=20.0",
            "1970-01-01T00:00:03Z perShop + shop=Berlin n=2",
            "1970-01-01T00:00:04Z perShop + shop=Berlin n=3",
            "1970-01-01T00:00:05Z perShop + shop=Paris n=2",
            "1970-01-01T00:00:03Z large + shop=Berlin quantity=9 price=30.0",
            "replayed records=4 until=1970-01-01T00:00:06Z",
            "query=large rows=2",
            "query=perShop rows=5");
    }

    @Test
    void shouldShowOnlyTheRangeButCountWhatCameBefore() throws Exception
    {
        record();
        assertThat(run("--app", "shop", "--processor", "orders", "--from", "1970-01-01T00:00:03Z", "--to",
            "1970-01-01T01:00:05+01:00", "--format", "csv")).as(err.toString()).isZero();
        assertThat(out.toString().lines()).containsExactly(
            "perShop,1970-01-01T00:00:03Z,+,Berlin,2",
            "perShop,1970-01-01T00:00:04Z,+,Berlin,3",
            "large,1970-01-01T00:00:03Z,+,Berlin,9,30.0");
        assertThat(err.toString()).contains("state is empty before the first row", "first=1970-01-01T00:00:01Z");
        final Path file = directory.resolve("rows.json");
        assertThat(run("--app", "shop", "--from", "1970-01-01T00:00:05Z", "--format", "json", "--out",
            file.toString())).isZero();
        assertThat(Files.readAllLines(file)).containsExactly(
            "{\"query\":\"perShop\",\"time\":\"1970-01-01T00:00:05Z\",\"kind\":\"+\"," +
            "\"row\":{\"shop\":\"Paris\",\"n\":2}}");
        assertThat(run("--app", "shop", "--limit", "2")).isZero();
        assertThat(out.toString()).contains("n=1", "query=perShop rows=5").doesNotContain("n=2");
    }

    @Test
    void shouldRunChangedRulesInsteadOfTheCurrentOnes() throws Exception
    {
        record();
        assertThat(run(rules("<query id=\"cheap\">select shop, root(price + 6.0) as r from Orders where price &lt;= " +
            "30.0</query>", "--format", "csv"))).as(err.toString()).isZero();
        assertThat(out.toString().lines()).containsExactly("cheap,1970-01-01T00:00:01Z,+,Berlin,4.0",
            "cheap,1970-01-01T00:00:02Z,+,Paris," + Math.sqrt(26), "cheap,1970-01-01T00:00:03Z,+,Berlin,6.0");
    }

    @Test
    void shouldReplayWindowsByTheRecordedTimes() throws Exception
    {
        domain.deploy("<query id=\"inWindow\">IStream(select shop, sum(quantity) as s from Orders " +
            "[range 2 seconds] group by shop)</query>");
        try (var journal = domain.new Writer("thread-of-Orders", FLOW))
        {
            journal.orders(0, new Order(1, "Berlin", 3, 0), new Order(2.5, "Berlin", 4, 0)).time(0, 10);
            // The instance is running: it holds the journal.
            assertThat(run("--app", "shop", "--format", "csv")).as(err.toString()).isZero();
        }
        // The first order leaves at 3 s, the second one at 4.5 s.
        assertThat(out.toString().lines()).containsExactly(
            "inWindow,1970-01-01T00:00:01Z,+,Berlin,3",
            "inWindow,1970-01-01T00:00:02.500Z,+,Berlin,7",
            "inWindow,1970-01-01T00:00:03Z,+,Berlin,4");
    }

    @Test
    void shouldJoinWhatTheCacheContainedWhenTheRowWasRecorded() throws Exception
    {
        domain.deploy("<query id=\"towns\">RStream(select S.town as town, O.quantity as quantity from Orders [now] " +
            "as O, Shops as S where O.shop = S.id)</query>");
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE, "pipeline towns 0 cache Shops"))
        {
            journal.clear(1).shop(1, "b", "Bonn").orders(0, new Order(1, "b", 1, 0), new Order(2, "p", 2, 0))
                .shop(1, "b", "Berlin").shop(1, "p", "Paris").orders(0, new Order(3, "b", 3, 0),
                new Order(4, "p", 4, 0)).clear(1).orders(0, new Order(5, "b", 5, 0));
        }
        assertThat(run("--app", "shop", "--format", "csv")).as(err.toString()).isZero();
        assertThat(out.toString().lines()).containsExactly("towns,1970-01-01T00:00:01Z,+,Bonn,1",
            "towns,1970-01-01T00:00:03Z,+,Berlin,3", "towns,1970-01-01T00:00:04Z,+,Paris,4");
        assertThat(err.toString()).contains("first=1970-01-01T00:00:01Z");
        // The changed rule joins the same cache as a flow.
        assertThat(run(rules("<view id=\"J\" schema=\"town quantity\">RStream(select S.town, O.quantity from Orders " +
            "[now] as O, Shops as S where O.shop = S.id)</view><query id=\"sums\">IStream(select town, " +
            "sum(quantity) as s from J group by town)</query>", "--format", "csv"))).as(err.toString()).isZero();
        assertThat(out.toString().lines()).containsExactly("sums,1970-01-01T00:00:01Z,+,Bonn,1",
            "sums,1970-01-01T00:00:03Z,+,Berlin,3", "sums,1970-01-01T00:00:04Z,+,Paris,4");
    }

    @Test
    void shouldKeepTheStateOfEachThreadApart() throws Exception
    {
        domain.deploy("<query id=\"perShop\" ordering-constraint=\"PARTITION_ORDERED\" partition-expression=\"shop\">" +
            "IStream(select shop, count(*) as n from Orders group by shop)</query>");
        final String group = "Orders PARTITION_ORDERED 0";
        try (var first = domain.new Writer("worker-0-of-2", group);
            var second = domain.new Writer("worker-1-of-2", group))
        {
            first.orders(0, new Order(1, "Berlin", 1, 0), new Order(4, "Berlin", 1, 0));
            second.orders(0, new Order(2, "Paris", 1, 0)).orders(0, new Order(3, "Paris", 1, 0));
        }
        assertThat(run("--app", "shop", "--format", "csv")).as(err.toString()).isZero();
        final Map<String, List<String>> shops = new TreeMap<>(out.toString().lines()
            .collect(Collectors.groupingBy(line -> line.split(",")[3])));
        assertThat(shops).isEqualTo(Map.of(
            "Berlin", List.of("perShop,1970-01-01T00:00:01Z,+,Berlin,1", "perShop,1970-01-01T00:00:04Z,+,Berlin,2"),
            "Paris", List.of("perShop,1970-01-01T00:00:02Z,+,Paris,1", "perShop,1970-01-01T00:00:03Z,+,Paris,2")));

        assertThat(run(rules("<query id=\"all\">IStream(select count(*) as n from Orders)</query>")))
            .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0243", "channel=Orders", "threads=2");
    }

    @Test
    void shouldReportRowsThatChangedOrExistOnlyBeforeOrAfter() throws Exception
    {
        record();
        final String changed = "<query id=\"perShop\">IStream(select shop, count(*) as n from Orders " +
            "where price != 30.0 group by shop)</query><query id=\"large\">select shop, quantity, price " +
            "from Orders where quantity &gt; 6 and price &lt; 25.0 or quantity = 1</query>";
        assertThat(run(rules(changed, "--diff", "--format", "json"))).as(err.toString()).isEqualTo(DIFFERENT);
        final JsonObject report = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertThat(report.get("firstKept").getAsString()).isEqualTo("1970-01-01T00:00:01Z");
        assertThat(report.get("complete").getAsBoolean()).isTrue();
        final JsonArray queries = report.getAsJsonArray("queries");
        assertThat(queries).hasSize(2);
        // Before: Paris 7 at 2 s and Berlin 9 at 3 s. After: Paris 7 at 2 s and Berlin 1 at 4 s.
        assertThat(queries.get(0).toString()).isEqualTo("{\"query\":\"large\",\"before\":2,\"after\":2,\"same\":1," +
            "\"changed\":0,\"onlyBefore\":1,\"onlyAfter\":1,\"changedRows\":[],\"rowsOnlyBefore\":[{\"time\":" +
            "\"1970-01-01T00:00:03Z\",\"kind\":\"+\",\"row\":{\"shop\":\"Berlin\",\"quantity\":9,\"price\":30.0}}]," +
            "\"rowsOnlyAfter\":[{\"time\":\"1970-01-01T00:00:04Z\",\"kind\":\"+\",\"row\":{\"shop\":\"Berlin\"," +
            "\"quantity\":1,\"price\":40.0}}]}");
        // Before: Berlin 1, 2, 3 at 1, 3, 4 s. After: Berlin 1, 2 at 1, 4 s.
        assertThat(queries.get(1).toString()).isEqualTo("{\"query\":\"perShop\",\"before\":5,\"after\":4,\"same\":3," +
            "\"changed\":1,\"onlyBefore\":1,\"onlyAfter\":0,\"changedRows\":[{\"time\":\"1970-01-01T00:00:04Z\"," +
            "\"kind\":\"+\",\"before\":{\"shop\":\"Berlin\",\"n\":3},\"after\":{\"shop\":\"Berlin\",\"n\":2}}]," +
            "\"rowsOnlyBefore\":[{\"time\":\"1970-01-01T00:00:03Z\",\"kind\":\"+\",\"row\":{\"shop\":\"Berlin\"," +
            "\"n\":2}}],\"rowsOnlyAfter\":[]}");

        assertThat(run(rules(changed, "--diff", "--limit", "0"))).isEqualTo(DIFFERENT);
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " ")).toList()).contains(
            "state is empty before the first row that is kept, first=1970-01-01T00:00:01Z",
            "QUERY BEFORE AFTER SAME CHANGED ONLY BEFORE ONLY AFTER",
            "large 2 2 1 0 1 1", "perShop 5 4 3 1 1 0", " ... 1 more, see --limit");
        assertThat(run(rules(changed, "--diff"))).isEqualTo(DIFFERENT);
        assertThat(out.toString()).contains("  changed      1970-01-01T00:00:04Z + shop=Berlin n=3",
            "            to 1970-01-01T00:00:04Z + shop=Berlin n=2",
            "  only before  1970-01-01T00:00:03Z + shop=Berlin n=2");
    }

    @Test
    void shouldReportNoDifferenceOfRulesThatAreEqual() throws Exception
    {
        record();
        assertThat(run(rules(LARGE + PER_SHOP, "--diff"))).as(err.toString()).isZero();
        assertThat(run(rules(LARGE.replace("&gt; 5", "&gt;= 6") + PER_SHOP, "--diff", "--from",
            "1970-01-01T00:00:02Z"))).isZero();
        assertThat(out.toString().lines().map(line -> line.replaceAll(" +", " "))).contains("perShop 4 4 4 0 0 0",
            "replayed shop/orders, records=4 until=1970-01-01T00:00:06Z, compared from=1970-01-01T00:00:02Z to=-");
    }

    @Test
    void shouldRefuseRulesThatReadWhatIsNotRecorded() throws Exception
    {
        domain.deploy("<query id=\"inWindow\">IStream(select shop, sum(quantity) as s from Orders " +
            "[range 2 seconds] group by shop)</query>");
        try (var journal = domain.new Writer(ReplayDomain.UNIT, "-" + FLOW))
        {
            journal.orders(0, new Order(1, "Berlin", 3, 10));
        }
        assertThat(run(rules("<query id=\"inWindow\">select shop, sum(price) as s from Orders [range 2 seconds] " +
            "group by shop</query>", "--diff"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0242", "channel=Orders columns=[price] recorded=[shop, quantity]",
            "queries=[inWindow]", "changed.xml:4:", "hint: ");
        // A pipeline reads columns, too.
        assertThat(run(rules("<query id=\"q\">select shop from Orders where price > 1.0</query>")))
            .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0242", "columns=[price]");
        assertThat(run(rules("<query id=\"q\">select shop from Orders where quantity > 1</query>", "--format", "csv")))
            .as(err.toString()).isZero();
        assertThat(out.toString()).isEqualTo("q,1970-01-01T00:00:01Z,+,Berlin" + System.lineSeparator());
        assertThat(run(rules("<query id=\"q\">select shop from Returns where quantity > 1</query>")))
            .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0242", "channel=Returns recorded=[Orders]");
        assertThat(run(rules("<query id=\"q\">RStream(select S.town as town from Orders [now] as O, Shops as S where " +
            "O.shop = S.id)</query>"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0242", "cache=Shops");
        assertThat(run(rules("<query id=\"q\">RStream(select T.town as town from Orders [now] as O, Areas as T where " +
            "O.shop = T.id)</query>"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0242", "tables=[Areas]", "queries=[q]");
    }

    @Test
    void shouldShowWhereChangedRulesAreWrong() throws Exception
    {
        record();
        assertThat(run(rules("<query id=\"q\">select shop frm Orders</query>"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("changed.xml:4:", "CQL-", "frm");
        assertThat(run(rules("<query id=\"q\">select nothing from Orders</query>"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("changed.xml:4:", "nothing");
        Files.writeString(directory.resolve("text.xml"), "no XML");
        assertThat(run("--app", "shop", "--rules", directory.resolve("text.xml").toString()))
            .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("text.xml");
        assertThat(run("--app", "shop", "--rules", directory.resolve("none.xml").toString()))
            .isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("CMD-0244").contains("none.xml");
    }

    @Test
    void shouldNameWhatExistsWhenThereIsNoSuchApplicationOrProcessor() throws Exception
    {
        domain.deploy(PER_SHOP);
        assertThat(run("--app", "shop")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).startsWith("CMD-0230").contains("durable");
        record();
        assertThat(run("--app", "shops")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).startsWith("CMD-0231").contains("application=shops", "these have one: shop");
        assertThat(run("--app", "shop", "--processor", "others")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).startsWith("CMD-0232").contains("shop/orders/" + ReplayDomain.UNIT);
        Files.delete(domain.directory().resolve("applications/shop/shop.jar"));
        assertThat(run("--app", "shop")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("CMD-0240").contains("application=shop");
    }

    @Test
    void shouldRefuseAProcessorThatIsNoLongerDurable() throws Exception
    {
        record();
        final Path file = domain.directory().resolve("applications/shop/META-INF/wlevs/shop.xml");
        Files.writeString(file, Files.readString(file).replace("<durable>true</durable>", ""));
        assertThat(run("--app", "shop")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0241", "the processor is not durable").contains("processor=orders");
    }

    @Test
    void shouldSayWhichTimesAreRecordedWhenTheRangeHasNone() throws Exception
    {
        record();
        assertThat(run("--app", "shop", "--from", "2026-11-29T10:15:00Z")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(err.toString()).contains("CMD-0246", "first=1970-01-01T00:00:01Z", "last=1970-01-01T00:00:06Z");
        assertThat(run("--app", "shop", "--from", "today")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0245").contains("--from=today");
        assertThat(run("--app", "shop", "--from", "2026-11-29T10:15:00Z", "--to", "2026-11-29T10:15:00Z"))
            .isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0252: the range of times is empty");
    }

    @Test
    void shouldRefuseOptionsThatDoNotFit() throws Exception
    {
        record();
        assertThat(run("--app", "shop", "--diff")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0248");
        assertThat(run("--app", "shop", "--format", "xml")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0201").contains("format=xml");
        assertThat(run("--app", "shop", "--speed", "fast")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0250");
        assertThat(run("--app", "shop", "--speed", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--app", "shop", "--limit", "-1")).isEqualTo(ExitCode.USAGE);
        assertThat(run("--app", "shop", "--out", directory.resolve("none/rows").toString())).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0251");
        assertThat(run("--app", "shop", "--backwards")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void shouldSayWhatIsLostWhenTheJournalIsDamaged() throws Exception
    {
        record();
        try (Stream<Path> files = Files.list(domain.state(ReplayDomain.UNIT)))
        {
            final Path file = files.filter(path -> path.toString().endsWith(".cq4")).findFirst().orElseThrow();
            final long offset =
                new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lastIndexOf("Berlin");
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE))
            {
                channel.write(ByteBuffer.wrap(new byte[] {'X'}), offset);
            }
        }
        assertThat(run("--app", "shop")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("CMD-0247", "journal=shop/orders/" + ReplayDomain.UNIT,
            "intactUntil=1970-01-01T00:00:02.500Z", "JNL-0004");
        assertThat(run("--app", "shop", "--to", "1970-01-01T00:00:02Z")).as(err.toString()).isZero();
    }

    @Test
    void shouldWriteOnePageWithoutMarkupFromValues() throws Exception
    {
        domain.deploy(LARGE);
        final String name = "<script>alert(\"1\")</script>&'";
        try (var journal = domain.new Writer(ReplayDomain.UNIT, PIPELINE))
        {
            journal.orders(0, new Order(1, name, 6, 10), new Order(2, "Paris", 7, 20));
        }
        final Path page = directory.resolve("page.html");
        assertThat(run(rules("<query id=\"large\">select shop, quantity + 1 as quantity, price from Orders where " +
            "quantity = 6</query>", "--diff", "--format", "html", "--out", page.toString()))).as(err.toString())
            .isEqualTo(DIFFERENT);
        assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").endsWith("</body></html>\n")
            .contains("<td class=\"row\">shop=&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39; quantity=6 " +
                "price=10.0</td>", "quantity=7 price=10.0</td>", "<tr class=\"changed\"><td>changed</td>",
                "<tr class=\"before\"><td>only before</td><td>1970-01-01T00:00:02Z</td>", "state is empty before")
            .doesNotContain("<script", "http:", "https:");
        assertThat(out.toString()).isEmpty();
        assertThat(run("--app", "shop", "--format", "html")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0201").contains("html needs --diff");
    }

    @Test
    void shouldTakeTheRecordedTimeDividedByTheSpeed() throws Exception
    {
        record();
        final long startNs = System.nanoTime();
        assertThat(run("--app", "shop", "--speed", "10", "--format", "csv")).as(err.toString()).isZero();
        // Six seconds are recorded from the first row to the last time.
        assertThat(System.nanoTime() - startNs).isGreaterThan(ReplayDomain.SECOND_NS / 2);
        assertThat(out.toString().lines()).hasSize(7);
    }

    @Test
    void shouldLeaveTheDomainAsItIs() throws Exception
    {
        record();
        final Map<String, String> before = files();
        assertThat(run(rules(LARGE, "--diff"))).isEqualTo(DIFFERENT);
        assertThat(files()).isEqualTo(before);
    }

    private Map<String, String> files() throws IOException
    {
        try (Stream<Path> files = Files.walk(domain.directory()))
        {
            final Map<String, String> found = new TreeMap<>();
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                found.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)) + " " +
                    Files.getLastModifiedTime(file));
            }
            return found;
        }
    }
}
