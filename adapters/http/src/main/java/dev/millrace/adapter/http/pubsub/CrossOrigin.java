package dev.millrace.adapter.http.pubsub;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Tells browsers that a page of another origin may read responses; the origin was checked before. Stateless. */
final class CrossOrigin
{
    private CrossOrigin()
    {
    }

    static void allow(final Request request, final Response response)
    {
        final String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (origin != null)
        {
            final HttpFields.Mutable headers = response.getHeaders();
            headers.put("Access-Control-Allow-Origin", origin);
            headers.put("Access-Control-Allow-Credentials", "true");
            headers.add(HttpHeader.VARY, "Origin");
        }
    }

    /** Whether a browser asks in advance what a page may send. */
    static boolean isPreflight(final Request request)
    {
        return HttpMethod.OPTIONS.is(request.getMethod());
    }

    static void answer(final Response response, final Callback callback)
    {
        response.setStatus(HttpStatus.NO_CONTENT_204);
        final HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.ALLOW, "GET, POST");
        headers.put("Access-Control-Allow-Methods", "GET, POST");
        headers.put("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID");
        callback.succeeded();
    }
}
