package dev.millrace.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * How an instance joins the cluster, from {@code <cluster>} in its config.xml.
 *
 * @param domainName               the same on all members
 * @param serverName               unique in the cluster
 * @param identity                 the member with the lowest is coordinator; {@link Member#NO_IDENTITY} for none
 * @param groups                   named groups of this member
 * @param host                     address on which it listens and which it advertises
 * @param addresses                possible addresses of other members, {@code host:port} or {@code host:first..last}
 * @param ports                    on which it may listen
 * @param failureDetectionMs       time after which an unresponsive member is removed
 * @param tls                      certificates of this member; null to derive one from the domain's secret
 * @param directory                for cluster files, used by this instance only
 * @param multicast                additional discovery by multicast; null for none
 * @param secret                   of the domain; a process without it cannot join
 */
public record ClusterSettings(String domainName, String serverName, int identity, Set<String> groups, String host,
    List<String> addresses, Ports ports, long failureDetectionMs, Tls tls, Path directory, Multicast multicast,
    DomainSecret secret)
{
    /** A process can pause for less than this time without being removed. */
    public static final long DEFAULT_FAILURE_DETECTION_MS = 10_000;

    /**
     * Settings without multicast.
     *
     * @param domainName         the same on all members
     * @param serverName         unique in the cluster
     * @param identity           the member with the lowest is coordinator; {@link Member#NO_IDENTITY} for none
     * @param groups             named groups of this member
     * @param host               address on which it listens and which it advertises
     * @param addresses          possible addresses of other members
     * @param ports              on which it may listen
     * @param failureDetectionMs time after which an unresponsive member is removed
     * @param tls                certificates of this member; null to derive one from the domain's secret
     * @param directory          for cluster files, used by this instance only
     * @param secret             of the domain
     */
    public ClusterSettings(final String domainName, final String serverName, final int identity,
        final Set<String> groups, final String host, final List<String> addresses, final Ports ports,
        final long failureDetectionMs, final Tls tls, final Path directory, final DomainSecret secret)
    {
        this(domainName, serverName, identity, groups, host, addresses, ports, failureDetectionMs, tls, directory,
            null, secret);
    }

    /** Copies the collections. */
    public ClusterSettings
    {
        groups = Set.copyOf(groups);
        addresses = List.copyOf(addresses);
    }

    /**
     * Two small port ranges. An instance binds the first free port of each.
     *
     * @param discovery     first port of the range for discovery
     * @param communication first port of the range for communication
     * @param count         ports per range, at least the number of instances per host
     */
    public record Ports(int discovery, int communication, int count)
    {
        /** Enough for twenty instances per host. */
        public static final Ports DEFAULT = new Ports(48_500, 48_100, 20);
    }

    /**
     * Multicast group through which members discover each other.
     *
     * @param address of the multicast group
     * @param port    of the multicast group
     */
    public record Multicast(String address, int port)
    {
    }

    /**
     * Certificates of members. A process without one is rejected.
     *
     * @param keyStore   PKCS12 with key and certificate of this member
     * @param trustStore PKCS12 with the certificates of all members, or those of their issuers
     * @param password   of both stores
     */
    public record Tls(Path keyStore, Path trustStore, char[] password)
    {
        /** Copies the password. */
        public Tls
        {
            password = password.clone();
        }

        @Override
        public char[] password()
        {
            return password.clone();
        }
    }
}
