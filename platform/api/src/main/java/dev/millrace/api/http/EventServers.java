package dev.millrace.api.http;

import java.util.List;

/**
 * The HTTP servers for events that {@code config.xml} declares. The server registers this as an OSGi service; adapters
 * open the ports when the first application uses them. Thread-safe.
 */
@FunctionalInterface
public interface EventServers
{
    /**
     * Returns the declared servers.
     *
     * @return in the order of the file; empty if it declares none
     */
    List<EventServer> servers();
}
