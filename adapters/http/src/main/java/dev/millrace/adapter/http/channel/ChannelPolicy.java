package dev.millrace.adapter.http.channel;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.adapter.http.security.ClientCredentials;
import dev.millrace.adapter.http.security.RequestGate;
import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelNames;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** Decides which clients may use which channels. Immutable. */
public final class ChannelPolicy
{
    /** The role of a client without credentials. */
    public static final String NOBODY = "";

    private final List<ChannelConstraint> constraints;
    private final ClientCredentials credentials;
    private final RequestGate gate;

    /**
     * @param credentials of all roles
     * @param gate        refuses web pages of other origins
     */
    public ChannelPolicy(final List<ChannelConstraint> constraints, final ClientCredentials credentials,
        final RequestGate gate)
    {
        this.constraints = List.copyOf(constraints);
        this.credentials = credentials;
        this.gate = gate;
    }

    /**
     * Refuses requests of web pages.
     *
     * @throws RefusedRequest unless the page may send requests, and the request names a host of the port
     */
    public void checkOrigin(final Request request) throws RefusedRequest
    {
        gate.checkOrigin(request);
    }

    /**
     * Authenticates the client of a request.
     *
     * @return the role of the client, {@link #NOBODY} without credentials
     * @throws RefusedRequest if its credentials are wrong, or its user has to wait
     */
    public String role(final Request request) throws RefusedRequest
    {
        if (!request.getHeaders().contains(HttpHeader.AUTHORIZATION) || !credentials.isRequired())
        {
            return NOBODY;
        }
        final String role = credentials.client(request);
        if (role == null)
        {
            throw unauthorized("credentials are wrong");
        }
        return role;
    }

    /** Whether a role may use a channel, or all channels that a pattern covers. */
    public boolean allows(final String role, final Operation operation, final String channelOrPattern)
    {
        return constraints.stream().filter(each -> each.operations().contains(operation))
            .filter(each -> each.patterns().stream().anyMatch(pattern ->
                ChannelNames.overlap(pattern, channelOrPattern)))
            .allMatch(each -> each.roles().contains(role));
    }

    /**
     * Refuses a client unless it may use a channel.
     *
     * @throws RefusedRequest if it may not
     */
    public void check(final String role, final Operation operation, final String channel) throws RefusedRequest
    {
        if (allows(role, operation, channel))
        {
            return;
        }
        if (role.equals(NOBODY))
        {
            throw unauthorized("the channel requires credentials");
        }
        throw new RefusedRequest(RefusedRequest.FORBIDDEN, HttpErrorCode.CHANNEL_FORBIDDEN,
            "the role may not use the channel", "compare channel-constraints in config.xml");
    }

    private static RefusedRequest unauthorized(final String text)
    {
        return new RefusedRequest(RefusedRequest.UNAUTHORIZED, HttpErrorCode.UNAUTHORIZED, text,
            "send Authorization: Bearer with the secret of a role, or Basic with role and secret");
    }
}
