package dev.millrace.adapter.http.pubsub;

import java.io.Closeable;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The JDK's WebSocket client, which collects text messages. */
final class WebSocketClient implements WebSocket.Listener, Closeable
{
    final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
    private final StringBuilder part = new StringBuilder();
    private final boolean isReading;
    private final WebSocket socket;

    WebSocketClient(final URI uri, final String... headers)
    {
        this(true, HttpClient.newHttpClient(), uri, headers);
    }

    /** @param isReading whether messages are read at all */
    WebSocketClient(final boolean isReading, final URI uri, final String... headers)
    {
        this(isReading, HttpClient.newHttpClient(), uri, headers);
    }

    WebSocketClient(final HttpClient http, final URI uri, final String... headers)
    {
        this(true, http, uri, headers);
    }

    private WebSocketClient(final boolean isReading, final HttpClient http, final URI uri, final String... headers)
    {
        this.isReading = isReading;
        final WebSocket.Builder builder = http.newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2)
        {
            builder.header(headers[i], headers[i + 1]);
        }
        socket = builder.buildAsync(uri, this).join();
    }

    @Override
    public void onOpen(final WebSocket opened)
    {
        if (isReading)
        {
            opened.request(1);
        }
    }

    @Override
    public CompletionStage<?> onText(final WebSocket from, final CharSequence data, final boolean isLast)
    {
        part.append(data);
        if (isLast)
        {
            messages.add(part.toString());
            part.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(final WebSocket from, final int status, final String reason)
    {
        closed.complete(status);
        return null;
    }

    @Override
    public void onError(final WebSocket from, final Throwable error)
    {
        closed.completeExceptionally(error);
    }

    String next() throws InterruptedException
    {
        return messages.poll(60, TimeUnit.SECONDS);
    }

    void send(final String text)
    {
        socket.sendText(text, true).join();
    }

    /** Reads the messages that have arrived. */
    void read()
    {
        socket.request(Long.MAX_VALUE);
    }

    @Override
    public void close()
    {
        socket.abort();
    }
}
