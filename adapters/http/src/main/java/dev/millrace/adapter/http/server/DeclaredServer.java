package dev.millrace.adapter.http.server;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.EventServers;
import java.util.List;

/** Finds the server that a stage names. Stateless. */
public final class DeclaredServer
{
    private DeclaredServer()
    {
    }

    /**
     * Finds a server.
     *
     * @param name of its jetty element; {@code null} for the only one
     * @throws IllegalArgumentException if it is missing, or several exist and no name is given
     */
    public static EventServer find(final PropertyCheck check, final EventServers servers, final String name)
    {
        final List<EventServer> all = servers.servers();
        final List<String> names = all.stream().map(EventServer::name).toList();
        if (name == null && all.size() > 1)
        {
            throw check.wrong("server", null, "name one of " + names);
        }
        return all.stream().filter(each -> name == null || each.name().equals(name)).findFirst().orElseThrow(
            () -> new IllegalArgumentException(HttpErrorCode.NO_SERVER.message("config.xml declares no such HTTP " +
                "server for events, stage=" + check.stageName() + (name == null ? "" : " server=" + name) +
                " declared=" + names, "add a netio element with a port, and a jetty element with a name, this " +
                "network-io-name and <purpose>events</purpose>; then restart the server")));
    }
}
