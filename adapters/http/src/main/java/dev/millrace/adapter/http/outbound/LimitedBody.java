package dev.millrace.adapter.http.outbound;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Keeps the first bytes of the body of a response, and does not read the rest. Called by one thread at a time. */
final class LimitedBody implements HttpResponse.BodySubscriber<String>
{
    private static final int MAX_BYTES = 512;

    private final ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
    private final CompletableFuture<String> text = new CompletableFuture<>();
    private Flow.Subscription subscription;

    @Override
    public CompletionStage<String> getBody()
    {
        return text;
    }

    @Override
    public void onSubscribe(final Flow.Subscription given)
    {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(final List<ByteBuffer> parts)
    {
        for (final ByteBuffer part : parts)
        {
            final int count = Math.min(bytes.remaining(), part.remaining());
            bytes.put(part.slice().limit(count));
        }
        if (bytes.hasRemaining())
        {
            subscription.request(1);
        }
        else
        {
            subscription.cancel();
            onComplete();
        }
    }

    @Override
    public void onError(final Throwable failure)
    {
        text.completeExceptionally(failure);
    }

    @Override
    public void onComplete()
    {
        final StringBuilder plain = new StringBuilder();
        new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).codePoints()
            .map(point -> Character.isISOControl(point) ? ' ' : point).forEach(plain::appendCodePoint);
        text.complete(plain.toString().strip());
    }
}
