package dev.millrace.adapter.http.security;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.net.InetSocketAddress;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Decides whether a request may be processed: refuses requests that web pages of other origins or with a rebound name
 * make, and clients without credentials. Immutable.
 */
public final class RequestGate
{
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private final ClientCredentials credentials;
    private final Set<String> allowedOrigins;

    /** @param allowedOrigins of web pages, for example {@code https://app.example.org} */
    public RequestGate(final ClientCredentials credentials, final Set<String> allowedOrigins)
    {
        this.credentials = credentials;
        this.allowedOrigins = Set.copyOf(allowedOrigins);
    }

    /**
     * Checks the head of a request.
     *
     * @return name of the client
     * @throws RefusedRequest unless it may be processed
     */
    public String client(final Request request) throws RefusedRequest
    {
        checkOrigin(request);
        final String client = credentials.client(request.getHeaders().get(HttpHeader.AUTHORIZATION));
        if (client == null)
        {
            throw new RefusedRequest(RefusedRequest.UNAUTHORIZED, HttpErrorCode.UNAUTHORIZED,
                "credentials are missing or wrong",
                "send Authorization: Bearer with a token, or Basic with user and password");
        }
        return client;
    }

    /**
     * Refuses requests of web pages.
     *
     * @throws RefusedRequest unless the page may send requests, and the request names a host of the port
     */
    public void checkOrigin(final Request request) throws RefusedRequest
    {
        final String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (origin != null && !allowedOrigins.contains(origin))
        {
            throw new RefusedRequest(RefusedRequest.FORBIDDEN, HttpErrorCode.WRONG_ORIGIN,
                "web pages of this origin may not send requests", "add it to allowedOrigins of the adapter");
        }
        if (!request.isSecure() && isLocal(request) && !LOCAL_NAMES.contains(Request.getServerName(request)))
        {
            throw new RefusedRequest(RefusedRequest.FORBIDDEN, HttpErrorCode.WRONG_ORIGIN,
                "the Host of the request is not that of the port", "use localhost or 127.0.0.1; clients of other " +
                "hosts use a port with TLS");
        }
    }

    private static boolean isLocal(final Request request)
    {
        return request.getConnectionMetaData().getLocalSocketAddress() instanceof final InetSocketAddress address &&
            address.getAddress().isLoopbackAddress();
    }
}
