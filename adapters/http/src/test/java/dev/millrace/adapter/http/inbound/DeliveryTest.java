package dev.millrace.adapter.http.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.adapter.http.TestStage;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When requests are confirmed, and what happens to those that are repeated. */
@Timeout(60)
class DeliveryTest
{
    private final Receiver receiver = new Receiver(TestStage.TICK);

    private RunningSource start(final Consumer<RestSource> properties) throws IOException
    {
        return new RunningSource(receiver, properties).start();
    }

    private static CompletableFuture<HttpResponse<String>> postLater(final RunningSource running, final long id)
    {
        return RunningSource.CLIENT.sendAsync(running.request("application/x-ndjson").POST(
            HttpRequest.BodyPublishers.ofString(RunningSource.ticks(id, 1))).build(),
            HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldProcessRepeatedRequestOnceWhereNumbersAreStored() throws Exception
    {
        receiver.isStoring = true;
        try (RunningSource running = start(source -> { }))
        {
            assertThat(running.postWithKey("meter:1", RunningSource.ticks(1, 300)).body())
                .isEqualTo("{\"rows\":300,\"stored\":true}\n");
            assertThat(running.postWithKey("\"meter:1\"", RunningSource.ticks(1, 300)).body())
                .isEqualTo("{\"rows\":300,\"duplicate\":true,\"stored\":true}\n");
            assertThat(running.postWithKey("other:1", RunningSource.ticks(301, 1)).body()).doesNotContain("duplicate");
            assertThat(running.postWithKey("meter:2", RunningSource.ticks(302, 1)).body()).doesNotContain("duplicate");
            assertThat(running.postWithKey("meter:1", RunningSource.ticks(1, 300)).body()).contains("duplicate");
            assertThat(receiver.ids()).containsExactlyElementsOf(ids(302));
            assertThat(running.figures()).containsEntry("duplicateRequests", 2L).containsEntry("rows", 302L);
        }
        try (RunningSource restarted = start(source -> { }))
        {
            assertThat(restarted.postWithKey("meter:2", RunningSource.ticks(302, 1)).body()).contains("duplicate");
        }
    }

    private static List<Object> ids(final int count)
    {
        return new ArrayList<>(LongStream.rangeClosed(1, count).boxed().toList());
    }

    @Test
    void shouldCompleteRequestThatWasStoredInPartBeforeTheProcessWasKilled() throws Exception
    {
        receiver.isStoring = true;
        receiver.killAfter = 700;
        try (RunningSource running = start(source -> { }))
        {
            // The server of the killed source is still there and reports the failure; a killed process closes.
            assertThat(running.postWithKey("meter:7", RunningSource.ticks(1, 1_000)).statusCode()).isEqualTo(503);
            running.join();
        }
        receiver.killAfter = Integer.MAX_VALUE;
        assertThat(receiver.ids()).hasSize(700);
        try (RunningSource restarted = start(source -> { }))
        {
            assertThat(restarted.postWithKey("meter:7", RunningSource.ticks(1, 1_000)).statusCode()).isEqualTo(200);
            assertThat(receiver.ids()).containsExactlyElementsOf(ids(1_000));
        }
    }

    @Test
    void shouldConfirmRequestsWithoutKeyWhenTheirRowsAreStored() throws Exception
    {
        receiver.isStoring = true;
        try (RunningSource running = start(source -> source.setConfirmTimeoutMillis(50)))
        {
            assertThat(running.postJson(RunningSource.ticks(1, 1)).body()).isEqualTo("{\"rows\":1,\"stored\":true}\n");
            receiver.isUnsure = true;
            final HttpResponse<String> unsure = running.postJson(RunningSource.ticks(2, 1));
            assertThat(unsure.statusCode()).isEqualTo(503);
            assertThat(unsure.body()).contains("HTP-0211");
            receiver.isUnsure = false;
            assertThat(running.postJson(RunningSource.ticks(3, 1)).statusCode()).isEqualTo(200);
        }
        assertThat(receiver.ids()).containsExactlyElementsOf(ids(3));
    }

    @Test
    void shouldNotReuseNumbersThatStagesMayHaveStoredBeforeTheStart() throws Exception
    {
        receiver.isStoring = true;
        try (RunningSource running = start(source -> { }))
        {
            running.postJson(RunningSource.ticks(1, 1));
        }
        final long first = receiver.numbers.get("app/http/requests");
        // One of several threads has stored a row that the others did not get.
        receiver.isUnsure = true;
        try (RunningSource restarted = start(source -> source.setConfirmTimeoutMillis(1)))
        {
            restarted.postJson(RunningSource.ticks(2, 1));
            receiver.isUnsure = false;
            restarted.postJson(RunningSource.ticks(3, 1));
        }
        assertThat(first).isGreaterThan(1L << 31);
        assertThat(receiver.ids()).contains(3L);
    }

    @Test
    void shouldRecognizeRepeatedRequestsWithoutStoredNumbersWhileTheProcessRuns() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxProducers(2)))
        {
            assertThat(running.postWithKey("a:5", RunningSource.ticks(1, 2)).body())
                .isEqualTo("{\"rows\":2,\"stored\":false}\n");
            assertThat(running.postWithKey("a:5", RunningSource.ticks(1, 2)).body()).contains("duplicate");
            assertThat(running.postWithKey("b:1", RunningSource.ticks(3, 1)).statusCode()).isEqualTo(200);
            final HttpResponse<String> third = running.postWithKey("c:1", RunningSource.ticks(4, 1));
            assertThat(third.statusCode()).isEqualTo(403);
            assertThat(third.body()).contains("HTP-0213");
            assertThat(receiver.ids()).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void shouldSeparateProducersOfClients() throws Exception
    {
        receiver.isStoring = true;
        try (RunningSource running = start(source -> source.setTokenSecrets("client1,client2")))
        {
            for (final String client : List.of("client1", "client2", "client1"))
            {
                assertThat(RunningSource.send(running.request("application/x-ndjson")
                    .header("Authorization", "Bearer " + RunningSource.TOKEN + client)
                    .header("Idempotency-Key", "feed:1")
                    .POST(HttpRequest.BodyPublishers.ofString(RunningSource.ticks(1, 1)))).statusCode())
                    .isEqualTo(200);
            }
            assertThat(receiver.ids()).containsExactly(1L, 1L);
        }
    }

    @Test
    void shouldRefuseWrongKeysAndTooManyRowsWithKey() throws Exception
    {
        try (RunningSource running = start(source -> source.setMaxBodyBytes(16 << 20)))
        {
            for (final String key : List.of("meter", "meter:", "meter:0", "meter:x", ":1", "me ter:1",
                "meter:4294967296", "8e03978e-40d5-43dd-bc93-6894a57f9324"))
            {
                final HttpResponse<String> refused = running.postWithKey(key, RunningSource.ticks(1, 1));
                assertThat(refused.statusCode()).as(key).isEqualTo(400);
                assertThat(refused.body()).contains("HTP-0212");
            }
            assertThat(running.postWithKey("meter:4294967295", RunningSource.ticks(1, 65_535)).statusCode())
                .isEqualTo(200);
            assertThat(running.postWithKey("other:1", RunningSource.ticks(1, 65_536)).statusCode()).isEqualTo(413);
        }
    }

    @Test
    void shouldAskClientsToRetryWhileTheChannelIsFull() throws Exception
    {
        receiver.gate = new CountDownLatch(1);
        try (RunningSource running = start(source ->
        {
            source.setMaxQueuedRequests(2);
            source.setMaxWaitMillis(20_000);
        }))
        {
            final CompletableFuture<HttpResponse<String>> first = postLater(running, 1);
            running.await("the source to block", () -> receiver.isBlocked);
            final CompletableFuture<HttpResponse<String>> second = postLater(running, 2);
            running.await("a request to wait", () -> running.figures().get("waitingRequests").equals(1));
            final CompletableFuture<HttpResponse<String>> third = postLater(running, 3);
            running.await("two requests to wait", () -> running.figures().get("waitingRequests").equals(2));

            final HttpResponse<String> refused = postLater(running, 4).get(60, TimeUnit.SECONDS);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(refused.body()).contains("HTP-0209");

            receiver.gate.countDown();
            assertThat(first.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(second.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(third.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(receiver.ids()).containsExactly(1L, 2L, 3L);
            running.await("bodies to be released", () -> running.figures().get("bufferedBytes").equals(0L));
        }
    }

    @Test
    void shouldRefuseRequestsThatWaitTooLongAndNotProcessThem() throws Exception
    {
        receiver.gate = new CountDownLatch(1);
        try (RunningSource running = start(source -> source.setMaxWaitMillis(1_000)))
        {
            final CompletableFuture<HttpResponse<String>> first = postLater(running, 1);
            running.await("the source to block", () -> receiver.isBlocked);
            assertThat(postLater(running, 2).get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(429);
            receiver.gate.countDown();
            assertThat(first.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(postLater(running, 3).get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            assertThat(receiver.ids()).containsExactly(1L, 3L);
        }
    }

    @Test
    void shouldRefuseRequestsWhenBodiesFillTheMemory() throws Exception
    {
        receiver.gate = new CountDownLatch(1);
        try (RunningSource running = start(source ->
        {
            source.setMaxBodyBytes(10_000);
            source.setMaxBufferedBytes(10_000);
        }))
        {
            final CompletableFuture<HttpResponse<String>> first = RunningSource.CLIENT.sendAsync(
                running.request("application/x-ndjson").POST(HttpRequest.BodyPublishers.ofString(
                    RunningSource.ticks(1, 200))).build(), HttpResponse.BodyHandlers.ofString());
            running.await("the source to block", () -> receiver.isBlocked);
            assertThat(running.post("application/x-ndjson", RunningSource.ticks(201, 200)).statusCode())
                .isEqualTo(429);
            receiver.gate.countDown();
            assertThat(first.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseRequestsWhileSuspendedAndContinueAfterResume() throws Exception
    {
        try (RunningSource running = start(source -> { }))
        {
            assertThat(running.postJson(RunningSource.ticks(1, 1)).statusCode()).isEqualTo(200);
            running.suspend();
            final HttpResponse<String> refused = running.postJson(RunningSource.ticks(2, 1));
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            running.source.beforeResume();
            running.start();
            running.await("the source to run", () -> postStatus(running) == 200);
            assertThat(receiver.ids()).containsExactly(1L, 3L);
        }
    }

    private static int postStatus(final RunningSource running)
    {
        return postLater(running, 3).join().statusCode();
    }
}
