package dev.millrace.server.http;

import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.PortTls;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.ServerConfiguration.EventServerSettings;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfiguration.SecureAddress;
import dev.millrace.server.config.TlsSettings;
import java.util.ArrayList;
import java.util.List;

/** Converts the servers for events of {@code config.xml} into those that adapters look up. Stateless. */
public final class DeclaredEventServers
{
    private DeclaredEventServers()
    {
    }

    /**
     * Reads the key stores of all ports.
     *
     * @throws DeploymentException with the position of the element of a store that cannot be used
     */
    public static List<EventServer> of(final List<EventServerSettings> declared) throws DeploymentException
    {
        final List<EventServer> servers = new ArrayList<>();
        for (final EventServerSettings settings : declared)
        {
            final List<EventPort> ports = new ArrayList<>();
            if (settings.plain() != null)
            {
                ports.add(port(settings.plain(), null));
            }
            if (settings.secure() != null)
            {
                ports.add(port(settings.secure().address(), tls(settings.secure())));
            }
            servers.add(new EventServer(settings.name(), ports));
        }
        return servers;
    }

    private static PortTls tls(final SecureAddress secure) throws DeploymentException
    {
        final TlsSettings tls = secure.tls();
        return new PortTls(TlsContexts.context(tls), tls.protocols(), tls.cipherSuites(), tls.needsClientAuth());
    }

    private static EventPort port(final NetworkAddress address, final PortTls tls)
    {
        return new EventPort(address.name(), address.host(), address.port(), tls);
    }
}
