package dev.millrace.api.http;

import java.util.List;
import java.util.Set;

/**
 * A server of publish-subscribe channels: an {@code http-pubsub} element of {@code config.xml}. Immutable.
 *
 * @param name           of the element, unique in the file
 * @param path           under which its channels are served, for example {@code /pubsub}; unique in the file
 * @param eventServer    name of the HTTP server for events that serves it; {@code null} for the only one
 * @param transports     by which clients may connect
 * @param channels       patterns of further channels that clients may use; those of running applications need none
 * @param constraints    who may use which channels; channels without one are open to all clients
 * @param limits         of clients and messages
 * @param access         protection of the server as a whole
 */
public record ChannelServer(String name, String path, String eventServer, Set<ChannelTransport> transports,
    List<String> channels, List<ChannelConstraint> constraints, ChannelLimits limits, ChannelAccess access)
{
    /** Copies the collections. */
    public ChannelServer
    {
        transports = Set.copyOf(transports);
        channels = List.copyOf(channels);
        constraints = List.copyOf(constraints);
    }
}
