package dev.millrace.command.instance;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ports in use: those configured in the domains of a directory, whether running or not, and those on which any process
 * listens on the loopback interface at this time. Not thread-safe.
 */
final class PortUsage
{
    private final Map<Integer, String> owners = new HashMap<>();

    /** Returns the ports of all domains in a directory; an unreadable domain has none. */
    static PortUsage below(final Path parent) throws IOException
    {
        final PortUsage claims = new PortUsage();
        for (final Domain domain : Domain.below(parent))
        {
            claims.claim(domain.name(), domain.ports());
        }
        return claims;
    }

    /** Records the ports of a domain. */
    void claim(final String domain, final List<NamedPort> ports)
    {
        ports.stream().filter(port -> port.number() != 0)
            .forEach(port -> owners.putIfAbsent(port.number(), port.name() + " of " + domain));
    }

    /** Describes the owner of a port; empty when it is free. */
    Optional<String> owner(final NamedPort port)
    {
        if (port.number() == 0)
        {
            return Optional.empty();
        }
        if (port.number() > NamedPort.MAX)
        {
            return Optional.of("beyond " + NamedPort.MAX);
        }
        final String owner = owners.get(port.number());
        return owner != null ? Optional.of(owner) :
            isBound(port) ? Optional.of("a running process") : Optional.empty();
    }

    /** Whether all ports are free. */
    boolean areFree(final List<NamedPort> ports)
    {
        return ports.stream().allMatch(port -> owner(port).isEmpty());
    }

    /** Returns the ports in use, with their owners. */
    List<String> conflicts(final List<NamedPort> ports)
    {
        final List<String> conflicts = new ArrayList<>();
        for (final NamedPort port : ports)
        {
            owner(port).ifPresent(owner -> conflicts.add(port + " (" + owner + ')'));
        }
        return conflicts;
    }

    private static boolean isBound(final NamedPort port)
    {
        final InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port.number());
        if (port.isDatagram())
        {
            try (DatagramSocket socket = new DatagramSocket(address))
            {
                return !socket.isBound();
            }
            catch (final IOException e)
            {
                return true;
            }
        }
        try (ServerSocket socket = new ServerSocket(port.number(), 1, address.getAddress()))
        {
            return !socket.isBound();
        }
        catch (final IOException e)
        {
            return true;
        }
    }
}
