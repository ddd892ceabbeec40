package dev.millrace.server.config;

import dev.millrace.server.spi.ClusterConfiguration;
import dev.millrace.server.spi.ClusterConfiguration.Encryption;
import dev.millrace.server.spi.ClusterConfiguration.Multicast;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the {@code cluster} element in the format of Oracle Event Processing. Not thread-safe; used once. */
final class ClusterReader
{
    private static final Set<String> OFF = Set.of("false", "none");
    /** OEP's names of its two cluster types; both enable the cluster. */
    private static final Set<String> ON = Set.of("true", "coherence", "evs4j");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
    private static final Pattern ADDRESS =
        Pattern.compile("(?:\\[[0-9a-fA-F:.]+]|[A-Za-z0-9.-]+):(\\d{1,5})(?:\\.\\.(\\d{1,5}))?");
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORTS = 1_000;
    private static final int MIN_DETECTION_MS = 1_000;
    private static final int MAX_DETECTION_MS = 600_000;

    private final Path directory;
    private final ConfigurationProblems problems;

    private String serverName = "";
    private int identity = ClusterConfiguration.NO_IDENTITY;
    private final Set<String> groups = new TreeSet<>();
    private XmlElement host;
    private final List<String> addresses = new ArrayList<>();
    private int discoveryPort = ClusterConfiguration.DEFAULT_DISCOVERY_PORT;
    private int communicationPort = ClusterConfiguration.DEFAULT_COMMUNICATION_PORT;
    private int portCount = ClusterConfiguration.DEFAULT_PORT_COUNT;
    private int failureDetectionMs = ClusterConfiguration.DEFAULT_FAILURE_DETECTION_MS;
    private XmlElement multicastAddress;
    private XmlElement multicastPort;
    private int multicastPortNumber = Multicast.DEFAULT_PORT;
    private boolean isEncrypted;
    private Path keyStore;
    private Path trustStore;
    private String password;

    /**
     * @param directory directory of the configuration, which contains certificate stores
     * @param problems  receives errors and elements without effect
     */
    ClusterReader(final Path directory, final ConfigurationProblems problems)
    {
        this.directory = directory;
        this.problems = problems;
    }

    /**
     * Reads the element; {@code null} when the cluster is disabled, or when the element is invalid, which is reported.
     */
    ClusterConfiguration read(final XmlElement element)
    {
        final XmlElement enabled = element.child("enabled").orElse(null);
        if (enabled == null)
        {
            problems.addNotUsed(element);
            return null;
        }
        if (OFF.contains(enabled.text()))
        {
            return null;
        }
        final int before = problems.size();
        if (!ON.contains(enabled.text()))
        {
            problems.add("SRV-0120", enabled, "not true or false, enabled=" + enabled.text(),
                "use true to join the cluster, false to run without a cluster");
        }
        element.children().forEach(this::readChild);
        if (serverName.isEmpty())
        {
            problems.add("SRV-0121", element, "a member needs a name, missing=server-name",
                "add <server-name>; each instance of a cluster has a unique name");
        }
        final Encryption encryption = encryption(element);
        final String address = host();
        final Multicast multicast = multicast(address);
        return problems.size() > before ? null : new ClusterConfiguration(serverName, identity, groups, address,
            addresses.isEmpty() ? List.of(address(address)) : addresses, discoveryPort, communicationPort, portCount,
            failureDetectionMs, encryption, multicast, element.position());
    }

    private String address(final String hostName)
    {
        return (hostName.contains(":") ? '[' + hostName + ']' : hostName) + ':' + discoveryPort + ".." +
            (discoveryPort + portCount - 1);
    }

    private void readChild(final XmlElement child)
    {
        switch (child.name())
        {
            case "enabled" ->
            {
                // Read before all others.
            }
            case "server-name" -> serverName = named(child);
            case "server-host-name" -> host = child;
            case "identity" -> identity = problems.number(child, 1, Integer.MAX_VALUE - 1, identity);
            case "groups" -> readGroups(child);
            case "address-list" -> readAddresses(child);
            case "discovery-port" -> discoveryPort = problems.number(child, 1, MAX_PORT, discoveryPort);
            case "communication-port" -> communicationPort = problems.number(child, 1, MAX_PORT, communicationPort);
            case "port-range" -> portCount = problems.number(child, 1, MAX_PORTS, portCount);
            case "failure-detection-millis" ->
                failureDetectionMs = problems.number(child, MIN_DETECTION_MS, MAX_DETECTION_MS, failureDetectionMs);
            case "security" -> isEncrypted = isEncrypted(child);
            case "key-store" -> keyStore = file(child);
            case "trust-store" -> trustStore = file(child);
            case "store-password" -> password = problems.resolved(child);
            case "multicast-address" -> multicastAddress = child;
            case "multicast-port" ->
            {
                multicastPort = child;
                multicastPortNumber = problems.number(child, 1, MAX_PORT, multicastPortNumber);
            }
            case "multicast-interface", "operation-timeout" -> problems.addNotUsed(child);
            default -> problems.addUnknown(child);
        }
    }

    private String named(final XmlElement element)
    {
        if (!NAME.matcher(element.text()).matches())
        {
            problems.add("SRV-0122", element, "invalid name, " + element.name() + '=' + element.text(),
                "use letters, digits, '.', '_' and '-'");
        }
        return element.text();
    }

    private void readGroups(final XmlElement element)
    {
        for (final String written : element.text().split(",", -1))
        {
            final String group = written.strip();
            if (!group.isEmpty() && !NAME.matcher(group).matches())
            {
                problems.add("SRV-0122", element, "invalid group name, group=" + group,
                    "use letters, digits, '.', '_' and '-'; separate groups with commas");
            }
            else if (!group.isEmpty() && !group.equals(ClusterConfiguration.ALL_MEMBERS))
            {
                groups.add(group);
            }
        }
    }

    private void readAddresses(final XmlElement element)
    {
        for (final String written : element.text().split("[,\\s]+"))
        {
            final Matcher matcher = ADDRESS.matcher(written);
            if (!matcher.matches() || !isRange(matcher.group(1), matcher.group(2)))
            {
                problems.add("SRV-0123", element, "invalid address of a member, address=" + written,
                    "use host:port or host:first..last, separated by commas");
                continue;
            }
            addresses.add(written);
        }
    }

    private static boolean isRange(final String first, final String last)
    {
        final int from = Integer.parseInt(first);
        final int to = last == null ? from : Integer.parseInt(last);
        return from >= 1 && to <= MAX_PORT && from <= to && to - from < MAX_PORTS;
    }

    private boolean isEncrypted(final XmlElement element)
    {
        if (!Set.of("none", "encrypt").contains(element.text()))
        {
            problems.add("SRV-0124", element, "unknown kind of security, security=" + element.text(),
                "use none or encrypt");
        }
        return element.text().equals("encrypt");
    }

    private Path file(final XmlElement element)
    {
        final Path path = directory.resolve(element.text());
        if (!Files.isReadable(path))
        {
            problems.add("SRV-0125", element, "file cannot be read, " + element.name() + '=' + path,
                "create it with keytool -genkeypair -storetype PKCS12; paths are relative to the config directory");
        }
        return path;
    }

    private Encryption encryption(final XmlElement element)
    {
        if (!isEncrypted)
        {
            return null;
        }
        if (keyStore == null || trustStore == null || password == null)
        {
            problems.add("SRV-0126", element, "a value for encryption is missing, missing="
                + (keyStore == null ? "key-store" :
                trustStore == null ? "trust-store" : "store-password"),
                "security encrypt needs key-store, trust-store and store-password");
        }
        return new Encryption(keyStore, trustStore, password);
    }

    /**
     * Returns the multicast group. Members of one host that listen on loopback find each other by their ports; nothing
     * is sent to a group.
     */
    private Multicast multicast(final String address)
    {
        if (multicastAddress == null)
        {
            if (multicastPort != null)
            {
                problems.addNotUsed(multicastPort);
            }
            return null;
        }
        if (!isMulticast(multicastAddress.text()))
        {
            problems.add("SRV-0127", multicastAddress, "not a multicast address, multicast-address=" +
                multicastAddress.text(), "use one from 224.0.0.0 to 239.255.255.255, for example 239.255.0.1");
            return null;
        }
        if (isLoopback(address))
        {
            problems.addNotUsed(multicastAddress);
            if (multicastPort != null)
            {
                problems.addNotUsed(multicastPort);
            }
            return null;
        }
        return new Multicast(multicastAddress.text(), multicastPortNumber);
    }

    /** Accepts only numeric addresses, because a name would be looked up. */
    private static boolean isMulticast(final String text)
    {
        try
        {
            return text.matches("[0-9.]+|[0-9a-fA-F:]+:[0-9a-fA-F:.]*") &&
                InetAddress.getByName(text).isMulticastAddress();
        }
        catch (final UnknownHostException e)
        {
            return false;
        }
    }

    /** An unresolvable address has already been reported. */
    private static boolean isLoopback(final String address)
    {
        try
        {
            return InetAddress.getByName(address).isLoopbackAddress();
        }
        catch (final UnknownHostException e)
        {
            return true;
        }
    }

    /**
     * Returns the address to listen on, which may be any address of this machine: members prove the secret of the
     * domain, and encrypt, on every address.
     */
    private String host()
    {
        if (host == null)
        {
            return "127.0.0.1";
        }
        try
        {
            InetAddress.getByName(host.text());
        }
        catch (final UnknownHostException e)
        {
            problems.add("SRV-0105", host, "server-host-name cannot be resolved, server-host-name=" + host.text(),
                "use an address of this machine");
        }
        return host.text().equals("localhost") ? "127.0.0.1" : host.text();
    }
}
