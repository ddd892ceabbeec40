package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.api.EventMapper;
import dev.millrace.adapter.http.server.ServerLimits;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that clients post, and the responses to invalid ones. */
@Tag("slow")
@Timeout(180)
class RestSourceTest
{
    private final Receiver receiver = new Receiver(TestStage.TICK);

    private RunningSource start(final Consumer<RestSource> properties) throws IOException
    {
        return new RunningSource(receiver, properties).start();
    }

    private static JsonObject json(final HttpResponse<String> response)
    {
        return JsonParser.parseString(response.body()).getAsJsonObject();
    }

    private static JsonObject problem(final HttpResponse<String> response)
    {
        final JsonArray problems = json(response).getAsJsonArray("problems");
        assertThat(problems).hasSize(1);
        return problems.get(0).getAsJsonObject();
    }

    @Test
    void shouldReceiveObjectArrayLinesAndCsv() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            assertThat(running.postJson("{\"id\":1,\n \"symbol\":\"A\\\"}{\",\r\n\"price\":0.5, \"other\":[{\"x\":1}]}")
                .body()).isEqualTo("{\"rows\":1,\"stored\":false}\n");
            assertThat(running.postJson(" [ {\"id\":2,\"symbol\":null,\"price\":1},\n{\"id\":3,\"symbol\":\"\u00fc\"," +
                "\"price\":-1e3}\n] ").statusCode()).isEqualTo(200);
            assertThat(running.post("application/x-ndjson; charset=UTF-8", "\n{\"id\":4,\"symbol\":\"B\",\"price\":2}" +
                "\r\n\n{\"id\":5,\"symbol\":\"B\",\"price\":2}").statusCode()).isEqualTo(200);
            assertThat(running.post("text/csv", "price,id,more,symbol\n2.5,6,x,\"C\nD\"\r\n,7,x,\n").statusCode())
                .isEqualTo(200);
            assertThat(running.post("text/csv; header=absent", "\uFEFF8,E,3\n").statusCode()).isEqualTo(200);
            assertThat(running.postJson("[]").body()).isEqualTo("{\"rows\":0,\"stored\":false}\n");

            assertThat(receiver.rows()).containsExactly(Arrays.asList(1L, "A\"}{", 0.5),
                Arrays.asList(2L, null, 1.0), Arrays.asList(3L, "\u00fc", -1000.0), Arrays.asList(4L, "B", 2.0),
                Arrays.asList(5L, "B", 2.0), Arrays.asList(6L, "C\nD", 2.5), Arrays.asList(7L, null, null),
                Arrays.asList(8L, "E", 3.0));
            assertThat(running.figures()).containsEntry("rows", 8L).containsEntry("requests", 6L);
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    @Test
    void shouldReceiveManyBatchesOfOneRequestInOrder() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxBodyBytes(16 << 20)))
        {
            final int count = 100_000;
            assertThat(running.post("application/x-ndjson", RunningSource.ticks(1, count)).body())
                .isEqualTo("{\"rows\":100000,\"stored\":false}\n");

            assertThat(receiver.ids()).hasSize(count).startsWith(1L, 2L, 3L).endsWith((long)count);
            assertThat(receiver.rows().get(70_000)).containsExactly(70_001L, "S", 17500.25);
        }
    }

    @Test
    void shouldRefuseAllRowsOfRequestWithBadRowAndNamePlace() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final HttpResponse<String> response = running.postJson("[{\"id\":1,\"symbol\":\"A\",\"price\":1},\n" +
                "{\"id\":2,\"symbol\":\"A\",\n\"price\":\"cheap\"}]");

            assertThat(response.statusCode()).isEqualTo(400);
            final JsonObject problem = problem(response);
            assertThat(problem.get("code").getAsString()).isEqualTo("FIL-0121");
            assertThat(problem.get("row").getAsInt()).isEqualTo(2);
            assertThat(problem.get("line").getAsInt()).isEqualTo(2);
            assertThat(problem.get("column").getAsString()).isEqualTo("price");
            assertThat(problem.get("text").getAsString()).contains("wrong-type", "value=\"cheap\"");
            assertThat(receiver.rows()).isEmpty();
            assertThat(receiver.rejections).singleElement().asString().startsWith("wrong-type FIL-0121 a posted row");
            assertThat(running.figures()).containsEntry("rejected", 1L)
                .containsEntry("refusedRequests", Map.of("HTP-0214", 1L));
            assertThat(running.figures().get("lastRejected").toString()).contains("client=anyone", "row=2", "price");
        }
    }

    @Test
    void shouldRefuseManyBatchesForOneBadRowAtTheEnd() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            assertThat(running.post("application/x-ndjson", RunningSource.ticks(1, 1_000) + "{}\n").statusCode())
                .isEqualTo(400);
            assertThat(receiver.rows()).isEmpty();
            assertThat(running.post("application/x-ndjson", RunningSource.ticks(1, 1_000)).statusCode())
                .isEqualTo(200);
            assertThat(receiver.ids()).hasSize(1_000);
        }
    }

    @Test
    void shouldSkipBadRowsIfConfigured() throws Exception
    {
        try (RunningSource running = start(source -> source.setBadRows("skip")))
        {
            final HttpResponse<String> response = running.post("text/csv", "id,symbol,price\n1,A,1\nx,A,1\n3,A\n" +
                "4,A,4\n5,A,5,5\n6,\"A\"B,6\n7,A,7\n");

            assertThat(response.statusCode()).isEqualTo(200);
            final JsonObject answer = json(response);
            assertThat(answer.get("rows").getAsInt()).isEqualTo(3);
            assertThat(answer.get("rejected").getAsInt()).isEqualTo(4);
            assertThat(answer.getAsJsonArray("problems").asList().stream().map(each -> each.getAsJsonObject()
                .get("code").getAsString() + "@" + each.getAsJsonObject().get("line").getAsInt()))
                .containsExactly("FIL-0121@3", "FIL-0122@4", "FIL-0123@6", "FIL-0124@7");
            assertThat(receiver.ids()).containsExactly(1L, 4L, 7L);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":1,\"symbol\":\"A\",\"price\":1", "[{\"id\":1,\"symbol\":\"A\",\"price\":1}",
        "[{\"id\":1,\"symbol\":\"A\",\"price\":1},]", "{\"id\":1,\"symbol\":\"A\",\"price\":1}x", "17", "[1]", "  ",
        "[{\"id\":1,\"symbol\":\"A\",\"price\":1} {\"id\":1,\"symbol\":\"A\",\"price\":1}]", "{\"id\":1,\"symbol\":\"A",
        "{\"id\":1,\"symbol\":\"A\nB\",\"price\":1}", "[}", "{]", "[{\"id\":1,\"symbol\":\"A\",\"price\":1}]]"})
    void shouldRefuseBrokenJson(final String body) throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final HttpResponse<String> response = running.postJson(body);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(problem(response).get("code").getAsString()).isEqualTo("FIL-0125");
            assertThat(receiver.rows()).isEmpty();
        }
    }

    @Test
    void shouldRefuseInvalidBytesAndDeepNesting() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final byte[] latin = "{\"id\":1,\"symbol\":\"\u00fc\",\"price\":1}".getBytes(StandardCharsets.ISO_8859_1);
            final HttpResponse<String> response = RunningSource.send(running.request("application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(latin)));
            assertThat(problem(response).get("code").getAsString()).isEqualTo("FIL-0128");

            final String deep = "{\"id\":1,\"symbol\":\"A\",\"price\":1,\"x\":" + "[".repeat(100_000) +
                "]".repeat(100_000) + "}";
            assertThat(problem(running.postJson(deep)).get("code").getAsString()).isEqualTo("FIL-0125");
            assertThat(running.postJson("").statusCode()).isEqualTo(400);
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    @ParameterizedTest
    @CsvSource({"text/plain,", "application/x-www-form-urlencoded,", "application/json; charset=utf-16,",
        "application/json,br", "text/csv; header=maybe,", "application/json; header=present,", "multipart/form-data,"})
    void shouldRefuseOtherMediaTypes(final String type, final String encoding) throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final HttpRequest.Builder request =
                running.request(type).POST(HttpRequest.BodyPublishers.ofString("{}"));
            if (encoding != null)
            {
                request.header("Content-Encoding", encoding);
            }
            final HttpResponse<String> response = RunningSource.send(request);

            assertThat(response.statusCode()).isEqualTo(415);
            assertThat(problem(response).get("code").getAsString()).isEqualTo("HTP-0205");
        }
    }

    @Test
    void shouldRefuseLargeBodiesWithKnownAndUnknownLength() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxBodyBytes(1_000)))
        {
            final byte[] large = new byte[10 << 20];
            final HttpResponse<String> known = RunningSource.send(running.request("application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(large)));
            final HttpResponse<String> chunked = RunningSource.send(running.request("application/json").POST(
                HttpRequest.BodyPublishers.ofByteArrays(List.of(large, large))));

            assertThat(known.statusCode()).isEqualTo(413);
            assertThat(chunked.statusCode()).isEqualTo(413);
            assertThat(problem(chunked).get("code").getAsString()).isEqualTo("HTP-0206");
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    private static byte[] gzip(final byte[] plain) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes))
        {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldDecompressBodiesUpToTheLimit() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxBodyBytes(100_000)))
        {
            final byte[] good = gzip(RunningSource.ticks(1, 1_000).getBytes(StandardCharsets.UTF_8));
            final byte[] bomb = gzip(new byte[64 << 20]);
            final byte[] cut = Arrays.copyOf(good, good.length / 2);

            assertThat(postCompressed(running, good).statusCode()).isEqualTo(200);
            assertThat(receiver.ids()).hasSize(1_000);
            assertThat(postCompressed(running, bomb).statusCode()).isEqualTo(413);
            assertThat(problem(postCompressed(running, cut)).get("code").getAsString()).isEqualTo("HTP-0208");
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    private static HttpResponse<String> postCompressed(final RunningSource running, final byte[] body)
        throws IOException, InterruptedException
    {
        return RunningSource.send(running.request("application/x-ndjson").header("Content-Encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    @Test
    void shouldRefuseOtherMethodsAndPaths() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final HttpResponse<String> get = RunningSource.send(running.request("application/json").GET());
            assertThat(get.statusCode()).isEqualTo(405);
            assertThat(get.headers().firstValue("Allow")).hasValue("POST, PUT");

            final HttpRequest.Builder other = running.request("application/json");
            other.uri(other.build().uri().resolve("/other")).POST(HttpRequest.BodyPublishers.ofString("{}"));
            assertThat(RunningSource.send(other).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void shouldRefusePathOfAnotherStage() throws Exception
    {
        final ServerPool pool = new ServerPool(ServerLimits.standard(1_024));
        try (RunningSource running = new RunningSource(receiver, pool, null, source -> { }).start())
        {
            assertThatThrownBy(() -> new RunningSource(receiver, pool, null, source -> { }))
                .isInstanceOf(BindException.class).hasMessageContaining("HTP-0104");
            final int port = running.source.port(0);
            try (RunningSource other = new RunningSource(receiver, pool, null,
                source -> source.setContextPath("/other")))
            {
                assertThat(other.source.port(0)).isEqualTo(port);
            }
            assertThat(running.postJson("[]").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefusePortInUse() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            final EventServer same = new EventServer("Other",
                List.of(new EventPort("p", "127.0.0.1", running.source.port(0), null)));
            final RestSource second = new RestSource(() -> List.of(same), name -> null,
                new ServerPool(ServerLimits.standard(1_024)));
            second.setContextPath("/ticks");
            second.setBatchSender(receiver);
            second.afterPropertiesSet();
            assertThatThrownBy(second::afterConfigurationActive).isInstanceOf(BindException.class)
                .hasMessageStartingWith("HTP-0103 a port for events cannot be opened, server=Other netio=p");
        }
    }

    private static EventMapper mapper(final String format, final String type)
    {
        final EventMapper mapper = EventMapper.create();
        mapper.setFormat(format);
        mapper.setEventTypeName(type);
        return mapper;
    }

    @Test
    void shouldAcceptOnlyTheFormatsThatHaveMappers() throws Exception
    {
        try (RunningSource running = start(source ->
        {
            // As in Oracle Event Processing, where JAXB mappers support JSON, too.
            source.setJsonMapper(mapper("jaxb", "Tick"));
            source.setJaxbMapper(mapper(null, null));
        }))
        {
            assertThat(running.postJson("{\"id\":1,\"symbol\":\"A\",\"price\":1}").statusCode()).isEqualTo(200);
            assertThat(running.post("application/xml", "<tick id='2' symbol='A' price='1'/>").statusCode())
                .isEqualTo(200);
            final HttpResponse<String> csv = running.post("text/csv", "id,symbol,price\n1,A,1\n");
            assertThat(csv.statusCode()).isEqualTo(415);
            assertThat(problem(csv).get("hint").getAsString()).contains("application/json", "application/x-ndjson",
                "application/xml").doesNotContain("csv");
            assertThat(receiver.ids()).containsExactly(1L, 2L);
        }
    }

    private static RestSource source(final EventServer... servers)
    {
        final RestSource source =
            new RestSource(() -> List.of(servers), name -> name, new ServerPool(ServerLimits.standard(1_024)));
        source.setStageContext(new TestStage(TestStage.TICK));
        source.setContextPath("/ticks");
        return source;
    }

    @Test
    void shouldRefuseWrongProperties()
    {
        final EventServer one = new EventServer("One", List.of(new EventPort("p", "127.0.0.1", 0, null)));
        final EventServer two = new EventServer("Two", List.of(new EventPort("q", "0.0.0.0", 0, null)));
        assertRefused(source(), source -> { }, "HTP-0102");
        assertRefused(source(one), source -> source.setServer("Three"), "HTP-0102");
        assertRefused(source(one, two), source -> { }, "HTP-0101");
        assertRefused(source(two), source -> { }, "HTP-0107");
        assertRefused(source(one), source -> source.setTokenSecrets("short"), "HTP-0108");
        assertRefused(source(one), source -> source.setEventTypeName("Tock"), "HTP-0105");
        assertRefused(source(one), source -> source.setContextPath("ticks"), "HTP-0101");
        assertRefused(source(one), source -> source.setContextPath("/a/../b"), "HTP-0101");
        assertRefused(source(one), source -> source.setBadRows("some"), "HTP-0101");
        assertRefused(source(one), source -> source.setJaxbMapper(mapper("json", null)), "HTP-0101");
        assertRefused(source(one), source -> source.setCsvMapper(mapper("jaxb", null)), "HTP-0101");
        assertRefused(source(one), source -> source.setJsonMapper(mapper("json", "Tock")), "HTP-0105");
        assertRefused(source(one), source ->
        {
            source.setEventTypeName("Tick");
            source.setJsonMapper(mapper("json", "Tock"));
        }, "HTP-0101");
        assertRefused(source(one), source -> source.setMaxBufferedBytes(1), "HTP-0101");
    }

    private static void assertRefused(final RestSource source, final Consumer<RestSource> change, final String code)
    {
        change.accept(source);
        assertThatThrownBy(source::afterPropertiesSet).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(code);
    }
}
