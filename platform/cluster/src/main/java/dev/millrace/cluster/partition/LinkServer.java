package dev.millrace.cluster.partition;

import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.partition.link.Acceptor;
import dev.millrace.cluster.partition.link.Connection;
import dev.millrace.cluster.partition.link.Endpoint;
import dev.millrace.cluster.partition.link.Handshake;
import dev.millrace.cluster.trust.ClusterTls;
import dev.millrace.cluster.trust.PendingHandshakes;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server socket for links of other members. It opens when the first channel needs it, on the cluster's address and
 * a port chosen by the system and published in registrations; it is encrypted if the cluster is. A peer without the
 * secret of the domain is rejected. Thread-safe.
 */
final class LinkServer implements Endpoint, AutoCloseable
{
    /** Name of the map with registrations and tables. */
    static final String MAP = "partitions";

    private static final Logger LOG = LoggerFactory.getLogger(LinkServer.class);
    private static final int BACKLOG = 64;
    private static final int STRANGERS_LOGGED = 10;

    private final ClusterSettings settings;
    private final Map<String, PartitionedChannelMember> channels = new ConcurrentHashMap<>();
    private final Set<Socket> accepted = ConcurrentHashMap.newKeySet();
    private final PendingHandshakes strangers = new PendingHandshakes(PendingHandshakes.MOST);
    private final SSLContext encryption;
    private final byte[] secret;
    private Acceptor acceptor;
    private volatile boolean closed;
    private final AtomicInteger turnedAway = new AtomicInteger();

    /** Creates the object; nothing listens before {@link #listen}. */
    LinkServer(final ClusterSettings settings)
    {
        this.settings = settings;
        encryption = isEncrypted(settings) ? ClusterTls.context(settings) : null;
        secret = settings.secret().key("links");
    }

    /** On loopback, only the owner of the machine could read or change the data. */
    private static boolean isEncrypted(final ClusterSettings settings)
    {
        try
        {
            return settings.tls() != null || !InetAddress.getByName(settings.host()).isLoopbackAddress();
        }
        catch (final UnknownHostException e)
        {
            throw new IllegalArgumentException("the host cannot be resolved, host=" + settings.host(), e);
        }
    }

    String host()
    {
        return settings.host();
    }

    synchronized int port()
    {
        return acceptor.port();
    }

    synchronized InetAddress address()
    {
        return acceptor.address();
    }

    /** Closes all accepted connections; the other members reconnect. */
    void cut()
    {
        accepted.forEach(Handshake::close);
    }

    /** Opens the server socket if it is not open yet. */
    synchronized void listen()
    {
        if (acceptor != null)
        {
            return;
        }
        try
        {
            acceptor = new Acceptor(bound(), settings.serverName(), this::take);
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("CLU-0410 links of other members cannot be accepted, host="
                + settings.host() +
                "; correct <server-host-name>", e);
        }
        start(acceptor::run, "millrace-links-" + settings.serverName());
    }

    private ServerSocket bound() throws IOException
    {
        final InetAddress address = InetAddress.getByName(settings.host());
        final ServerSocket made = new ServerSocket();
        try
        {
            made.bind(new InetSocketAddress(address, 0), BACKLOG);
            return made;
        }
        catch (final IOException | RuntimeException e)
        {
            made.close();
            throw e;
        }
    }

    private static void start(final Runnable work, final String name)
    {
        final Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static String key(final String application, final String channel)
    {
        return application + '\n' + channel;
    }

    void add(final Terms terms, final PartitionedChannelMember channel)
    {
        if (channels.putIfAbsent(key(terms.application(), terms.channel()), channel) != null)
        {
            channel.close();
            throw new IllegalStateException("internal error, please report it: a channel joins twice, channel=" +
                channel.label());
        }
    }

    void remove(final PartitionedChannelMember channel)
    {
        channels.values().remove(channel);
    }

    private void take(final Socket stranger)
    {
        accepted.add(stranger);
        final Socket loser = strangers.add(stranger);
        if (loser != null)
        {
            tellOfStranger(loser, "more than " + PendingHandshakes.MOST + " unauthenticated connections");
        }
        boolean isServed = false;
        try
        {
            start(() -> serve(stranger), "millrace-link-" + settings.serverName() + '-' + stranger.getPort());
            isServed = true;
        }
        finally
        {
            if (!isServed)
            {
                accepted.remove(stranger);
                strangers.remove(stranger);
            }
        }
    }

    private void serve(final Socket stranger)
    {
        try
        {
            final Handshake.Caller caller = proven(stranger);
            if (caller != null)
            {
                serve(caller);
            }
        }
        catch (final IOException e)
        {
            LOG.debug("a link has ended, member={} from={}", settings.serverName(), stranger, e);
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0409 internal error, please report it: rows of another member could not be accepted, "
                + "member={}",
                settings.serverName(), e);
        }
        finally
        {
            Handshake.close(stranger);
            accepted.remove(stranger);
        }
    }

    /** Authenticates a connection; {@code null} when it fails or the connection was evicted in the meantime. */
    private Handshake.Caller proven(final Socket stranger)
    {
        try
        {
            stranger.setTcpNoDelay(true);
            final Handshake.Caller caller = Handshake.answer(secured(stranger), secret());
            if (strangers.remove(stranger))
            {
                return caller;
            }
        }
        catch (final IOException | RuntimeException e)
        {
            if (strangers.remove(stranger))
            {
                tellOfStranger(stranger, e.toString());
            }
        }
        return null;
    }

    private Socket secured(final Socket stranger) throws IOException
    {
        if (encryption == null)
        {
            return stranger;
        }
        stranger.setSoTimeout(Handshake.TIMEOUT_MS);
        final SSLSocket secure = (SSLSocket)encryption.getSocketFactory().createSocket(stranger, null, true);
        secure.setUseClientMode(false);
        secure.setNeedClientAuth(true);
        secure.startHandshake();
        return secure;
    }

    private void tellOfStranger(final Socket stranger, final String reason)
    {
        if (closed)
        {
            return;
        }
        final int number = turnedAway.incrementAndGet();
        if (number <= STRANGERS_LOGGED)
        {
            LOG.warn("CLU-0408 a connection to the links of this member was rejected, member={} from={} reason={}; "
                + "only members may connect", settings.serverName(), stranger.getRemoteSocketAddress(), reason);
        }
        else
        {
            LOG.debug("a connection to the links of this member was rejected, member={} from={} reason={}",
                settings.serverName(), stranger.getRemoteSocketAddress(), reason);
        }
        if (number == STRANGERS_LOGGED)
        {
            LOG.warn("CLU-0408 further rejected connections are logged at debug level only, member={} number={}",
                settings.serverName(), number);
        }
    }

    private void serve(final Handshake.Caller caller) throws IOException
    {
        final PartitionedChannelMember channel =
            channels.get(key(caller.hello().application(), caller.hello().channel()));
        if (channel == null)
        {
            caller.refuse(new Handshake.Refused("the channel does not exist here, channel=" +
                caller.hello().application() + '/' + caller.hello().channel(), false));
        }
        else
        {
            channel.admit(caller);
        }
    }

    @Override
    public Connection connect(final String host, final int port) throws IOException
    {
        final Socket wire = new Socket();
        try
        {
            wire.setTcpNoDelay(true);
            wire.connect(new InetSocketAddress(host, port), Handshake.TIMEOUT_MS);
            if (encryption == null)
            {
                return new Connection(wire, wire);
            }
            wire.setSoTimeout(Handshake.TIMEOUT_MS);
            final SSLSocket secure = (SSLSocket)encryption.getSocketFactory().createSocket(wire, host, port, true);
            secure.startHandshake();
            return new Connection(secure, wire);
        }
        catch (final IOException | RuntimeException e)
        {
            Handshake.close(wire);
            throw e;
        }
    }

    @Override
    public byte[] secret()
    {
        return secret;
    }

    /** Closes the server socket and all connections. */
    @Override
    public synchronized void close()
    {
        closed = true;
        cut();
        if (acceptor != null)
        {
            acceptor.close();
        }
    }
}
