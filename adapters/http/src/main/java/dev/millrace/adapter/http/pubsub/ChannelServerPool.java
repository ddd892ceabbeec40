package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.server.DeclaredServer;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.ChannelServers;
import dev.millrace.api.http.EventServers;
import dev.millrace.api.secret.NamedSecrets;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The running servers of channels of this process, which stages share. Thread-safe. */
public final class ChannelServerPool
{
    private final ChannelServers declared;
    private final EventServers eventServers;
    private final NamedSecrets secrets;
    private final ServerPool pool;
    private final Map<String, RunningChannelServer> running = new HashMap<>();

    /**
     * @param declared     in config.xml
     * @param eventServers that serve them
     * @param secrets      of the roles
     * @param pool         running HTTP servers
     */
    public ChannelServerPool(final ChannelServers declared, final EventServers eventServers,
        final NamedSecrets secrets, final ServerPool pool)
    {
        this.declared = declared;
        this.eventServers = eventServers;
        this.secrets = secrets;
        this.pool = pool;
    }

    /** The use of a channel by a stage; closing it ends the server with its last use. */
    public final class Use implements AutoCloseable
    {
        private final RunningChannelServer server;
        private final String channel;
        private boolean isClosed;

        private Use(final RunningChannelServer server, final String channel)
        {
            this.server = server;
            this.channel = channel;
            server.hub().use(channel);
        }

        ChannelHub hub()
        {
            return server.hub();
        }

        /** The port of the HTTP server, in the order of its description. */
        int port(final int index)
        {
            return server.port(index);
        }

        @Override
        public void close()
        {
            synchronized (ChannelServerPool.this)
            {
                if (!isClosed)
                {
                    isClosed = true;
                    server.hub().release(channel);
                    if (server.releaseUse())
                    {
                        running.remove(server.path());
                        server.close();
                    }
                }
            }
        }
    }

    /**
     * Checks that a server is declared.
     *
     * @param path of the server
     * @throws IllegalArgumentException if it is not
     */
    void check(final PropertyCheck check, final String path)
    {
        DeclaredServer.find(check, eventServers, find(check, path).eventServer());
    }

    private ChannelServer find(final PropertyCheck check, final String path)
    {
        final List<ChannelServer> all = declared.channelServers();
        return all.stream().filter(each -> each.path().equals(path)).findFirst().orElseThrow(() ->
            new IllegalArgumentException(HttpErrorCode.NO_CHANNEL_SERVER.message("config.xml declares no such server " +
                "of channels, stage=" + check.stageName() + " serverContextPath=" + path + " declared=" +
                all.stream().map(ChannelServer::path).toList(), "correct it, or add an http-pubsub element with this " +
                "path and restart the server")));
    }

    /**
     * Uses a channel, and starts its server if this is the first use.
     *
     * @param path    of the server
     * @param channel name or pattern
     * @throws IOException if a port cannot be opened or the path is in use
     */
    synchronized Use use(final PropertyCheck check, final String path, final String channel) throws IOException
    {
        RunningChannelServer server = running.get(path);
        if (server == null)
        {
            final ChannelServer description = find(check, path);
            server = RunningChannelServer.start(description,
                DeclaredServer.find(check, eventServers, description.eventServer()), check, secrets, pool);
            running.put(path, server);
        }
        server.addUse();
        return new Use(server, channel);
    }
}
