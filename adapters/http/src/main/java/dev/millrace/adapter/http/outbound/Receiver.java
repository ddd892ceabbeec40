package dev.millrace.adapter.http.outbound;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The other side of a sink. Confined to the channel's thread. */
final class Receiver
{
    private static final long MAX_SECONDS = 3_600;

    private final SinkSettings settings;
    private final HttpClient client;
    private final String producer;

    /** @param startMs time of the start, so that keys differ from those of an earlier start, whose requests differ */
    Receiver(final SinkSettings settings, final long startMs)
    {
        producer = settings.producer() + '/' + Long.toString(startMs, Character.MAX_RADIX);
        this.settings = settings;
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(Duration.ofMillis(settings.timeoutMillis())).build();
    }

    /** Sends a request and waits for its response. */
    Answer send(final String body, final long number) throws InterruptedException
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(settings.url())
            .header("Content-Type", settings.body().mediaType())
            .header("Idempotency-Key", producer + ':' + number)
            .method(settings.method(), HttpRequest.BodyPublishers.ofString(body));
        if (settings.authorization() != null)
        {
            request.header("Authorization", settings.authorization());
        }
        final CompletableFuture<HttpResponse<String>> response =
            client.sendAsync(request.build(), head -> new LimitedBody());
        try
        {
            final HttpResponse<String> answer = response.get(settings.timeoutMillis(), TimeUnit.MILLISECONDS);
            return new Answer(answer.statusCode(), answer.body(), retryAfterMillis(answer));
        }
        catch (final ExecutionException e)
        {
            return new Answer(0, e.getCause().toString(), 0);
        }
        catch (final TimeoutException e)
        {
            return new Answer(0, "no complete response within " + settings.timeoutMillis() + " ms", 0);
        }
        finally
        {
            response.cancel(true);
        }
    }

    private static long retryAfterMillis(final HttpResponse<String> answer)
    {
        final String seconds = answer.headers().firstValue("Retry-After").orElse("");
        return seconds.matches("\\d{1,9}") ? TimeUnit.SECONDS.toMillis(Math.min(MAX_SECONDS,
            Long.parseLong(seconds))) : 0;
    }
}
