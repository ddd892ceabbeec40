package dev.millrace.api.http;

import java.util.List;

/**
 * An HTTP server for events: a {@code jetty} element of {@code config.xml} with the purpose {@code events}. Immutable.
 *
 * @param name  of the element, unique in the file
 * @param ports on which it listens: one without TLS, one with TLS, or both
 */
public record EventServer(String name, List<EventPort> ports)
{
    /**
     * Creates a description.
     *
     * @param name  of the element
     * @param ports at least one
     */
    public EventServer
    {
        ports = List.copyOf(ports);
    }
}
