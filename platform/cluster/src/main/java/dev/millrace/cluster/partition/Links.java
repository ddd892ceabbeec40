package dev.millrace.cluster.partition;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.SharedMap;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket on which this member takes links of others, opened when the first channel needs it: on the address of the
 * cluster, a port that the system chooses and the registrations tell, encrypted as the cluster is. Whoever does not
 * know the secret of the members is turned away. Safe for all threads.
 */
final class Links implements Endpoint, AutoCloseable
{
    /** The map of registrations, tables and the secret. */
    static final String MAP = "partitions";

    private static final Logger LOG = LoggerFactory.getLogger(Links.class);
    private static final String SECRET = "secret";
    private static final int SECRET_BYTES = 32;
    private static final int BACKLOG = 64;
    /** Connections at once that have not said who they are. */
    static final int MAX_STRANGERS = 64;
    private static final int STRANGERS_LOGGED = 10;

    private final Cluster cluster;
    private final ClusterSettings settings;
    private final Map<String, ChannelMember> channels = new ConcurrentHashMap<>();
    private final Set<Socket> accepted = ConcurrentHashMap.newKeySet();
    private final Semaphore strangers = new Semaphore(MAX_STRANGERS);
    private final SSLContext encryption;
    private Acceptor acceptor;
    private volatile boolean closed;
    private final AtomicInteger turnedAway = new AtomicInteger();
    /** The secret as it was last seen, for moments in which the map does not give it. */
    private volatile byte[] known;

    /**
     * Makes it; nothing listens yet.
     *
     * @param cluster  of this member
     * @param settings of this member
     */
    Links(final Cluster cluster, final ClusterSettings settings)
    {
        this.cluster = cluster;
        this.settings = settings;
        encryption = settings.tls() == null ? null : encryption(settings.tls());
    }

    private static SSLContext encryption(final ClusterSettings.Tls tls)
    {
        try
        {
            final KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store(tls.keyStore(), tls.password()), tls.password());
            final TrustManagerFactory trusted =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(store(tls.trustStore(), tls.password()));
            final SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        }
        catch (final GeneralSecurityException | IOException e)
        {
            throw new IllegalStateException("the stores of the cluster cannot be read, key-store=" + tls.keyStore() +
                " trust-store=" + tls.trustStore(), e);
        }
    }

    private static KeyStore store(final Path file, final char[] password) throws GeneralSecurityException, IOException
    {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file))
        {
            store.load(in, password);
        }
        return store;
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

    /** Ends all connections that were taken; their other sides connect again. */
    void cut()
    {
        accepted.forEach(Handshake::close);
    }

    /** Listens, when it does not yet. */
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
            throw new UncheckedIOException("CLU-0410 links of other members cannot be taken, host=" + settings.host() +
                "; correct <server-host-name>", e);
        }
        start(acceptor::run, "millrace-links-" + settings.serverName());
    }

    private ServerSocket bound() throws IOException
    {
        final InetAddress address = InetAddress.getByName(settings.host());
        final ServerSocket made =
            encryption == null ? new ServerSocket() : encryption.getServerSocketFactory().createServerSocket();
        try
        {
            if (made instanceof SSLServerSocket secure)
            {
                secure.setNeedClientAuth(true);
            }
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

    void add(final Terms terms, final ChannelMember channel)
    {
        if (channels.putIfAbsent(key(terms.application(), terms.channel()), channel) != null)
        {
            channel.close();
            throw new IllegalStateException("our bug, please report it: a channel takes part twice, channel=" +
                channel.label());
        }
    }

    void remove(final ChannelMember channel)
    {
        channels.values().remove(channel);
    }

    private void take(final Socket stranger)
    {
        if (strangers.tryAcquire())
        {
            accepted.add(stranger);
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
                    strangers.release();
                }
            }
        }
        else
        {
            tellOfStranger(stranger, "more than " + MAX_STRANGERS + " that have not said who they are");
            Handshake.close(stranger);
        }
    }

    private void serve(final Socket stranger)
    {
        Handshake.Caller caller = null;
        try
        {
            stranger.setTcpNoDelay(true);
            caller = Handshake.answer(stranger, secret());
        }
        catch (final IOException | RuntimeException e)
        {
            tellOfStranger(stranger, e.toString());
        }
        finally
        {
            strangers.release();
        }
        try
        {
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
            LOG.error("CLU-0409 our bug, please report it: rows of another member could not be taken, member={}",
                settings.serverName(), e);
        }
        finally
        {
            Handshake.close(stranger);
            accepted.remove(stranger);
        }
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
            LOG.warn("CLU-0408 a connection to the links of this member was turned away, member={} from={} reason={}; "
                + "only members may connect", settings.serverName(), stranger.getRemoteSocketAddress(), reason);
        }
        else
        {
            LOG.debug("a connection to the links of this member was turned away, member={} from={} reason={}",
                settings.serverName(), stranger.getRemoteSocketAddress(), reason);
        }
        if (number == STRANGERS_LOGGED)
        {
            LOG.warn("CLU-0408 more connections that are turned away are logged as debug only, member={} number={}",
                settings.serverName(), number);
        }
    }

    private void serve(final Handshake.Caller caller) throws IOException
    {
        final ChannelMember channel = channels.get(key(caller.hello().application(), caller.hello().channel()));
        if (channel == null)
        {
            caller.refuse(new Handshake.Refused("there is no such channel here, channel=" +
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
    public byte[] secret() throws IOException
    {
        final SharedMap map = cluster.map(MAP);
        byte[] secret = map.get(SECRET);
        if (secret == null && known == null)
        {
            final byte[] mine = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(mine);
            map.replace(SECRET, null, mine);
            secret = map.get(SECRET);
        }
        if (secret == null)
        {
            secret = known;
        }
        if (secret == null)
        {
            throw new IOException("the secret of the members is not known yet");
        }
        known = secret;
        return secret;
    }

    /** Ends the socket and all connections. */
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
