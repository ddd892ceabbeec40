package dev.millrace.server.spi;

import dev.millrace.network.definition.SourcePosition;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The {@code cluster} element of config.xml, checked, with defaults filled in. Immutable.
 *
 * @param serverName         unique in the cluster
 * @param identity           the lowest is coordinator; {@link #NO_IDENTITY} when nothing is said
 * @param groups             named ones, without the group of all
 * @param host               address that it listens on and tells the others
 * @param addresses          where others may be, {@code host:port} or {@code host:first..last}
 * @param discoveryPort      first port of those on which members find each other
 * @param communicationPort  first port of those on which they talk
 * @param portCount          how many ports each
 * @param failureDetectionMs after which a member that does not answer is given up
 * @param encryption         stores of its own; null for the certificate that follows from the secret of the domain
 * @param multicast          where members ask for each other besides; null for nowhere
 * @param position           where the element stands
 */
public record ClusterConfiguration(String serverName, int identity, Set<String> groups, String host,
    List<String> addresses, int discoveryPort, int communicationPort, int portCount, int failureDetectionMs,
    Encryption encryption, Multicast multicast, SourcePosition position)
{
    /** Name of the group of all members. */
    public static final String ALL_MEMBERS = "AllDomainMembers";

    /** After all that have one. */
    public static final int NO_IDENTITY = Integer.MAX_VALUE;

    /** Where members of a host look for each other when nothing is said. */
    public static final int DEFAULT_DISCOVERY_PORT = 48_500;

    /** Where they talk. */
    public static final int DEFAULT_COMMUNICATION_PORT = 48_100;

    /** Instances of a host that find a port without further settings. */
    public static final int DEFAULT_PORT_COUNT = 20;

    /** Shorter pauses of the machine expel nobody. */
    public static final int DEFAULT_FAILURE_DETECTION_MS = 10_000;

    /** Copies the collections. */
    public ClusterConfiguration
    {
        groups = Set.copyOf(groups);
        addresses = List.copyOf(addresses);
    }

    /**
     * Every group that the member is in, as group-wide deployment means it: named ones, that of all members and
     * that of its own name.
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
     * A group of the network.
     *
     * @param address of it
     * @param port    of it
     */
    public record Multicast(String address, int port)
    {
        /** As in Oracle Event Processing. */
        public static final int DEFAULT_PORT = 9001;
    }

    /**
     * Stores of certificates, PKCS12.
     *
     * @param keyStore   key and certificate of this member
     * @param trustStore certificates of members, or of who has signed them
     * @param password   of both
     */
    public record Encryption(Path keyStore, Path trustStore, String password)
    {
        /** Without the password, for this ends up in logs. */
        @Override
        public String toString()
        {
            return "Encryption[keyStore=" + keyStore + ", trustStore=" + trustStore + ']';
        }
    }
}
