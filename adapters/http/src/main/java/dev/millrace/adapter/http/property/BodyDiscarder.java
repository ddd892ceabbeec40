package dev.millrace.adapter.http.property;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;

/**
 * Reads and discards the rest of the body of a refused request. A connection that is closed while its client still
 * sends is reset, and the client would see a broken connection instead of the response. Called by one thread at a time.
 */
final class BodyDiscarder implements Runnable
{
    private static final long MAX_BYTES = 16L << 20;
    private static final long MAX_SECONDS = 10;

    private final Request request;
    private final Callback callback;
    private final long beginNs = NanoTime.now();
    private long sizeBytes;

    /** @param callback completed after the body, or when the client sends too much or for too long */
    BodyDiscarder(final Request request, final Callback callback)
    {
        this.request = request;
        this.callback = callback;
    }

    @Override
    public void run()
    {
        while (sizeBytes <= MAX_BYTES && NanoTime.secondsSince(beginNs) < MAX_SECONDS)
        {
            final Content.Chunk chunk = request.read();
            if (chunk == null)
            {
                request.demand(this);
                return;
            }
            sizeBytes += chunk.remaining();
            chunk.release();
            if (chunk.isLast())
            {
                break;
            }
        }
        callback.succeeded();
    }
}
