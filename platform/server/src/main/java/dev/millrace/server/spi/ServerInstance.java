package dev.millrace.server.spi;

import java.nio.file.Path;

/**
 * This instance. The server registers it as a service before bundles of later start levels begin. Safe for all threads.
 */
public interface ServerInstance
{
    /**
     * Name of its domain, which the members of a cluster have in common.
     *
     * @return as in config.xml
     */
    String domainName();

    /**
     * Its files.
     *
     * @return the domain directory, absolute
     */
    Path directory();

    /**
     * How it takes part in a cluster.
     *
     * @return null when it runs alone
     */
    ClusterConfiguration cluster();
}
