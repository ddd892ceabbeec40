package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.property.PropertyCheck;
import java.net.URI;

/**
 * The checked properties of the connection of a stage to a channel. Immutable; its text contains no secret.
 *
 * @param serverUrl      of a Bayeux server; {@code null} for a channel of this instance
 * @param contextPath    of the server of this instance
 * @param channel        name or pattern
 * @param authorization  header with credentials; {@code null} for none
 * @param timeoutMillis  maximum time for a response
 * @param maxRetryMillis maximum time between two attempts
 */
record ConnectionSettings(PropertyCheck check, URI serverUrl, String contextPath, String channel,
    String authorization, int timeoutMillis, int maxRetryMillis)
{
    String stageName()
    {
        return check.stageName();
    }

    boolean isRemote()
    {
        return serverUrl != null;
    }

    @Override
    public String toString()
    {
        return stageName() + ' ' + (isRemote() ? serverUrl : contextPath) + ' ' + channel;
    }
}
