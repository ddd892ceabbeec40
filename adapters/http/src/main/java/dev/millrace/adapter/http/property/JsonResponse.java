package dev.millrace.adapter.http.property;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.millrace.api.secret.LoginThrottle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes responses as JSON. Thread-safe. */
public final class JsonResponse
{
    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
    /** Time after which a client that was refused for a temporary reason may try again. */
    private static final int RETRY_AFTER_SECONDS = 1;

    private JsonResponse()
    {
    }

    /**
     * Ends a request with a problem, after the rest of its body has been discarded. No other thread may read the body.
     */
    public static void refuse(final Response response, final Callback callback, final RefusedRequest refused)
    {
        final BodyDiscarder rest = new BodyDiscarder(response.getRequest(), callback);
        refuseWhileReading(response, Callback.from(rest::run, callback::failed), refused);
    }

    /** Ends a request with a problem, although another thread may read its body. */
    public static void refuseWhileReading(
        final Response response, final Callback callback, final RefusedRequest refused)
    {
        final HttpFields.Mutable headers = response.getHeaders();
        if (refused.status() == RefusedRequest.TOO_MANY || refused.status() == RefusedRequest.UNAVAILABLE)
        {
            headers.put(HttpHeader.RETRY_AFTER, refused.code() == HttpErrorCode.TOO_MANY_LOGINS ?
                LoginThrottle.PERIOD_SECONDS : RETRY_AFTER_SECONDS);
        }
        else if (refused.status() == RefusedRequest.UNAUTHORIZED)
        {
            headers.put(HttpHeader.WWW_AUTHENTICATE, "Bearer realm=\"events\"");
            headers.add(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"events\", charset=\"UTF-8\"");
        }
        write(response, callback, refused.status(), refused.body());
    }

    /** Ends a request. */
    public static void write(final Response response, final Callback callback, final int status,
        final Map<String, Object> body)
    {
        final byte[] bytes = (GSON.toJson(body) + '\n').getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        final HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/json; charset=utf-8");
        headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }
}
