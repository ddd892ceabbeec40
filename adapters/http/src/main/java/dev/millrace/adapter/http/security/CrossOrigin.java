package dev.millrace.adapter.http.security;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Tells browsers that a page of another origin may read responses; the origin was checked before. Stateless. */
public final class CrossOrigin
{
    private CrossOrigin()
    {
    }

    /** Lets the page read the response, also if it is a refusal. */
    public static void allow(final Request request, final Response response)
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
    public static boolean isPreflight(final Request request)
    {
        return HttpMethod.OPTIONS.is(request.getMethod());
    }

    /**
     * Answers a preflight.
     *
     * @param methods     that the path permits, separated by commas
     * @param headerNames that a page may send, separated by commas
     */
    public static void answer(final Response response, final Callback callback, final String methods,
        final String headerNames)
    {
        response.setStatus(HttpStatus.NO_CONTENT_204);
        final HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.ALLOW, methods);
        headers.put("Access-Control-Allow-Methods", methods);
        headers.put("Access-Control-Allow-Headers", headerNames);
        callback.succeeded();
    }
}
