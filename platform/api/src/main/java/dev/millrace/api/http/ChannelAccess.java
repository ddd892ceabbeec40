package dev.millrace.api.http;

import java.util.Set;

/**
 * Protection of a server of channels as a whole. Immutable.
 *
 * @param allowedOrigins            origins of web pages that may use it, for example {@code https://app.example.org}
 * @param isUnauthenticatedAllowed  whether other hosts may use channels without a constraint
 * @param isPublishWithoutConnectAllowed whether a client may publish before it has connected
 */
public record ChannelAccess(Set<String> allowedOrigins, boolean isUnauthenticatedAllowed,
    boolean isPublishWithoutConnectAllowed)
{
    /** Copies the origins. */
    public ChannelAccess
    {
        allowedOrigins = Set.copyOf(allowedOrigins);
    }
}
