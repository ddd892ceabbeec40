package dev.millrace.server.spi;

import java.nio.file.Path;

/**
 * This instance. The server registers it as a service before bundles of later start levels begin. Thread-safe.
 */
public interface ServerInstance
{
    /**
     * Returns the name of its domain, which all members of a cluster share.
     *
     * @return as in config.xml
     */
    String domainName();

    /**
     * Returns its directory.
     *
     * @return the domain directory, absolute
     */
    Path directory();

    /**
     * Returns its cluster settings.
     *
     * @return null outside a cluster
     */
    ClusterConfiguration cluster();
}
