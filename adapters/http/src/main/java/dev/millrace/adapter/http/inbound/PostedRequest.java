package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.JsonResponse;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A request from its head to its response. Its body is written and read by one thread at a time; the response is
 * sent once, by the first thread that calls {@link #answer} or {@link #refuse}, and releases the body. These are
 * thread-safe.
 */
final class PostedRequest
{
    private enum State
    {
        /** Its body is read, or it waits for the source. */
        WAITING,
        /** The source processes it. */
        TAKEN,
        /** Its response was sent. */
        ANSWERED
    }

    final Request request;
    final MediaFormat format;
    final String client;
    final RequestKey key;
    final BodyBuffer body;
    private final Response response;
    private final Callback callback;
    private final SourceCounters counters;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile Scheduler.Task deadline;

    /** @param key {@code null} for a request without one */
    PostedRequest(final Request request, final Response response, final Callback callback, final MediaFormat format,
        final String client, final RequestKey key, final BodyBuffer body, final SourceCounters counters)
    {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.format = format;
        this.client = client;
        this.key = key;
        this.body = body;
        this.counters = counters;
        // After a refusal by a time limit, no other thread may come to release it.
        Request.addCompletionListener(request, failure -> body.release());
    }

    /** Limits the time of the current phase; the previous limit ends. */
    void deadline(final Scheduler.Task next)
    {
        final Scheduler.Task last = deadline;
        deadline = next;
        if (last != null)
        {
            last.cancel();
        }
    }

    /** Begins to process it; returns false if it was refused before. */
    boolean take()
    {
        final boolean isTaken = state.compareAndSet(State.WAITING, State.TAKEN);
        if (isTaken)
        {
            deadline(null);
        }
        return isTaken;
    }

    boolean isAnswered()
    {
        return state.get() == State.ANSWERED;
    }

    /** Refuses it unless it was taken or answered before. */
    void refuseWaiting(final RefusedRequest refused)
    {
        if (state.compareAndSet(State.WAITING, State.ANSWERED))
        {
            // Its body may be read at the moment.
            counters.refused(refused.code());
            JsonResponse.refuseWhileReading(response, callback, refused);
        }
    }

    /** Refuses it unless it was answered before. No other thread may read its body. */
    void refuse(final RefusedRequest refused)
    {
        if (state.getAndSet(State.ANSWERED) != State.ANSWERED)
        {
            deadline(null);
            counters.refused(refused.code());
            JsonResponse.refuse(response, callback, refused);
        }
    }

    /** Responds unless it was answered before. */
    void answer(final int status, final Map<String, Object> answer)
    {
        if (state.getAndSet(State.ANSWERED) != State.ANSWERED)
        {
            deadline(null);
            JsonResponse.write(response, callback, status, answer);
        }
    }
}
