package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.config.ServerConfiguration.EventServerSettings;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfiguration.SecureAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code netio}, {@code ssl} and {@code jetty}, which refer to each other, and determines the addresses of the
 * management endpoint, and of the servers for events, whose {@code jetty} elements have the purpose {@code events}. Not
 * thread-safe.
 */
final class NetworkReader
{
    private static final int MAX_PORT = 65_535;
    private static final String EVENTS = "events";
    private static final String MANAGEMENT = "management";

    private final Path file;
    private final ConfigurationProblems problems;
    private final Map<String, Netio> addresses = new LinkedHashMap<>();
    private final Map<String, TlsSettings> ssl = new LinkedHashMap<>();
    private final List<Jetty> eventServers = new ArrayList<>();
    private Jetty management;

    /**
     * A netio element.
     *
     * @param sslName the element with the name of its ssl element; {@code null} for a port without TLS
     */
    private record Netio(NetworkAddress address, XmlElement sslName)
    {
    }

    /**
     * A jetty element. Its parts are {@code null} where it lacks an element.
     *
     * @param name       text of the element {@code name}
     * @param plainName  the element with the name of the netio element without TLS
     * @param secureName the element with the name of the netio element with TLS
     */
    private record Jetty(XmlElement element, String name, XmlElement plainName, XmlElement secureName,
        XmlElement workManagerName)
    {
        private static final Jetty NONE = new Jetty(null, null, null, null, null);
    }

    /** @param file {@code config.xml} */
    NetworkReader(final Path file, final ConfigurationProblems problems)
    {
        this.file = file;
        this.problems = problems;
    }

    void readNetio(final XmlElement element)
    {
        String name = "NetIO";
        XmlElement host = null;
        XmlElement port = null;
        XmlElement sslName = null;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text();
                case "port" -> port = child;
                case "listen-address" -> host = child;
                case "ssl-config-bean-name" -> sslName = child;
                case "provider-type", "io-direct-buffer-size", "num-threads", "accept-backlog" ->
                    problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
        final int otherwise = sslName == null ? ServerConfiguration.DEFAULT_PORT : ServerConfiguration.SECURE_PORT;
        final NetworkAddress address = new NetworkAddress(name, host(host, sslName != null),
            port == null ? otherwise : problems.number(port, 0, MAX_PORT, otherwise),
            port == null ? element.position() : port.position());
        if (addresses.put(name, new Netio(address, sslName)) != null)
        {
            problems.add("SRV-0104", element, "two netio elements have the same name, name=" + name, "rename one");
        }
    }

    private String host(final XmlElement element, final boolean isSecure)
    {
        if (element == null)
        {
            return "127.0.0.1";
        }
        try
        {
            final InetAddress address = InetAddress.getByName(element.text());
            if (isSecure || address.isLoopbackAddress())
            {
                return element.text();
            }
            problems.add("SRV-0105", element,
                "listen-address is not a loopback address, listen-address=" + element.text(),
                "a port without TLS is limited to 127.0.0.1 or ::1; for other machines configure a secure port, with"
                    + " ssl-config-bean-name, or use an SSH tunnel");
        }
        catch (final UnknownHostException e)
        {
            problems.add("SRV-0105", element, "listen-address cannot be resolved, listen-address=" + element.text(),
                "use 127.0.0.1");
        }
        return "127.0.0.1";
    }

    void readSsl(final XmlElement element)
    {
        final TlsSettings settings =
            new SslReader(file.toAbsolutePath().getParent().getParent(), problems).read(element);
        if (settings != null && ssl.put(settings.name(), settings) != null)
        {
            problems.add("SRV-0104", element, "two ssl elements have the same name, name=" + settings.name(),
                "rename one");
        }
    }

    void readJetty(final XmlElement element)
    {
        String name = null;
        XmlElement plainName = null;
        XmlElement secureName = null;
        XmlElement workManagerName = null;
        XmlElement purpose = null;
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" -> name = child.text();
                case "network-io-name" -> plainName = child;
                case "work-manager-name" -> workManagerName = child;
                case "secure-network-io-name" -> secureName = child;
                case "purpose" -> purpose = child;
                case "scratch-directory" -> problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
        final Jetty read = new Jetty(element, name, plainName, secureName, workManagerName);
        if (purpose != null && purpose.text().equals(EVENTS))
        {
            addEventServer(read);
        }
        else if (purpose != null && !purpose.text().equals(MANAGEMENT))
        {
            problems.add("SRV-0105", purpose, "no such purpose, purpose=" + purpose.text(),
                "use " + MANAGEMENT + " or " + EVENTS);
        }
        else if (management != null)
        {
            problems.add("SRV-0166", element, "two jetty elements declare the management endpoint, name=" + name,
                "remove one, or add <purpose>" + EVENTS + "</purpose> to declare a server for events");
        }
        else
        {
            management = read;
        }
    }

    private void addEventServer(final Jetty added)
    {
        if (added.workManagerName != null)
        {
            problems.addNotUsed(added.workManagerName);
        }
        if (added.name == null || added.name.isEmpty() || added.plainName == null && added.secureName == null)
        {
            problems.add("SRV-0164", added.element, "a server for events has no name or no port, name=" + added.name,
                "add <name>, and <network-io-name> or <secure-network-io-name>");
        }
        else if (eventServers.stream().anyMatch(other -> other.name.equals(added.name)))
        {
            problems.add("SRV-0104", added.element, "two jetty elements have the same name, name=" + added.name,
                "rename one");
        }
        else
        {
            eventServers.add(added);
        }
    }

    private Jetty management()
    {
        return management == null ? Jetty.NONE : management;
    }

    /** The element with the name of the work manager of the endpoint, {@code null} for the default. */
    XmlElement workManagerName()
    {
        return management().workManagerName;
    }

    /** The address of the endpoint without TLS; called after all elements were read. */
    NetworkAddress plain()
    {
        final Netio named = plain(management());
        if (named != null)
        {
            return named.address;
        }
        return addresses.values().stream().filter(netio -> netio.sslName == null && !isOfEvents(netio))
            .map(Netio::address).findFirst().orElse(new NetworkAddress(
                "NetIO", "127.0.0.1", ServerConfiguration.DEFAULT_PORT, new SourcePosition(file.toString(), 0, 0)));
    }

    private boolean isOfEvents(final Netio netio)
    {
        return eventServers.stream().anyMatch(server -> isNamed(server.plainName, netio) ||
            isNamed(server.secureName, netio));
    }

    private static boolean isNamed(final XmlElement name, final Netio netio)
    {
        return name != null && name.text().equals(netio.address.name());
    }

    /** The port without TLS of a jetty element; {@code null} if it names none. */
    private Netio plain(final Jetty jetty)
    {
        final Netio named = jetty.plainName == null ? null : named(jetty.plainName);
        if (named != null && named.sslName != null)
        {
            problems.add("SRV-0161", jetty.plainName, "the port of network-io-name has no TLS, name=" +
                jetty.plainName.text() + " ssl-config-bean-name=" + named.sslName.text(),
                "name this netio element in secure-network-io-name, and one without ssl-config-bean-name here");
        }
        return named;
    }

    /** The address of the endpoint with TLS, {@code null} without one; called after all elements were read. */
    SecureAddress secure()
    {
        addresses.values().stream().filter(netio -> netio.sslName != null && !isOfEvents(netio) &&
            !isNamed(management().secureName, netio)).forEach(netio -> problems.addNotUsed(netio.sslName));
        return secure(management());
    }

    private SecureAddress secure(final Jetty jetty)
    {
        final Netio named = jetty.secureName == null ? null : named(jetty.secureName);
        if (named == null)
        {
            return null;
        }
        if (named.sslName == null)
        {
            problems.add("SRV-0162", jetty.secureName, "the port of secure-network-io-name has no key, name=" +
                jetty.secureName.text(),
                "add ssl-config-bean-name to this netio element, with the name of an ssl element");
            return null;
        }
        final TlsSettings settings = ssl.get(named.sslName.text());
        if (settings == null)
        {
            problems.add("SRV-0103", named.sslName,
                "no element with this name, element=ssl name=" + named.sslName.text(), "ssl elements: " + ssl.keySet());
            return null;
        }
        return new SecureAddress(named.address, settings);
    }

    /** The servers for events; called after all elements were read. */
    List<EventServerSettings> eventServers()
    {
        final List<EventServerSettings> servers = new ArrayList<>();
        final Map<String, Jetty> users = new LinkedHashMap<>();
        use(users, management(), management().plainName);
        use(users, management(), management().secureName);
        for (final Jetty server : eventServers)
        {
            use(users, server, server.plainName);
            use(users, server, server.secureName);
            final Netio plain = plain(server);
            servers.add(new EventServerSettings(server.name, plain == null ? null : plain.address, secure(server)));
        }
        return servers;
    }

    private void use(final Map<String, Jetty> users, final Jetty server, final XmlElement name)
    {
        if (name != null && users.putIfAbsent(name.text(), server) != null && users.get(name.text()) != server)
        {
            problems.add("SRV-0165", name, "two servers use the same port, netio=" + name.text(),
                "add a netio element with another port, and name it here");
        }
    }

    private Netio named(final XmlElement name)
    {
        final Netio named = addresses.get(name.text());
        if (named == null)
        {
            problems.add("SRV-0103", name, "no element with this name, element=netio name=" + name.text(),
                "netio elements: " + addresses.keySet());
        }
        return named;
    }
}
