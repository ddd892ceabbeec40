package dev.millrace.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * How an instance takes part, from {@code <cluster>} of its config.xml.
 *
 * @param domainName               the others must have the same
 * @param serverName               unique in the cluster
 * @param identity                 the lowest is coordinator; {@link Member#NO_IDENTITY} for none
 * @param groups                   named ones
 * @param host                     address that it listens on and tells the others
 * @param addresses                where others may be, {@code host:port} or {@code host:first..last}
 * @param ports                    that it may listen on
 * @param failureDetectionMs       after which a member that does not answer is given up
 * @param tls                      certificates of their own; null for the one of the domain's secret
 * @param directory                for files of the cluster, of this instance alone
 * @param multicast                where members ask for each other besides; null for nowhere
 * @param secret                   of the domain: whoever does not know it does not get in
 */
public record ClusterSettings(String domainName, String serverName, int identity, Set<String> groups, String host,
    List<String> addresses, Ports ports, long failureDetectionMs, Tls tls, Path directory, Multicast multicast,
    DomainSecret secret)
{
    /** A pause of the machine that is shorter expels nobody. */
    public static final long DEFAULT_FAILURE_DETECTION_MS = 10_000;

    /**
     * Without multicast.
     *
     * @param domainName         the others must have the same
     * @param serverName         unique in the cluster
     * @param identity           the lowest is coordinator; {@link Member#NO_IDENTITY} for none
     * @param groups             named ones
     * @param host               address that it listens on and tells the others
     * @param addresses          where others may be
     * @param ports              that it may listen on
     * @param failureDetectionMs after which a member that does not answer is given up
     * @param tls                certificates of their own; null for the one of the domain's secret
     * @param directory          for files of the cluster, of this instance alone
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
     * Two small ranges, of which an instance takes the first free port each.
     *
     * @param discovery     first port on which members find each other
     * @param communication first port on which they talk
     * @param count         ports in each range, at least the number of instances of a host
     */
    public record Ports(int discovery, int communication, int count)
    {
        /** Room for twenty instances on a host. */
        public static final Ports DEFAULT = new Ports(48_500, 48_100, 20);
    }

    /**
     * Where members ask who else is there.
     *
     * @param address of a multicast group
     * @param port    of the same
     */
    public record Multicast(String address, int port)
    {
    }

    /**
     * Certificates of members. Nobody else gets in.
     *
     * @param keyStore   PKCS12 with key and certificate of this member
     * @param trustStore PKCS12 with the certificates that members have, or that have signed them
     * @param password   of both
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
