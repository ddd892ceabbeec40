package dev.millrace.server.spi;

import dev.millrace.network.definition.SourcePosition;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@code cluster} element of config.xml, validated, with defaults. Immutable.
 *
 * @param serverName         unique in the cluster
 * @param identity           the member with the lowest one is the coordinator; {@link #NO_IDENTITY} if not specified
 * @param groups             named groups, without the group of all members
 * @param host               address that the member listens on and publishes
 * @param addresses          possible addresses of other members, {@code host:port} or {@code host:first..last}
 * @param discoveryPort      first port of those for discovery
 * @param communicationPort  first port of those for communication
 * @param portCount          number of ports of each kind
 * @param failureDetectionMs time after which a member that does not respond is removed
 * @param encryption         certificate stores; null for a certificate derived from the secret of the domain
 * @param multicast          additional discovery by multicast; null for none
 * @param position           position of the element
 */
public record ClusterConfiguration(String serverName, int identity, Set<String> groups, String host,
    List<String> addresses, int discoveryPort, int communicationPort, int portCount, int failureDetectionMs,
    Encryption encryption, Multicast multicast, SourcePosition position)
{
    /** Name of the group of all members. */
    public static final String ALL_MEMBERS = "AllDomainMembers";

    /** Orders a member after all members that have an identity. */
    public static final int NO_IDENTITY = Integer.MAX_VALUE;

    /** Default first port for discovery. */
    public static final int DEFAULT_DISCOVERY_PORT = 48_500;

    /** Default first port for communication. */
    public static final int DEFAULT_COMMUNICATION_PORT = 48_100;

    /** Default number of ports, which is also the maximum number of instances per host without further settings. */
    public static final int DEFAULT_PORT_COUNT = 20;

    /** Shorter pauses of the machine do not remove a member. */
    public static final int DEFAULT_FAILURE_DETECTION_MS = 10_000;

    /** Copies the collections. */
    public ClusterConfiguration
    {
        groups = Set.copyOf(groups);
        addresses = List.copyOf(addresses);
    }

    /**
     * Returns every group that the member belongs to for group-wide deployment: the named groups, the group of all
     * members and the group with its own name.
     *
     * @return names
     */
    public Set<String> allGroups()
    {
        final Set<String> all = new TreeSet<>(groups);
        all.add(ALL_MEMBERS);
        all.add(serverName);
        return all;
    }

    /**
     * A multicast group of the network.
     *
     * @param address IP address
     * @param port    UDP port
     */
    public record Multicast(String address, int port)
    {
        /** Default port, as in Oracle Event Processing. */
        public static final int DEFAULT_PORT = 9001;
    }

    /**
     * Certificate stores in PKCS12 format.
     *
     * @param keyStore   key and certificate of this member
     * @param trustStore certificates of members, or of their issuers
     * @param password   password of both
     */
    public record Encryption(Path keyStore, Path trustStore, String password)
    {
        /** Excludes the password, because the result appears in logs. */
        @Override
        public String toString()
        {
            return "Encryption[keyStore=" + keyStore + ", trustStore=" + trustStore + ']';
        }
    }
}
