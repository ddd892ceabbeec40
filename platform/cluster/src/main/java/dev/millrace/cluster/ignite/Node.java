package dev.millrace.cluster.ignite;

import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.events.DiscoveryEvent;
import org.apache.ignite.events.EventType;
import org.apache.ignite.lang.IgnitePredicate;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.internal.TcpDiscoveryNode;

/** One incarnation in the cluster: a running Ignite node. Thread-safe. */
final class Node
{
    private static final int[] EVENTS = {EventType.EVT_NODE_JOINED, EventType.EVT_NODE_LEFT,
        EventType.EVT_NODE_FAILED, EventType.EVT_NODE_SEGMENTED};

    private final Ignite ignite;
    private final Slf4jLogger logger;
    private final CommunicationGuard guard;
    private final UnseenMemberCheck outsiders;

    private Node(final Ignite ignite, final Slf4jLogger logger, final ClusterSettings settings)
    {
        this.ignite = ignite;
        this.logger = logger;
        guard = CommunicationGuard.begin(settings.serverName(),
            (TcpCommunicationSpi)ignite.configuration().getCommunicationSpi());
        outsiders = UnseenMemberCheck.begin(settings, ignite.configuration().getSslContextFactory().create(),
            this::discoveryAddresses);
    }

    /**
     * Starts a node and waits until it has joined.
     *
     * @param changes called on the discovery thread
     * @param failed  called on any thread of Ignite when the node cannot continue
     * @throws ClusterException when it cannot join
     */
    static Node start(final ClusterSettings settings, final Consumer<DiscoveryEvent> changes,
        final Runnable failed)
        throws ClusterException
    {
        NodeConfiguration.setSystemProperties();
        CommunicationGuard.check();
        final Thread caller = Thread.currentThread();
        final ClassLoader before = caller.getContextClassLoader();
        // Ignite loads its own classes with the context class loader of the thread.
        caller.setContextClassLoader(Ignition.class.getClassLoader());
        final JoinMonitor watch = JoinMonitor.begin(settings);
        try
        {
            Files.createDirectories(settings.directory());
            final IgnitePredicate<DiscoveryEvent> listener = event ->
            {
                changes.accept(event);
                return true;
            };
            final Slf4jLogger logger = new Slf4jLogger(new UnknownPeerLog(settings.serverName()));
            final Ignite ignite = Ignition.start(
                NodeConfiguration.of(settings, failed, listener, EVENTS).setGridLogger(logger));
            logger.setRunning(true);
            return new Node(ignite, logger, settings);
        }
        catch (final IgniteException e)
        {
            throw StartFailureExplainer.of(settings, e);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("the directory of the cluster cannot be created, directory=" +
                settings.directory(), e);
        }
        finally
        {
            watch.close();
            caller.setContextClassLoader(before);
        }
    }

    /** Discovery addresses of the members in the view. */
    Set<InetSocketAddress> discoveryAddresses()
    {
        final Set<InetSocketAddress> addresses = new HashSet<>();
        for (final ClusterNode node : ignite.cluster().nodes())
        {
            if (node instanceof TcpDiscoveryNode found)
            {
                addresses.addAll(found.socketAddresses());
            }
        }
        return addresses;
    }

    Ignite ignite()
    {
        return ignite;
    }

    Member self()
    {
        return NodeAttributes.member(ignite.cluster().localNode());
    }

    /** Members, coordinator first. */
    List<Member> members()
    {
        return ignite.cluster().forServers().nodes().stream().map(NodeAttributes::member).sorted().toList();
    }

    /** Leaves; does nothing when the node has already stopped. */
    void stop()
    {
        logger.setRunning(false);
        outsiders.close();
        guard.close();
        Ignition.stop(ignite.name(), true);
    }
}
