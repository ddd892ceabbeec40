package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelLimits;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of web pages of other origins. */
@Timeout(60)
class CrossOriginTest
{
    private static final String ALLOWED = "https://app.example.org";
    private static final String FOREIGN = "https://evil.example.org";
    private static final String HANDSHAKE =
        "[{\"channel\":\"/meta/handshake\",\"version\":\"1.0\",\"supportedConnectionTypes\":[\"long-polling\"]}]";

    private static HttpResponse<String> send(final RunningChannels channels, final String method, final String path,
        final String body, final String... headers) throws Exception
    {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(channels.uri("http", path))
            .method(method, HttpRequest.BodyPublishers.ofString(body)).headers(headers).build(),
            HttpResponse.BodyHandlers.ofString());
    }

    private static String header(final HttpResponse<?> response, final String name)
    {
        return response.headers().firstValue(name).orElse(null);
    }

    private static RunningChannels constrained() throws Exception
    {
        return new RunningChannels(ChannelLimits.STANDARD, List.of(
            new ChannelConstraint(List.of("/**"), EnumSet.allOf(Operation.class), List.of("trader"))), sink -> { });
    }

    /** Browsers send no credentials with a preflight. */
    @Test
    void shouldAnswerPreflightOfAllowedOriginWithoutCredentials() throws Exception
    {
        try (RunningChannels channels = constrained())
        {
            for (final String path : List.of("", "/handshake", "/sse/ticks"))
            {
                final HttpResponse<String> response = send(channels, "OPTIONS", path, "", "Origin", ALLOWED,
                    "Access-Control-Request-Method", "POST",
                    "Access-Control-Request-Headers", "authorization,content-type");
                assertThat(response.statusCode()).isEqualTo(204);
                assertThat(header(response, "Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
                assertThat(header(response, "Access-Control-Allow-Credentials")).isEqualTo("true");
                assertThat(header(response, "Access-Control-Allow-Methods").split(", ")).contains("GET", "POST");
                assertThat(header(response, "Access-Control-Allow-Headers").split(", "))
                    .contains("Authorization", "Content-Type", "Last-Event-ID");
                assertThat(header(response, "Vary")).isEqualTo("Origin");
            }
        }
    }

    @Test
    void shouldRefusePreflightAndRequestsOfOtherOrigins() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            for (final String origin : List.of(FOREIGN, "null", "http://app.example.org", ALLOWED + ":8443"))
            {
                for (final String method : List.of("OPTIONS", "POST"))
                {
                    final HttpResponse<String> response = send(channels, method, "", HANDSHAKE, "Origin", origin,
                        "Content-Type", "application/json");
                    assertThat(response.statusCode()).isEqualTo(403);
                    assertThat(response.body()).contains("HTP-0201");
                    assertThat(response.headers().map()).doesNotContainKeys("access-control-allow-origin",
                        "access-control-allow-credentials");
                }
            }
            assertThat(channels.figures()).containsEntry("clients", 0);
        }
    }

    @Test
    void shouldLetPagesOfAllowedOriginReadResponses() throws Exception
    {
        try (RunningChannels channels = new RunningChannels())
        {
            final HttpResponse<String> handshake = send(channels, "POST", "/handshake", HANDSHAKE, "Origin", ALLOWED,
                "Content-Type", "application/json");
            assertThat(handshake.statusCode()).isEqualTo(200);
            assertThat(handshake.body()).contains("\"successful\":true");
            assertThat(header(handshake, "Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
            assertThat(header(handshake, "Access-Control-Allow-Credentials")).isEqualTo("true");
            final CometClient comet = channels.add(new CometClient(channels.uri("http", ""))).connect();
            assertThat(comet.publish("/open/a", Map.of("a", 1)).isSuccessful()).isTrue();
        }
    }

    /** Without these headers a page cannot distinguish wrong credentials from an unavailable server. */
    @Test
    void shouldLetPagesOfAllowedOriginReadRefusals() throws Exception
    {
        try (RunningChannels channels = constrained())
        {
            for (final String authorization : List.of("Bearer wrong", "Basic *"))
            {
                final HttpResponse<String> response = send(channels, "POST", "", HANDSHAKE, "Origin", ALLOWED,
                    "Content-Type", "application/json", "Authorization", authorization);
                assertThat(response.statusCode()).isEqualTo(401);
                assertThat(response.body()).contains("HTP-0202");
                assertThat(header(response, "Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
            }
        }
    }
}
