package dev.millrace.adapter.http.outbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.adapter.http.TestStage;
import dev.millrace.adapter.http.api.EventMapper;
import dev.millrace.api.event.BatchSchema;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventBatch;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.Producers;
import dev.millrace.api.event.RowSequence;
import dev.millrace.api.stage.BatchRejectedException;
import dev.millrace.api.stage.EventRejectedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sink against a real HTTP server. */
@Timeout(60)
class RestSinkTest
{
    private static final String DOMAIN = "wlevs.domain.home";

    @TempDir
    private Path domain;

    private final TestStage stage = new TestStage(TestStage.TICK);

    @BeforeEach
    void setDomain()
    {
        System.setProperty(DOMAIN, domain.toString());
    }

    @AfterEach
    void clearDomain()
    {
        System.clearProperty(DOMAIN);
    }

    private RestSink sink(final String url, final Consumer<RestSink> properties) throws Exception
    {
        final RestSink sink = new RestSink(name -> name.equals("known") ? "secret" : null);
        sink.setStageContext(stage);
        sink.setUrl(url);
        sink.setMaxRetryMillis(10);
        properties.accept(sink);
        sink.afterPropertiesSet();
        sink.afterConfigurationActive();
        return sink;
    }

    /** Ticks with consecutive ids and the symbol S. */
    private static EventBatch ticks(final long first, final int count)
    {
        final EventBatch batch = new EventBatch(new BatchSchema(TestStage.TICK));
        for (int row = 0; row < count; row++)
        {
            batch.longs(0)[row] = first + row;
            batch.texts(1).set(row, "S");
            batch.doubles(2)[row] = 0.5;
        }
        batch.size(count);
        return batch;
    }

    private static EventBatch numbered(final EventBatch batch, final String producer, final long first)
    {
        final int id = Producers.id(producer);
        for (int row = 0; row < batch.size(); row++)
        {
            batch.useSequences()[row] = RowSequence.of(id, first + row);
        }
        return batch;
    }

    @Test
    void shouldSendRowsInEachFormat() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            sink(receiver.url(), sink -> sink.setTokenSecret("known")).onBatch(ticks(1, 2));
            sink(receiver.url(), sink ->
            {
                sink.setBody("object");
                sink.setJsonMapper(EventMapper.create());
            }).onBatch(ticks(3, 2));
            sink(receiver.url(), sink ->
            {
                sink.setBody("lines");
                sink.setMethod("PUT");
                sink.setBatchRows(1);
                sink.setColumns("id");
            }).onBatch(ticks(5, 2));
            sink(receiver.url(), sink ->
            {
                sink.setBody("csv");
                sink.setUser("ada");
                sink.setPasswordSecret("known");
            }).onBatch(ticks(7, 1));

            final List<TestReceiver.Received> requests = receiver.requests();
            assertThat(requests.stream().map(TestReceiver.Received::body)).containsExactly(
                "[{\"id\":1,\"symbol\":\"S\",\"price\":0.5}\n,{\"id\":2,\"symbol\":\"S\",\"price\":0.5}\n]",
                "{\"id\":3,\"symbol\":\"S\",\"price\":0.5}\n", "{\"id\":4,\"symbol\":\"S\",\"price\":0.5}\n",
                "{\"id\":5}\n", "{\"id\":6}\n", "id,symbol,price\n7,S,0.5\n");
            assertThat(requests.get(0).authorization()).isEqualTo("Bearer secret");
            assertThat(requests.get(0).key()).matches("app/http/[0-9a-z]+:1");
            assertThat(requests.get(2).key()).endsWith(":2");
            assertThat(requests.get(3).method()).isEqualTo("PUT");
            assertThat(requests.get(3).type()).isEqualTo("application/x-ndjson");
            assertThat(requests.get(5).authorization()).isEqualTo("Basic YWRhOnNlY3JldA==");
            assertThat(requests.get(5).type()).isEqualTo("text/csv");
        }
    }

    @Test
    void shouldSendRowsAsXml() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            final EventBatch batch = ticks(1, 3);
            batch.texts(1).set(0, " <&>\r\n\u00fc");
            batch.setNull(1, 2);
            sink(receiver.url(), sink -> sink.setJaxbMapper(EventMapper.create())).onBatch(batch);
            sink(receiver.url(), sink ->
            {
                sink.setBody("element");
                sink.setColumns("symbol");
            }).onBatch(batch);

            final String xsi = " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
            final List<TestReceiver.Received> requests = receiver.requests();
            assertThat(requests.stream().map(TestReceiver.Received::type)).containsOnly("application/xml");
            assertThat(requests.stream().map(TestReceiver.Received::body)).containsExactly("<TickList" + xsi + ">\n" +
                "<Tick><id>1</id><symbol> &lt;&amp;&gt;&#13;\n\u00fc</symbol><price>0.5</price></Tick>\n" +
                "<Tick><id>2</id><symbol>S</symbol><price>0.5</price></Tick>\n" +
                "<Tick><id>3</id><symbol xsi:nil=\"true\"/><price>0.5</price></Tick>\n</TickList>\n",
                "<Tick" + xsi + "><symbol> &lt;&amp;&gt;&#13;\n\u00fc</symbol></Tick>\n",
                "<Tick" + xsi + "><symbol>S</symbol></Tick>\n",
                "<Tick" + xsi + "><symbol xsi:nil=\"true\"/></Tick>\n");
        }
    }

    @Test
    void shouldRejectRowsThatXmlCannotContain() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            final EventBatch batch = numbered(ticks(1, 3), "rest-sink-xml", 1);
            batch.texts(1).set(1, "a\u0001");
            batch.texts(1).set(2, "\uFFFF");
            final RestSink sink = sink(receiver.url(), each -> each.setBody("xml"));

            final BatchRejectedException rejected =
                catchThrowableOfType(BatchRejectedException.class, () -> sink.onBatch(batch));

            assertThat(rejected).hasMessageContaining("HTP-0115").hasMessageContaining("column=symbol");
            assertThat(rejected.rejected()).hasSize(2);
            assertThat(rejected.rejected().get(0).toString()).contains("<id>2</id><symbol>a?</symbol>");
            assertThat(receiver.requests()).singleElement().extracting(TestReceiver.Received::body).asString()
                .contains("<id>1</id>").doesNotContain("<id>2</id>", "<id>3</id>");
            assertThat(sink.statistics()).containsEntry("rows", 1L).containsEntry("rejected", 2L);
            assertThat(sink.receivedFrom("rest-sink-xml")).isEqualTo(3);

            final RestSink named = sink(receiver.url(), each -> each.setBody("xml"));
            final EventBatch odd = new EventBatch(new BatchSchema(EventType.tuple("T$1", new EventProperty("id",
                CqlType.BIGINT))));
            odd.size(1);
            assertThatThrownBy(() -> named.onBatch(odd)).hasMessageStartingWith("HTP-0110")
                .hasMessageContaining("name=T$1");
        }
    }

    @Test
    void shouldRepeatRequestWithItsKeyUntilTheReceiverConfirms() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            final AtomicInteger attempts = new AtomicInteger();
            final int[] answers = {503, 429, 0, 401, 302, 204};
            receiver.status = received -> answers[attempts.getAndIncrement()];
            final RestSink sink = sink(receiver.url(), each -> { });

            sink.onBatch(ticks(1, 3));

            final List<TestReceiver.Received> requests = receiver.requests();
            assertThat(requests).hasSize(6);
            assertThat(requests.stream().distinct()).hasSize(1);
            assertThat(sink.statistics()).containsEntry("rows", 3L).containsEntry("retried", 5L)
                .containsEntry("trouble", "");
            assertThat(stage.raised).isEmpty();
        }
    }

    @Test
    void shouldWaitForReceiverThatIsAway() throws Exception
    {
        final int port;
        try (TestReceiver receiver = new TestReceiver(0))
        {
            port = receiver.port();
        }
        final RestSink sink = sink("http://127.0.0.1:" + port + "/in", each -> { });
        final CompletableFuture<Void> sent = sendLater(sink, ticks(1, 1));
        await(() -> stage.raised.containsKey("HTP-0111"));
        assertThat(sink.statistics().get("trouble").toString()).contains("ConnectException");
        try (TestReceiver receiver = new TestReceiver(port))
        {
            sent.get(60, TimeUnit.SECONDS);
            assertThat(receiver.requests()).hasSize(1);
            assertThat(stage.raised).isEmpty();
        }
    }

    private static CompletableFuture<Void> sendLater(final RestSink sink, final EventBatch batch)
    {
        return CompletableFuture.runAsync(() ->
        {
            try
            {
                sink.onBatch(batch);
            }
            catch (final EventRejectedException e)
            {
                throw new IllegalStateException(e.getMessage(), e);
            }
        });
    }

    private static void await(final BooleanSupplier condition) throws InterruptedException
    {
        while (!condition.getAsBoolean())
        {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    void shouldRejectOnlyTheRowsThatTheReceiverRefuses() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            receiver.answer = "no\nsuch\u0000symbol " + "x".repeat(100_000);
            receiver.status = received -> received.body().contains("\"id\":7,") ? 400 : 200;
            final RestSink sink = sink(receiver.url(), each -> { });

            final BatchRejectedException rejected =
                catchThrowableOfType(BatchRejectedException.class, () -> sink.onBatch(ticks(1, 100)));

            assertThat(rejected.rejected()).containsExactly("[{\"id\":7,\"symbol\":\"S\",\"price\":0.5}\n]");
            assertThat(rejected).hasMessageContaining("HTP-0112").hasMessageContaining("status 400 no such symbol x");
            assertThat(sink.statistics()).containsEntry("rows", 99L).containsEntry("rejected", 1L);
            assertThat(sink.statistics().get("lastRejected").toString()).contains("status=400", "\"id\":7");
            // Each request has other content, and therefore another key.
            assertThat(receiver.requests().stream().map(TestReceiver.Received::key)).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldNotSendConfirmedRowsAgainAfterTheStart() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            final RestSink sink = sink(receiver.url(), each -> { });
            sink.onBatch(numbered(ticks(1, 10), "rest-sink-test", 1));
            assertThat(sink.receivedFrom("rest-sink-test")).isEqualTo(10);
            sink.destroy();

            final RestSink restarted = sink(receiver.url(), each -> { });
            assertThat(restarted.receivedFrom("rest-sink-test")).isEqualTo(10);
            restarted.onBatch(numbered(ticks(8, 6), "rest-sink-test", 8));

            assertThat(receiver.requests().get(1).body()).contains("\"id\":11", "\"id\":13")
                .doesNotContain("\"id\":10");
            assertThat(restarted.statistics()).containsEntry("dropped", 3L);
        }
    }

    @Test
    void shouldNotTakeUnconfirmedRowsForReceivedWhenTheApplicationEnds() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            receiver.status = received -> 503;
            final RestSink sink = sink(receiver.url(), each -> each.setMaxRetryMillis(60_000));
            final CompletableFuture<Void> sent = sendLater(sink, numbered(ticks(1, 1), "rest-sink-end", 1));
            await(() -> !receiver.requests().isEmpty());
            sink.destroy();

            assertThatThrownBy(() -> sent.get(60, TimeUnit.SECONDS)).hasMessageContaining("HTP-0113");
            assertThat(sink.receivedFrom("rest-sink-end")).isZero();
        }
    }

    @Test
    void shouldTimeOutWhenTheReceiverDoesNotRespond() throws Exception
    {
        try (TestReceiver receiver = new TestReceiver(0))
        {
            final CompletableFuture<Integer> late = new CompletableFuture<>();
            receiver.status = received -> receiver.requests().size() == 1 ? late.join() : 200;
            final RestSink sink = sink(receiver.url(), each -> each.setTimeoutMillis(100));
            sink.onBatch(ticks(1, 1));
            late.complete(200);

            assertThat(receiver.requests()).hasSize(2);
            assertThat(sink.statistics()).containsEntry("retried", 1L);
        }
    }

    @Test
    void shouldRefuseWrongPropertiesAndFiles() throws Exception
    {
        for (final String url : List.of("ftp://host/x", "host", "http://user:password@host/", "http:///x"))
        {
            assertThatThrownBy(() -> sink(url, each -> { })).hasMessageStartingWith("HTP-0101")
                .hasMessageContaining("url");
        }
        final String url = "http://127.0.0.1/";
        assertThatThrownBy(() -> sink(url, each ->
        {
            each.setJaxbMapper(EventMapper.create());
            each.setBody("json");
        })).hasMessageStartingWith("HTP-0101").hasMessageContaining("jaxbMapper");
        assertThatThrownBy(() -> sink(url, each ->
        {
            each.setJaxbMapper(EventMapper.create());
            each.setCsvMapper(EventMapper.create());
        })).hasMessageStartingWith("HTP-0101").hasMessageContaining("only one");
        assertThatThrownBy(() -> sink(url, each ->
        {
            each.setBody("xml");
            each.setKindColumn("is deleted");
        })).hasMessageStartingWith("HTP-0101").hasMessageContaining("kindColumn");
        assertThatThrownBy(() -> sink(url, each -> each.setMethod("GET"))).hasMessageStartingWith("HTP-0101");
        assertThatThrownBy(() -> sink(url, each -> each.setBody("yaml"))).hasMessageStartingWith("HTP-0101");
        assertThatThrownBy(() -> sink(url, each -> each.setUser("ada"))).hasMessageStartingWith("HTP-0101");
        assertThatThrownBy(() -> sink(url, each -> each.setTokenSecret("none"))).hasMessageStartingWith("HTP-0108");
        Files.createDirectories(domain.resolve("var/state/app"));
        Files.writeString(domain.resolve("var/state/app/http.numbers"), "{\"a\":");
        assertThatThrownBy(() -> sink(url, each -> { })).hasMessageStartingWith("HTP-0114");
    }
}
