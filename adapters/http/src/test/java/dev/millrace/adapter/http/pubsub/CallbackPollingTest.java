package dev.millrace.adapter.http.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.millrace.api.http.ChannelLimits;
import dev.millrace.api.http.ChannelTransport;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The transport callback-polling of the Bayeux protocol: messages in the query, and a script as the response. */
@Timeout(60)
class CallbackPollingTest
{
    private static final String HANDSHAKE =
        "[{\"channel\":\"/meta/handshake\",\"version\":\"1.0\",\"supportedConnectionTypes\":[\"callback-polling\"]}]";

    private static RunningChannels channels(final Set<ChannelTransport> transports) throws Exception
    {
        return new RunningChannels(new RunningChannels.Options(ChannelLimits.STANDARD, List.of(), 0, null, transports),
            sink -> { });
    }

    private static HttpResponse<String> get(final RunningChannels channels, final String callback,
        final String messages, final String... headers) throws Exception
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(channels.uri("http", "") + "?jsonp=" +
            URLEncoder.encode(callback, StandardCharsets.UTF_8) + "&message=" +
            URLEncoder.encode(messages, StandardCharsets.UTF_8)));
        for (int i = 0; i < headers.length; i += 2)
        {
            request.header(headers[i], headers[i + 1]);
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The messages with which a script calls the function. */
    private static JsonArray messages(final HttpResponse<String> response)
    {
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/javascript");
        assertThat(response.body().strip()).startsWith("take(").endsWith(")");
        return JsonParser.parseString(response.body().strip().replaceAll("^take\\(|\\)$", "")).getAsJsonArray();
    }

    @Test
    void shouldServeClientsWhoseRequestsAreScripts() throws Exception
    {
        try (RunningChannels channels = channels(EnumSet.of(ChannelTransport.CALLBACK_POLLING)))
        {
            final HttpResponse<String> response = get(channels, "take", HANDSHAKE);
            final JsonObject handshake = messages(response).get(0).getAsJsonObject();
            assertThat(handshake.get("successful").getAsBoolean()).isTrue();
            assertThat(handshake.get("supportedConnectionTypes").toString()).isEqualTo("[\"callback-polling\"]");
            final String id = handshake.get("clientId").getAsString();
            final String cookie = response.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
            assertThat(messages(get(channels, "take", "[{\"channel\":\"/meta/subscribe\",\"clientId\":\"" + id +
                "\",\"subscription\":\"/ticks\"}]", "Cookie", cookie)).get(0).getAsJsonObject().get("successful")
                .getAsBoolean()).isTrue();

            channels.publish(2);

            final JsonArray polled = messages(get(channels, "take", "[{\"channel\":\"/meta/connect\",\"clientId\":\"" +
                id + "\",\"connectionType\":\"callback-polling\",\"advice\":{\"timeout\":0}}]", "Cookie", cookie));
            assertThat(polled.toString()).contains(RunningChannels.tick(1), RunningChannels.tick(2));
        }
    }

    @Test
    void shouldRefuseNamesOfFunctionsThatAreScripts() throws Exception
    {
        try (RunningChannels channels = channels(EnumSet.of(ChannelTransport.CALLBACK_POLLING)))
        {
            for (final String name : List.of("alert(1);take", "a b", "<script>", "x".repeat(1_000)))
            {
                final HttpResponse<String> response = get(channels, name, HANDSHAKE);
                assertThat(response.statusCode()).isEqualTo(400);
                assertThat(response.body()).doesNotContain(name).contains("HTP-0308");
            }
            assertThat(channels.figures()).containsEntry("clients", 0);
        }
    }

    @Test
    void shouldRefuseScriptsUnlessTransportIsListed() throws Exception
    {
        try (RunningChannels channels = channels(EnumSet.complementOf(EnumSet.of(ChannelTransport.CALLBACK_POLLING))))
        {
            final HttpResponse<String> response = get(channels, "take", HANDSHAKE);
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains("HTP-0308", "supported-transport").doesNotContain("take(");
            assertThat(channels.figures()).containsEntry("clients", 0);
        }
    }

    /** Browsers send no Origin with the request of a script. */
    @Test
    void shouldRefuseScriptsOfPagesOfOtherOrigins() throws Exception
    {
        try (RunningChannels channels = channels(EnumSet.of(ChannelTransport.CALLBACK_POLLING)))
        {
            for (final String site : List.of("cross-site", "same-site"))
            {
                final HttpResponse<String> none = get(channels, "take", HANDSHAKE, "Sec-Fetch-Site", site);
                assertThat(none.statusCode()).isEqualTo(403);
                assertThat(none.body()).contains("HTP-0201").doesNotContain("take(");
                assertThat(get(channels, "take", HANDSHAKE, "Sec-Fetch-Site", site,
                    "Referer", "https://evil.example.org/https://app.example.org/").statusCode()).isEqualTo(403);
                messages(get(channels, "take", HANDSHAKE, "Sec-Fetch-Site", site,
                    "Referer", "https://app.example.org/page?x=1"));
            }
            messages(get(channels, "take", HANDSHAKE, "Sec-Fetch-Site", "same-origin"));
            messages(get(channels, "take", HANDSHAKE, "Sec-Fetch-Site", "none"));
        }
    }
}
