package dev.millrace.adapter.http.security;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import java.net.InetSocketAddress;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Decides whether a request may be processed: refuses requests that web pages of other origins or with a rebound name
 * make, and clients without credentials. Thread-safe.
 */
public final class RequestGate
{
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");
    private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

    private final ClientCredentials credentials;
    private final Set<String> allowedOrigins;

    /** @param allowedOrigins of web pages, for example {@code https://app.example.org} */
    public RequestGate(final ClientCredentials credentials, final Set<String> allowedOrigins)
    {
        this.credentials = credentials;
        this.allowedOrigins = Set.copyOf(allowedOrigins);
    }

    /**
     * Authenticates the client of a request.
     *
     * @return name of the client
     * @throws RefusedRequest if its credentials are missing or wrong, or its user has to wait
     */
    public String client(final Request request) throws RefusedRequest
    {
        final String client = credentials.client(request);
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
        if (origin != null ? !allowedOrigins.contains(origin) : isLoadedByOtherPage(request))
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

    /** Whether a page of another origin loads the URL, for example as a script: browsers then send no Origin. */
    private boolean isLoadedByOtherPage(final Request request)
    {
        final String site = request.getHeaders().get("Sec-Fetch-Site");
        if (site == null || !OTHER_SITES.contains(site))
        {
            return false;
        }
        final String page = request.getHeaders().get(HttpHeader.REFERER);
        return page == null || allowedOrigins.stream().noneMatch(each -> page.startsWith(each + '/'));
    }

    private static boolean isLocal(final Request request)
    {
        return request.getConnectionMetaData().getLocalSocketAddress() instanceof final InetSocketAddress address &&
            address.getAddress().isLoopbackAddress();
    }
}
