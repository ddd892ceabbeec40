package dev.millrace.api.http;

import java.util.List;

/**
 * The servers of publish-subscribe channels that {@code config.xml} declares. The server registers this as an OSGi
 * service; adapters open them when the first application uses them. Thread-safe.
 */
@FunctionalInterface
public interface ChannelServers
{
    /**
     * Returns the declared servers.
     *
     * @return in the order of the file; empty if it declares none
     */
    List<ChannelServer> channelServers();
}
