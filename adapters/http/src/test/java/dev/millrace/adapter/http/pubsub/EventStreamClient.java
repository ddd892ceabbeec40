package dev.millrace.adapter.http.pubsub;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Reads server-sent events from a plain HTTP response. */
final class EventStreamClient implements Flow.Subscriber<String>, Closeable
{
    private static final String END = "end of stream";

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final HttpResponse.ResponseInfo head;
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

    /** An event; parts that are missing are {@code null}. */
    record Event(String id, String event, String data)
    {
    }

    /** @param lastId {@code null} for none */
    EventStreamClient(final URI uri, final String lastId, final String... headers)
        throws IOException, InterruptedException
    {
        this(HttpClient.newHttpClient(), uri, lastId, headers);
    }

    /** @param lastId {@code null} for none */
    EventStreamClient(final HttpClient http, final URI uri, final String lastId, final String... headers)
        throws IOException, InterruptedException
    {
        final HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (lastId != null)
        {
            request.header("Last-Event-ID", lastId);
        }
        for (int i = 0; i < headers.length; i += 2)
        {
            request.header(headers[i], headers[i + 1]);
        }
        final BlockingQueue<HttpResponse.ResponseInfo> heads = new LinkedBlockingQueue<>();
        http.sendAsync(request.build(), info ->
        {
            heads.add(info);
            return HttpResponse.BodySubscribers.fromLineSubscriber(this);
        });
        head = heads.poll(60, TimeUnit.SECONDS);
    }

    @Override
    public void onSubscribe(final Flow.Subscription given)
    {
        subscription.complete(given);
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(final String line)
    {
        lines.add(line);
    }

    @Override
    public void onError(final Throwable failure)
    {
        lines.add(END);
    }

    @Override
    public void onComplete()
    {
        lines.add(END);
    }

    int status()
    {
        return head.statusCode();
    }

    /** The next line of the body. */
    String line() throws IOException, InterruptedException
    {
        final String line = lines.poll(60, TimeUnit.SECONDS);
        if (line == null || line.equals(END))
        {
            throw new IOException(line == null ? "nothing in time" : line);
        }
        return line;
    }

    /** The next event that is not a comment. */
    Event next() throws IOException, InterruptedException
    {
        String id = null;
        String event = null;
        String data = null;
        while (true)
        {
            final String line = line();
            if (line.isEmpty() && data != null)
            {
                return new Event(id, event, data);
            }
            id = line.startsWith("id: ") ? line.substring(4) : id;
            event = line.startsWith("event: ") ? line.substring(7) : event;
            data = line.startsWith("data: ") ? line.substring(6) : data;
        }
    }

    List<Event> next(final int count) throws IOException, InterruptedException
    {
        final List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            events.add(next());
        }
        return events;
    }

    @Override
    public void close()
    {
        subscription.orTimeout(60, TimeUnit.SECONDS).join().cancel();
    }
}
