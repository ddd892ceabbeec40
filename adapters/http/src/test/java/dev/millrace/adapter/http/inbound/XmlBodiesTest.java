package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.adapter.http.TestStage;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** XML that clients post, and the responses to invalid and hostile documents. */
@Tag("slow")
@Timeout(180)
class XmlBodiesTest
{
    private static final String XML = "application/xml";
    private static final String TICK = "<Tick><id>1</id><symbol>A</symbol><price>1</price></Tick>";

    private final Receiver receiver = new Receiver(TestStage.TICK);

    private RunningSource start(final Consumer<RestSource> properties) throws IOException
    {
        return new RunningSource(receiver, properties).start();
    }

    private static JsonObject problem(final HttpResponse<String> response)
    {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        return JsonParser.parseString(response.body()).getAsJsonObject().getAsJsonArray("problems").get(0)
            .getAsJsonObject();
    }

    @Test
    void shouldReceiveEventsWithElementsAndAttributes() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            assertThat(running.post(XML, TICK).body()).isEqualTo("{\"rows\":1,\"stored\":false}\n");
            assertThat(running.post("text/xml; charset=utf-8", "\uFEFF<?xml version='1.0' encoding='utf-8'?>\n" +
                "<!-- two -->\n<n:ticks xmlns:n='urn:x'>\n  <n:tick n:price='7'><n:id> 2\n</n:id><symbol> \u00fc&amp;" +
                "&#x1F600;<![CDATA[<]]> </symbol><price>-1e3</price></n:tick>\n  <any id='3' price='0.5' other='x'>" +
                "<more id='9'><id>9</id></more><symbol/></any>\n</n:ticks>\n<!-- end -->").statusCode()).isEqualTo(200);
            assertThat(running.post(XML, "<ticks xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><t id='4' " +
                "symbol=''><price i:nil='true'> </price></t></ticks>").statusCode()).isEqualTo(200);
            assertThat(running.post(XML, "<ticks/>").body()).isEqualTo("{\"rows\":0,\"stored\":false}\n");

            assertThat(receiver.rows()).containsExactly(Arrays.asList(1L, "A", 1.0),
                Arrays.asList(2L, " \u00fc&\uD83D\uDE00< ", -1000.0), Arrays.asList(3L, null, 0.5),
                Arrays.asList(4L, null, null));
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    @Test
    void shouldReceiveManyBatchesOfOneDocumentInOrder() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxBodyBytes(16 << 20)))
        {
            final String events = IntStream.rangeClosed(1, 100_000).mapToObj(id -> "<t id='" + id + "' symbol='S'>" +
                "<price>" + id / 4.0 + "</price></t>\n").collect(Collectors.joining());
            assertThat(running.post(XML, "<ticks>" + events + "</ticks>").body())
                .isEqualTo("{\"rows\":100000,\"stored\":false}\n");

            assertThat(receiver.ids()).hasSize(100_000).startsWith(1L, 2L, 3L).endsWith(100_000L);
            assertThat(receiver.rows().get(70_000)).containsExactly(70_001L, "S", 17500.25);
            assertThat(running.post(XML, "<ticks>" + events + "<t/></ticks>").statusCode()).isEqualTo(400);
            assertThat(receiver.ids()).hasSize(100_000);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<t id='2' symbol='A'><price>cheap</price></t>|FIL-0121|price|value=\"cheap\" element=price at=2:",
        "<t id='2' symbol='A' price=''/>|FIL-0121|price|element=t at=2:",
        "<t id='2' symbol='A'/>|FIL-0122|price|column=price",
        "<t id='2' symbol='A' price='1'><id>3</id></t>|FIL-0123|id|occurs twice",
        "<t id='2' symbol='A'><price>1</price><price>1</price></t>|FIL-0123|price|occurs twice",
        "<t id='2' symbol='A'><price><x>1</x></price></t>|FIL-0126|price|column=price",
        "<t id='2' symbol='A' price='1'>text</t>|HTP-0216||text outside of the elements of properties",
        "<t id='2' symbol='A'><price i:nil='1'>3</price></t>|FIL-0121|price|nil has a value"})
    void shouldRefuseRequestWithBadEventAndNamePlace(final String event, final String code, final String column,
        final String text) throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final JsonObject problem = problem(running.post(XML,
                "<l xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><t id='1' symbol='A' price='1'/>\n" + event +
                "\n<t id='3' symbol='A' price='1'/></l>"));

            assertThat(problem.get("code").getAsString()).isEqualTo(code);
            assertThat(problem.get("row").getAsInt()).isEqualTo(2);
            assertThat(problem.get("line").getAsInt()).isEqualTo(2);
            assertThat(problem.get("text").getAsString()).contains(text);
            assertThat(problem.get("column") == null ? null : problem.get("column").getAsString()).isEqualTo(column);
            assertThat(receiver.rows()).isEmpty();
        }
    }

    @Test
    void shouldSkipBadEventsIfConfigured() throws Exception
    {
        try (RunningSource running = start(source ->
        {
            source.setBadRows("skip");
            source.setMissing("null");
        }))
        {
            final HttpResponse<String> response = running.post(XML, "<l><t><id>1</id></t><t>x</t><t id='x'/>" +
                "<t price='4'/></l>");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).startsWith("{\"rows\":2,\"stored\":false,\"rejected\":2,");
            assertThat(receiver.rows()).containsExactly(Arrays.asList(1L, null, null),
                Arrays.asList(null, null, 4.0));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<Tick><id>1</id><symbol>A</symbol><price>1</price>", TICK + "x", TICK + TICK, "17", " ",
        "{}", "<l>" + TICK + "text</l>", "<l><t id='1' id='2'/></l>", "<l>&none;</l>", "<l><t id='&none;'/></l>",
        "<l><t></l></t>", "<l>\u0001</l>", "<l><p:t/></l>", "<!DOCTYPE l><l/>", "<l><t id=1/></l>", "<l><![CDATA[</l>",
        // The parser has no message for it, and throws an exception of another class.
        "<!DOCTYPE l[\uD83D\uDE00"})
    void shouldRefuseBrokenXml(final String body) throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final JsonObject problem = problem(running.post(XML, body));

            assertThat(problem.get("code").getAsString()).isEqualTo("HTP-0216");
            assertThat(problem.get("text").getAsString()).contains("broken-xml", " at=1:");
            assertThat(receiver.rows()).isEmpty();
        }
    }

    @Test
    void shouldRefuseEntitiesWithoutReadingOrExpandingThem() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final StringBuilder bomb = new StringBuilder("<!DOCTYPE l [<!ENTITY a0 'ha'>");
            for (int i = 1; i < 40; i++)
            {
                bomb.append("<!ENTITY a").append(i).append(" '").append(("&a" + (i - 1) + ";").repeat(10)).append("'>");
            }
            for (final String body : List.of(bomb + "]><l><t><symbol>&a39;</symbol></t></l>",
                bomb + "]><l a='&a39;'/>",
                "<!DOCTYPE l [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><l><t><symbol>&x;</symbol></t></l>",
                "<!DOCTYPE l SYSTEM 'http://127.0.0.1:9/x.dtd'><l/>",
                "<!DOCTYPE l [<!ENTITY % p SYSTEM 'http://127.0.0.1:9/x'>%p;]><l/>",
                "<!DOCTYPE l [<!ATTLIST t id CDATA '7'>]><l><t symbol='A' price='1'/></l>"))
            {
                assertThat(problem(running.post(XML, body)).get("code").getAsString()).as(body).isEqualTo("HTP-0216");
            }
            assertThat(receiver.rows()).isEmpty();
            assertThat(running.post(XML, TICK).statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> post(final RunningSource running, final byte[]... body) throws Exception
    {
        return RunningSource.send(running.request(XML).POST(HttpRequest.BodyPublishers.ofByteArrays(List.of(body))));
    }

    @Test
    void shouldRefuseOtherCharsets() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final String umlaut = TICK.replace("A", "\u00fc");
            final JsonObject latin =
                problem(post(running, "<l>\n \u20ac".getBytes(StandardCharsets.UTF_8), new byte[] {(byte)0xFC}));
            assertThat(latin.get("code").getAsString()).isEqualTo("FIL-0128");
            assertThat(latin.get("text").getAsString()).contains("at=2:3");
            assertThat(problem(post(running, umlaut.getBytes(StandardCharsets.UTF_16))).get("code").getAsString())
                .isEqualTo("FIL-0128");
            assertThat(problem(running.post(XML, "<?xml version='1.0' encoding='ISO-8859-1'?>" + umlaut)).get("text")
                .getAsString()).contains("encoding=ISO-8859-1");
            assertThat(running.post("application/xml; charset=utf-16", TICK).statusCode()).isEqualTo(415);
            assertThat(receiver.rows()).isEmpty();
        }
    }

    @Test
    void shouldRefuseDeepNestingAndLargeValues() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxBodyBytes(12 << 20)))
        {
            final String deep = "<x>".repeat(200_000) + "</x>".repeat(200_000);
            assertThat(problem(running.post(XML, "<l><t id='1'>" + deep + "</t></l>")).get("text").getAsString())
                .contains("nested deeper than 512");
            assertThat(problem(running.post(XML, "<l><t><id>" + deep + "</id></t></l>")).get("text").getAsString())
                .contains("nested deeper than 512");
            final String large = "x".repeat(10 << 20);
            assertThat(problem(running.post(XML, TICK.replace("A", large))).get("code").getAsString())
                .isEqualTo("FIL-0129");
            assertThat(problem(running.post(XML, "<l><t symbol='" + large + "'/></l>")).get("code").getAsString())
                .isEqualTo("FIL-0129");
            assertThat(problem(running.post(XML, "<" + large + "/>")).get("code").getAsString())
                .isEqualTo("HTP-0216");
            final String attributes = IntStream.range(0, 20_000).mapToObj(i -> " a" + i + "=''")
                .collect(Collectors.joining());
            assertThat(problem(running.post(XML, "<l><t" + attributes + "/></l>")).get("code").getAsString())
                .isEqualTo("HTP-0216");
            assertThat(running.post(XML, large + large.substring(7 << 20)).statusCode()).isEqualTo(413);
            assertThat(running.post(XML, TICK).statusCode()).isEqualTo(200);
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    @Test
    void shouldAcceptOrRefuseDamagedDocumentsAsAWhole() throws Exception
    {
        final Random random = new Random(7);
        final byte[] good = ("<?xml version='1.0'?><l xmlns:i='http://www.w3.org/2001/XMLSchema-instance'>" + TICK +
            "<t id='2' price='1'><symbol><![CDATA[x]]>&lt;&#65;</symbol></t><t id='3' symbol='C'>" +
            "<price i:nil='true'/></t><!-- c --><?p i?></l>").getBytes(StandardCharsets.UTF_8);
        try (RunningSource running = start(source -> { }))
        {
            int accepted = 0;
            for (int i = 0; i < 2_000; i++)
            {
                final int before = receiver.rows().size();
                final int status = post(running, damaged(good, random)).statusCode();
                assertThat(status).as("body %d", i).isIn(200, 400);
                accepted += status == 200 ? 1 : 0;
                assertThat(status == 200 || receiver.rows().size() == before).as("body %d", i).isTrue();
            }
            assertThat(accepted).isBetween(100, 1_500);
            assertThat(running.stage.raised).isEmpty();
        }
    }

    private static byte[] damaged(final byte[] good, final Random random)
    {
        final boolean isCut = random.nextInt(8) == 0;
        final byte[] bytes = Arrays.copyOf(good, isCut ? random.nextInt(good.length) + 1 : good.length);
        for (int i = random.nextInt(3); i > 0; i--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)(random.nextBoolean() ? random.nextInt(256) :
                "<>&;/'\"=:![]-?x ".charAt(random.nextInt(16)));
        }
        return bytes;
    }
}
