package dev.millrace.distribution;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A client that posts orders with consecutive ids to the path {@code /orders}, and repeats each request until it is
 * confirmed.
 */
final class PostingClient implements Runnable
{
    final AtomicInteger confirmed = new AtomicInteger();
    final AtomicInteger failed = new AtomicInteger();
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();
    private final URI uri;
    private final int requests;
    private final int rowsPerRequest;

    PostingClient(final int port, final int requests, final int rowsPerRequest)
    {
        uri = URI.create("http://127.0.0.1:" + port + "/orders");
        this.requests = requests;
        this.rowsPerRequest = rowsPerRequest;
    }

    /** Adds a server for events to a configuration. */
    static UnaryOperator<String> events(final int port)
    {
        return config -> config.replace("</n1:config>", "<netio><name>events</name><port>" + port + "</port></netio>" +
            "<jetty><name>Events</name><purpose>events</purpose><network-io-name>events</network-io-name></jetty>" +
            "</n1:config>");
    }

    @Override
    public void run()
    {
        for (int number = 1; number <= requests; number++)
        {
            final StringBuilder rows = new StringBuilder("shop,id\n");
            final int first = (number - 1) * rowsPerRequest;
            IntStream.rangeClosed(1, rowsPerRequest).forEach(row -> rows.append('S').append(row % 97)
                .append(',').append(first + row).append('\n'));
            final HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60))
                .header("Content-Type", "text/csv").header("Idempotency-Key", "shops:" + number)
                .POST(HttpRequest.BodyPublishers.ofString(rows.toString())).build();
            while (!isConfirmed(request))
            {
                failed.incrementAndGet();
            }
            confirmed.set(number);
        }
    }

    private boolean isConfirmed(final HttpRequest request)
    {
        try
        {
            return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
        }
        catch (final IOException e)
        {
            // The server was killed or is starting.
            return false;
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }
}
