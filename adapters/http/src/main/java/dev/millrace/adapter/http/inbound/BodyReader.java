package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;

/**
 * Reads the body of a request without blocking. If it must be refused, its rest is read and discarded up to a limit, so
 * that the client can read the response. Called by one thread of the server at a time.
 */
final class BodyReader implements Runnable
{
    /** Maximum bytes read of the body of a refused request. */
    private static final long MAX_DISCARDED_BYTES = 16L << 20;

    private final PostedRequest posted;
    private final boolean isCompressed;
    private final Consumer<PostedRequest> whenRead;
    private RefusedRequest refused;
    private long discardedBytes;

    /** @param whenRead receives the request when its body is complete; it is not called for others */
    BodyReader(final PostedRequest posted, final boolean isCompressed, final Consumer<PostedRequest> whenRead)
    {
        this.posted = posted;
        this.isCompressed = isCompressed;
        this.whenRead = whenRead;
    }

    /** Begins to read. */
    void start(final long timeoutMs)
    {
        posted.deadline(posted.request.getComponents().getScheduler().schedule(() -> posted.refuseWaiting(
            new RefusedRequest(RefusedRequest.TIMEOUT, HttpErrorCode.TOO_SLOW, "the body did not arrive within " +
            timeoutMs + " ms", "send smaller bodies, or raise bodyTimeoutMillis of the adapter")), timeoutMs,
            TimeUnit.MILLISECONDS));
        try
        {
            posted.body.expect(posted.request.getLength());
        }
        catch (final RefusedRequest e)
        {
            refused = e;
        }
        run();
    }

    @Override
    public void run()
    {
        while (!posted.isAnswered())
        {
            final Content.Chunk chunk = posted.request.read();
            if (chunk == null)
            {
                posted.request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk))
            {
                posted.refuse(new RefusedRequest(RefusedRequest.BAD_REQUEST, HttpErrorCode.BAD_REQUEST,
                    "the body is incomplete", "send as many bytes as Content-Length announces"));
                return;
            }
            final boolean isLast = chunk.isLast();
            try
            {
                add(chunk);
            }
            finally
            {
                chunk.release();
            }
            if (isLast || discardedBytes > MAX_DISCARDED_BYTES)
            {
                end();
                return;
            }
        }
    }

    private void add(final Content.Chunk chunk)
    {
        if (refused != null)
        {
            discardedBytes += chunk.remaining();
            return;
        }
        try
        {
            posted.body.add(chunk.getByteBuffer());
        }
        catch (final RefusedRequest e)
        {
            refused = e;
            posted.body.release();
        }
    }

    private void end()
    {
        try
        {
            if (refused == null && isCompressed)
            {
                posted.body.decompress();
            }
        }
        catch (final RefusedRequest e)
        {
            refused = e;
        }
        if (refused != null)
        {
            posted.refuse(refused);
        }
        else
        {
            whenRead.accept(posted);
        }
    }
}
