package dev.millrace.adapter.http.bayeux;

import java.security.Principal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cometd.bayeux.server.ServerMessage;
import org.cometd.server.websocket.common.AbstractBayeuxContext;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** The request of a message, with the role of its client. Immutable. */
final class RequestContext extends AbstractBayeuxContext
{
    private RequestContext(final Request request, final Principal role)
    {
        super("", request.getHttpURI().getPath(), request.getHttpURI().getQuery(), headers(request),
            parameters(request), role,
            request.getConnectionMetaData().getLocalSocketAddress(),
            request.getConnectionMetaData().getRemoteSocketAddress(), Request.getLocales(request),
            request.getConnectionMetaData().getProtocol(), request.isSecure());
    }

    /** The context of a request, whose objects may be used after it. */
    static RequestContext of(final Request request, final String role)
    {
        return new RequestContext(request, () -> role);
    }

    /** The role of the client of a message. */
    static String role(final ServerMessage message)
    {
        return message.getBayeuxContext().getUserPrincipal().getName();
    }

    private static Map<String, List<String>> headers(final Request request)
    {
        final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (final HttpField field : request.getHeaders())
        {
            headers.computeIfAbsent(field.getName(), name -> new ArrayList<>()).add(field.getValue());
        }
        return headers;
    }

    private static Map<String, List<String>> parameters(final Request request)
    {
        final Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (final Fields.Field field : Request.extractQueryParameters(request))
        {
            parameters.put(field.getName(), List.copyOf(field.getValues()));
        }
        return parameters;
    }
}
