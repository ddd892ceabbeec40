package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** The requests that wait for the source. Thread-safe. */
final class RequestQueue
{
    private final BlockingQueue<PostedRequest> requests;
    private final long maxWaitMs;
    private volatile boolean isOpen;

    RequestQueue(final int capacity, final long maxWaitMs)
    {
        requests = new ArrayBlockingQueue<>(capacity);
        this.maxWaitMs = maxWaitMs;
    }

    /** Whether requests are accepted at present. */
    boolean isOpen()
    {
        return isOpen;
    }

    /** Accepts requests from now on. */
    void open()
    {
        isOpen = true;
    }

    /** Refuses all waiting requests, and those that arrive from now on. */
    void close()
    {
        isOpen = false;
        PostedRequest each = requests.poll();
        while (each != null)
        {
            each.refuse(suspended());
            each = requests.poll();
        }
    }

    /** Adds a request whose body is complete, or refuses it. */
    void add(final PostedRequest posted)
    {
        posted.deadline(posted.request.getComponents().getScheduler().schedule(
            () -> posted.refuseWaiting(BodyBuffer.busy()), maxWaitMs, TimeUnit.MILLISECONDS));
        if (!isOpen)
        {
            posted.refuse(suspended());
        }
        else if (!requests.offer(posted))
        {
            posted.refuse(BodyBuffer.busy());
        }
        else if (!isOpen)
        {
            // It may have been added after close() has emptied the queue.
            close();
        }
    }

    /** Returns the next request, {@code null} if none arrives in time. */
    PostedRequest poll(final long timeoutMs) throws InterruptedException
    {
        return requests.poll(timeoutMs, TimeUnit.MILLISECONDS);
    }

    int size()
    {
        return requests.size();
    }

    /** The refusal of a request while the source does not run. */
    static RefusedRequest suspended()
    {
        return new RefusedRequest(RefusedRequest.UNAVAILABLE, HttpErrorCode.SUSPENDED,
            "the application is suspended or stops", "repeat the request later");
    }
}
