package dev.millrace.adapter.http.bayeux;

import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.channel.ChannelPolicy;
import dev.millrace.api.http.ChannelConstraint.Operation;
import dev.millrace.api.http.ChannelNames;
import java.util.Map;
import org.cometd.bayeux.Message;
import org.cometd.bayeux.server.BayeuxServer;
import org.cometd.bayeux.server.SecurityPolicy;
import org.cometd.bayeux.server.ServerChannel;
import org.cometd.bayeux.server.ServerMessage;
import org.cometd.bayeux.server.ServerSession;

/** Applies the limits and constraints of a server of channels to Bayeux clients. Thread-safe. */
final class ChannelSecurity implements SecurityPolicy
{
    /** Time after which a client that was refused because there are too many may try again. */
    private static final long RETRY_MILLIS = 5_000;

    private final ChannelHub hub;
    private final ChannelPolicy policy;
    private final boolean isPublishWithoutConnectAllowed;

    ChannelSecurity(final ChannelHub hub, final ChannelPolicy policy, final boolean isPublishWithoutConnectAllowed)
    {
        this.hub = hub;
        this.policy = policy;
        this.isPublishWithoutConnectAllowed = isPublishWithoutConnectAllowed;
    }

    @Override
    public boolean canHandshake(final BayeuxServer server, final ServerSession session, final ServerMessage message)
    {
        if (session.isLocalSession() || !hub.isFull())
        {
            return true;
        }
        final Map<String, Object> advice = message.getAssociated().getAdvice(true);
        advice.put(Message.RECONNECT_FIELD, Message.RECONNECT_HANDSHAKE_VALUE);
        advice.put(Message.INTERVAL_FIELD, RETRY_MILLIS);
        return false;
    }

    @Override
    public boolean canCreate(final BayeuxServer server, final ServerSession session, final String channel,
        final ServerMessage message)
    {
        return isServer(session) || exists(channel) || refuse(channel, "unknown-channel", "there is no such channel");
    }

    private boolean exists(final String channel)
    {
        return (ChannelNames.isName(channel) || ChannelNames.isWild(channel)) && hub.exists(channel);
    }

    private boolean refuse(final String channel, final String reason, final String detail)
    {
        hub.counters().rejected(channel, reason, detail);
        return false;
    }

    private static boolean isServer(final ServerSession session)
    {
        return session == null || session.isLocalSession();
    }

    @Override
    public boolean canSubscribe(final BayeuxServer server, final ServerSession session, final ServerChannel channel,
        final ServerMessage message)
    {
        if (isServer(session))
        {
            return true;
        }
        if (session.getSubscriptions().size() >= hub.limits().subscriptions())
        {
            return refuse(channel.getId(), "too-many-subscriptions", "limit=" + hub.limits().subscriptions());
        }
        return exists(channel.getId()) && allows(message, Operation.SUBSCRIBE, channel.getId()) ||
            refuse(channel.getId(), "not-allowed", "the client may not subscribe to the channel");
    }

    private boolean allows(final ServerMessage message, final Operation operation, final String channel)
    {
        return policy.allows(RequestContext.role(message), operation, channel);
    }

    @Override
    public boolean canPublish(final BayeuxServer server, final ServerSession session, final ServerChannel channel,
        final ServerMessage message)
    {
        if (isServer(session))
        {
            return true;
        }
        if (!session.isHandshook() || !isPublishWithoutConnectAllowed && !session.isConnected())
        {
            return refuse(channel.getId(), "not-connected", "the client has not connected");
        }
        return ChannelNames.isName(channel.getId()) && exists(channel.getId()) &&
            allows(message, Operation.PUBLISH, channel.getId()) ||
            refuse(channel.getId(), "not-allowed", "the client may not publish to the channel");
    }
}
