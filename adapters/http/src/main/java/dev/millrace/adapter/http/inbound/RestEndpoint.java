package dev.millrace.adapter.http.inbound;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.JsonResponse;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.adapter.http.security.CrossOrigin;
import dev.millrace.adapter.http.security.RequestGate;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Receives the requests to the path of a source. Called by threads of the server; does not block. */
final class RestEndpoint implements Request.Handler
{
    private static final String METHODS = "POST, PUT";

    private final SourceSettings settings;
    private final RequestGate gate;
    private final RequestQueue queue;
    private final SourceCounters counters;
    private final AtomicLong bodyBudget;

    RestEndpoint(final SourceSettings settings, final RequestGate gate, final RequestQueue queue,
        final SourceCounters counters)
    {
        this.settings = settings;
        this.gate = gate;
        this.queue = queue;
        this.counters = counters;
        bodyBudget = new AtomicLong(settings.maxBufferedBytes());
    }

    @Override
    public boolean handle(final Request request, final Response response, final Callback callback)
    {
        // Requests have separate deadlines, and one that is processed may take long.
        request.addIdleTimeoutListener(silence -> false);
        counters.request();
        try
        {
            read(request, response, callback);
        }
        catch (final RefusedRequest e)
        {
            counters.refused(e.code());
            JsonResponse.refuse(response, callback, e);
        }
        return true;
    }

    private void read(final Request request, final Response response, final Callback callback) throws RefusedRequest
    {
        gate.checkOrigin(request);
        CrossOrigin.allow(request, response);
        if (CrossOrigin.isPreflight(request))
        {
            CrossOrigin.answer(response, callback, METHODS,
                "Authorization, Content-Type, Content-Encoding, Idempotency-Key");
            return;
        }
        final String client = gate.client(request);
        if (!HttpMethod.POST.is(request.getMethod()) && !HttpMethod.PUT.is(request.getMethod()))
        {
            response.getHeaders().put(HttpHeader.ALLOW, METHODS);
            throw new RefusedRequest(RefusedRequest.METHOD_NOT_ALLOWED, HttpErrorCode.METHOD,
                "events are posted to this path", "use POST");
        }
        if (!queue.isOpen())
        {
            throw RequestQueue.suspended();
        }
        final MediaFormat format = MediaFormat.of(request.getHeaders(), settings.kinds());
        final boolean isCompressed = MediaFormat.isCompressed(request.getHeaders());
        final PostedRequest posted = new PostedRequest(request, response, callback, format, client,
            RequestKey.of(request.getHeaders()), new BodyBuffer(bodyBudget, settings.maxBodyBytes()), counters);
        new BodyReader(posted, isCompressed, queue::add).start(settings.bodyTimeoutMillis());
    }

    /** Bytes of bodies that are in memory. */
    long bufferedBytes()
    {
        return settings.maxBufferedBytes() - bodyBudget.get();
    }
}
