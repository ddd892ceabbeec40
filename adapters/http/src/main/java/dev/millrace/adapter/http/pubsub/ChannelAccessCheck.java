package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.channel.ChannelPolicy;
import dev.millrace.adapter.http.security.AccessProperties;
import dev.millrace.adapter.http.security.ClientCredentials;
import dev.millrace.adapter.http.security.RequestGate;
import dev.millrace.api.http.ChannelConstraint;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.secret.NamedSecrets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Creates the policy of a server of channels from its constraints and the secrets of their roles. Stateless. */
final class ChannelAccessCheck
{
    private static final String EVERY_CHANNEL = "/**";

    private ChannelAccessCheck()
    {
    }

    /** @throws IllegalArgumentException if other hosts need no authentication, or a role has no secret */
    static ChannelPolicy policy(final ChannelServer server, final EventServer eventServer, final PropertyCheck check,
        final NamedSecrets secrets)
    {
        final Map<String, String> roles = new LinkedHashMap<>();
        server.constraints().stream().flatMap(each -> each.roles().stream()).distinct()
            .forEach(role -> roles.put(role, AccessProperties.secret(check, secrets, "role-name", role)));
        if (!server.access().isUnauthenticatedAllowed() && !isProtected(server))
        {
            AccessProperties.onlyLocal(check, eventServer, "constrain the channel-pattern " + EVERY_CHANNEL +
                " of " + server.path() + " to roles in config.xml");
        }
        final ClientCredentials credentials = new ClientCredentials(roles, roles);
        return new ChannelPolicy(server.constraints(), credentials,
            new RequestGate(credentials, server.access().allowedOrigins()));
    }

    private static boolean isProtected(final ChannelServer server)
    {
        return Arrays.stream(Operation.values()).allMatch(operation -> server.constraints().stream()
            .anyMatch(each -> isAll(each, operation)));
    }

    private static boolean isAll(final ChannelConstraint constraint, final Operation operation)
    {
        return constraint.operations().contains(operation) && constraint.patterns().contains(EVERY_CHANNEL);
    }
}
