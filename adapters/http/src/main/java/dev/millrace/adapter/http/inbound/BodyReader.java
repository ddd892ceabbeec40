package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;

/** Reads the body of a request without blocking. Called by one thread of the server at a time. */
final class BodyReader implements Runnable
{
    private final PostedRequest posted;
    private final boolean isCompressed;
    private final Consumer<PostedRequest> whenRead;

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
        if (refuses(() -> posted.body.expect(posted.request.getLength())))
        {
            return;
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
            final boolean isRefused = refuses(() -> posted.body.add(chunk.getByteBuffer()));
            chunk.release();
            if (isRefused)
            {
                return;
            }
            if (isLast)
            {
                end();
                return;
            }
        }
    }

    private void end()
    {
        if (!isCompressed || !refuses(posted.body::decompress))
        {
            whenRead.accept(posted);
        }
    }

    /** A step that can refuse the request. */
    private interface Step
    {
        void run() throws RefusedRequest;
    }

    private boolean refuses(final Step step)
    {
        try
        {
            step.run();
            return false;
        }
        catch (final RefusedRequest e)
        {
            posted.body.release();
            posted.refuse(e);
            return true;
        }
    }
}
