package dev.millrace.server.config;

import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfiguration.SecureAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads {@code netio}, {@code ssl} and {@code jetty}, which refer to each other, and determines the addresses of the
 * management endpoint. Not thread-safe.
 */
final class NetworkReader
{
    private static final int MAX_PORT = 65_535;

    private final Path file;
    private final ConfigurationProblems problems;
    private final Map<String, Netio> addresses = new LinkedHashMap<>();
    private final Map<String, TlsSettings> ssl = new LinkedHashMap<>();
    private XmlElement plainName;
    private XmlElement secureName;
    private XmlElement workManagerName;

    /**
     * A netio element.
     *
     * @param sslName the element with the name of its ssl element; {@code null} for a port without TLS
     */
    private record Netio(NetworkAddress address, XmlElement sslName)
    {
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
        for (final XmlElement child : element.children())
        {
            switch (child.name())
            {
                case "name" ->
                {
                    // The name of the server is not referenced yet.
                }
                case "network-io-name" -> plainName = child;
                case "work-manager-name" -> workManagerName = child;
                case "secure-network-io-name" -> secureName = child;
                case "scratch-directory" -> problems.addNotUsed(child);
                default -> problems.addUnknown(child);
            }
        }
    }

    /** The element with the name of the work manager of the endpoint, {@code null} for the default. */
    XmlElement workManagerName()
    {
        return workManagerName;
    }

    /** The address of the endpoint without TLS; called after all elements were read. */
    NetworkAddress plain()
    {
        if (plainName != null)
        {
            final Netio named = named(plainName);
            if (named != null && named.sslName != null)
            {
                problems.add("SRV-0161", plainName, "the port of network-io-name has no TLS, name=" + plainName.text() +
                    " ssl-config-bean-name=" + named.sslName.text(),
                    "name this netio element in secure-network-io-name, and one without ssl-config-bean-name here");
            }
            if (named != null)
            {
                return named.address;
            }
        }
        return addresses.values().stream().filter(netio -> netio.sslName == null).map(Netio::address).findFirst()
            .orElse(new NetworkAddress(
                "NetIO", "127.0.0.1", ServerConfiguration.DEFAULT_PORT, new SourcePosition(file.toString(), 0, 0)));
    }

    /** The address of the endpoint with TLS, {@code null} without one; called after all elements were read. */
    SecureAddress secure()
    {
        addresses.values().stream().filter(netio -> netio.sslName != null &&
            (secureName == null || !secureName.text().equals(netio.address.name())))
            .forEach(netio -> problems.addNotUsed(netio.sslName));
        final Netio named = secureName == null ? null : named(secureName);
        if (named == null)
        {
            return null;
        }
        if (named.sslName == null)
        {
            problems.add("SRV-0162", secureName, "the port of secure-network-io-name has no key, name=" +
                secureName.text(), "add ssl-config-bean-name to this netio element, with the name of an ssl element");
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
