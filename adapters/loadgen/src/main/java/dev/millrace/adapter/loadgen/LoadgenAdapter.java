package dev.millrace.adapter.loadgen;

import dev.millrace.adapter.loadgen.security.AccessToken;
import dev.millrace.adapter.loadgen.security.PortSecurity;
import dev.millrace.adapter.loadgen.timesync.TimesyncResponder;
import dev.millrace.api.event.EventType;
import dev.millrace.api.lifecycle.ActivatableBean;
import dev.millrace.api.lifecycle.DisposableBean;
import dev.millrace.api.lifecycle.InitializingBean;
import dev.millrace.api.lifecycle.ResumableBean;
import dev.millrace.api.lifecycle.RunnableBean;
import dev.millrace.api.process.FileHandles;
import dev.millrace.api.secret.NamedSecrets;
import dev.millrace.api.stage.Adapter;
import dev.millrace.api.stage.EventBatchSender;
import dev.millrace.api.stage.EventBatchSource;
import dev.millrace.api.stage.StageContext;
import dev.millrace.api.stage.StageContextAware;
import dev.millrace.api.stage.StatisticsSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;

/**
 * Source that listens on a TCP port for the load generator's frames and for newline-delimited CSV, distinguished by the
 * first byte of each connection. The module's README.md describes the stream.
 *
 * <p>Threads: a single thread calls {@link #run} and serves all connections; life-cycle calls come from the managing
 * thread.
 * Failure: a port in use fails deployment; invalid input is counted by reason and closes at most its own connection.
 * {@link #suspend} stops reading and accepting but keeps port and connections open, so that TCP back-pressure holds the
 * senders and nothing is lost; {@link #destroy} closes everything.
 */
public final class LoadgenAdapter implements Adapter, EventBatchSource, StageContextAware, InitializingBean,
    ActivatableBean, RunnableBean, ResumableBean, DisposableBean, StatisticsSource
{
    /** System property with the port of the clock exchange, used when the adapter sets none. */
    public static final String TIMESYNC_PORT_PROPERTY = "timesync.port";

    private static final int BACKLOG_CONNECTIONS = 1024;
    private static final long RUN_END_SECONDS = 10;
    private static final int NOT_SET = -1;

    private final Counters counters = new Counters();
    private final ReentrantLock running = new ReentrantLock();
    private int port = NOT_SET;
    private String host = "127.0.0.1";
    private String eventTypeName;
    private String eventPropertyNames;
    private int timesyncPort = NOT_SET;
    private int maxFrameBytes = 1 << 20;
    private int maxConnections = 16_384;
    private int maxConnectionsPerPeer;
    private long maxBufferedBytes = 64L << 20;
    private int frameTimeoutMillis = 10_000;
    private int firstFrameTimeoutMillis = 60_000;
    private final PortSecurity security;
    private AccessToken token;
    private SSLContext tls;
    private StageContext context;
    private EventBatchSender sender;
    private Selector selector;
    private ServerSocketChannel listener;
    private TimesyncResponder timesync;
    private volatile ConnectionLoop loop;
    private volatile boolean isSuspended;

    /** Creates an adapter for use without a server, where no named secrets exist. */
    public LoadgenAdapter()
    {
        this(name -> null);
    }

    /**
     * Creates an adapter.
     *
     * @param secrets source of the secrets that its properties name
     */
    public LoadgenAdapter(final NamedSecrets secrets)
    {
        security = new PortSecurity(secrets);
    }

    /**
     * The TCP port. Required.
     *
     * @param port 0 to 65535; 0 takes any free port, see {@link #boundPort()}
     */
    public void setPort(final int port)
    {
        this.port = port;
    }

    /**
     * The address to listen on.
     *
     * @param host name or address of this machine; default 127.0.0.1, which other hosts cannot reach
     */
    public void setHost(final String host)
    {
        this.host = host;
    }

    /**
     * Alias of {@link #setHost}.
     *
     * @param bindAddress name or address of this machine
     */
    public void setBindAddress(final String bindAddress)
    {
        this.host = bindAddress;
    }

    /**
     * The event type of the rows. Optional: the channel after the adapter specifies it too, and both must be equal.
     *
     * @param eventTypeName name of an event type of the application
     */
    public void setEventTypeName(final String eventTypeName)
    {
        this.eventTypeName = eventTypeName;
    }

    /**
     * The properties that the columns fill, in wire order. Properties not listed are null.
     *
     * @param eventPropertyNames comma-separated list; default: all properties in the order of the event type
     */
    public void setEventPropertyNames(final String eventPropertyNames)
    {
        this.eventPropertyNames = eventPropertyNames;
    }

    /**
     * The UDP port of the clock exchange. Adapters of one server may share a port.
     *
     * @param timesyncPort 1 to 65535, or 0 for none; default system property {@value #TIMESYNC_PORT_PROPERTY}
     */
    public void setTimesyncPort(final int timesyncPort)
    {
        this.timesyncPort = timesyncPort;
    }

    /**
     * The maximum size of a frame or line.
     *
     * @param maxFrameBytes 64 to 256 MiB; default 1 MiB
     */
    public void setMaxFrameBytes(final int maxFrameBytes)
    {
        this.maxFrameBytes = maxFrameBytes;
    }

    /**
     * The maximum number of open connections; further ones are refused and closed.
     *
     * @param maxConnections at least 1; default 16384
     */
    public void setMaxConnections(final int maxConnections)
    {
        this.maxConnections = maxConnections;
    }

    /**
     * The maximum number of open connections per address; further ones are refused and closed.
     *
     * @param maxConnectionsPerPeer at least 1; default: maxConnections for loopback, a quarter of it for each other
     * address
     */
    public void setMaxConnectionsPerPeer(final int maxConnectionsPerPeer)
    {
        check("maxConnectionsPerPeer", maxConnectionsPerPeer, 1, 1 << 20);
        this.maxConnectionsPerPeer = maxConnectionsPerPeer;
    }

    /**
     * The maximum memory for incomplete frames and TLS of all connections.
     *
     * @param maxBufferedBytes at least maxFrameBytes; default 64 MiB
     */
    public void setMaxBufferedBytes(final long maxBufferedBytes)
    {
        this.maxBufferedBytes = maxBufferedBytes;
    }

    /**
     * The maximum time from the first to the last byte of a frame or line, and from accepting a connection to its first
     * byte.
     *
     * @param frameTimeoutMillis at least 1; default 10000
     */
    public void setFrameTimeoutMillis(final int frameTimeoutMillis)
    {
        this.frameTimeoutMillis = frameTimeoutMillis;
    }

    /**
     * The maximum time from accepting a connection to its first frame or line.
     *
     * @param firstFrameTimeoutMillis at least 1; default 60000
     */
    public void setFirstFrameTimeoutMillis(final int firstFrameTimeoutMillis)
    {
        this.firstFrameTimeoutMillis = firstFrameTimeoutMillis;
    }

    /**
     * The token required from senders. Needed if other hosts can reach the port.
     *
     * @param tokenFile file of mode 0600 with the token, relative to the directory of the domain
     */
    public void setTokenFile(final String tokenFile)
    {
        security.tokenFile(tokenFile);
    }

    /**
     * The token from {@code config.xml}, where it may be encrypted.
     *
     * @param tokenSecret name of a {@code <secret>} element whose value is the token
     */
    public void setTokenSecret(final String tokenSecret)
    {
        security.tokenSecret(tokenSecret);
    }

    /**
     * Key and certificate of the port, which then accepts TLS only. Needed if other hosts can reach the port.
     *
     * @param keyStore PKCS12 file, relative to the directory of the domain
     */
    public void setKeyStore(final String keyStore)
    {
        security.keyStore(keyStore);
    }

    /**
     * The password of the key store.
     *
     * @param keyStorePasswordFile file of mode 0600 with it, relative to the directory of the domain
     */
    public void setKeyStorePasswordFile(final String keyStorePasswordFile)
    {
        security.keyStorePasswordFile(keyStorePasswordFile);
    }

    /**
     * The password of the key store from {@code config.xml}, where it may be encrypted.
     *
     * @param keyStorePasswordSecret name of a {@code <secret>} element whose value is the password
     */
    public void setKeyStorePasswordSecret(final String keyStorePasswordSecret)
    {
        security.keyStorePasswordSecret(keyStorePasswordSecret);
    }

    /**
     * Permits other hosts to send rows without a token.
     *
     * @param allowUnauthenticated default false
     */
    public void setAllowUnauthenticated(final boolean allowUnauthenticated)
    {
        security.allowUnauthenticated(allowUnauthenticated);
    }

    /**
     * Permits other hosts to send rows without encryption, which anyone on the network can then read or change.
     *
     * @param allowUnencrypted default false
     */
    public void setAllowUnencrypted(final boolean allowUnencrypted)
    {
        security.allowUnencrypted(allowUnencrypted);
    }

    @Override
    public void setStageContext(final StageContext context)
    {
        this.context = context;
    }

    @Override
    public void setBatchSender(final EventBatchSender sender)
    {
        this.sender = sender;
    }

    @Override
    public void afterPropertiesSet()
    {
        if (port == NOT_SET)
        {
            throw new IllegalArgumentException("LDG-0103 instance property port is missing, stage=" + stageId() +
                "; set it, for example to ${loadgen.port}");
        }
        if (timesyncPort == NOT_SET)
        {
            timesyncPort = parsePort(System.getProperty(TIMESYNC_PORT_PROPERTY, "0"));
        }
        check("port", port, 0, 0xFFFF);
        check("timesyncPort", timesyncPort, 0, 0xFFFF);
        check("maxFrameBytes", maxFrameBytes, 64, 256 << 20);
        check("maxConnections", maxConnections, 1, 1 << 20);
        check("maxBufferedBytes", maxBufferedBytes, maxFrameBytes, Long.MAX_VALUE);
        check("frameTimeoutMillis", frameTimeoutMillis, 1, Integer.MAX_VALUE);
        check("firstFrameTimeoutMillis", firstFrameTimeoutMillis, 1, Integer.MAX_VALUE);
        checkSecurity();
        final EventType type = eventTypeName == null || context == null ? null :
            context.eventTypes().eventType(eventTypeName);
        if (type != null)
        {
            BatchAssembler.columnsOf(type, eventPropertyNames);
        }
        else if (eventTypeName != null && context != null)
        {
            throw new IllegalArgumentException("LDG-0104 unknown event type, stage=" + stageId() + " eventTypeName=" +
                eventTypeName + " known=" + context.eventTypes().eventTypes().stream().map(EventType::name).toList() +
                "; specify one that the event type repository of the application declares");
        }
    }

    /** A host without an address is reported when the port is opened, together with the port. */
    private void checkSecurity()
    {
        final InetAddress address = new InetSocketAddress(host, port).getAddress();
        if (address != null)
        {
            security.check(address, stageId());
        }
        token = security.token(stageId());
        tls = security.tls(stageId());
    }

    /** Opens the port, so that senders can connect; their data waits until {@link #run}. */
    @Override
    public void afterConfigurationActive() throws IOException
    {
        if (sender != null)
        {
            columns();
        }
        try
        {
            listener = ServerSocketChannel.open();
            final InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved())
            {
                throw new IOException("the host has no address");
            }
            // Check again, because a name may have another address now.
            security.check(address.getAddress(), stageId());
            listener.bind(address, BACKLOG_CONNECTIONS);
            listener.configureBlocking(false);
            selector = Selector.open();
            if (timesyncPort != 0)
            {
                timesync = TimesyncResponder.acquire(host, timesyncPort, context.clock());
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            closeAll();
            if (ex instanceof TimesyncResponder.PortException || ex instanceof IllegalArgumentException)
            {
                throw ex;
            }
            throw new IOException("LDG-0101 port cannot be opened, stage=" + stageId() + " host=" + host + " port=" +
                port + " cause=" + ex.getMessage() +
                "; " + FileHandles.hint(ex,
                    "stop the process that uses it or set another port (loadgen.port) and host"), ex);
        }
    }

    @Override
    public void run()
    {
        running.lock();
        try
        {
            if (isSuspended)
            {
                // Suspended or destroyed before this thread began: the port may be closed.
                return;
            }
            if (loop == null)
            {
                if (sender == null)
                {
                    throw new IllegalStateException("LDG-0107 the adapter has no listener, stage=" + stageId() +
                        "; add one, usually a channel");
                }
                loop = new ConnectionLoop(selector, listener, listener::accept,
                    new AdapterContext(stageId(), new BatchAssembler(sender, columns()), maxFrameBytes, token, tls),
                    context.clock(),
                    new ConnectionLimits(maxFrameBytes, maxConnections, maxConnectionsPerPeer, maxBufferedBytes,
                        context.memory("connections"),
                        TimeUnit.MILLISECONDS.toNanos(frameTimeoutMillis),
                        TimeUnit.MILLISECONDS.toNanos(firstFrameTimeoutMillis)), counters);
            }
            // The check above may have been earlier than a suspension that did not find the loop.
            if (!isSuspended)
            {
                loop.run();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("LDG-0108 the adapter stopped reading, stage=" + stageId() + " cause=" +
                ex.getMessage() + "; resume it", ex);
        }
        finally
        {
            running.unlock();
        }
    }

    @Override
    public void suspend()
    {
        isSuspended = true;
        final ConnectionLoop current = loop;
        if (current != null)
        {
            current.stop();
        }
    }

    @Override
    public void beforeResume()
    {
        isSuspended = false;
        final ConnectionLoop current = loop;
        if (current != null)
        {
            current.prepare();
        }
    }

    @Override
    public void destroy() throws IOException, InterruptedException
    {
        suspend();
        final boolean hasEnded = running.tryLock(RUN_END_SECONDS, TimeUnit.SECONDS);
        try
        {
            if (hasEnded && loop != null)
            {
                loop.close();
            }
            closeAll();
        }
        finally
        {
            if (hasEnded)
            {
                running.unlock();
            }
        }
        if (!hasEnded)
        {
            throw new IOException("LDG-0109 the adapter's thread did not end within " + RUN_END_SECONDS +
                " s, stage=" + stageId() + "; a downstream stage is blocked, the sockets were closed nevertheless");
        }
    }

    /**
     * The open port.
     *
     * @return port, which differs from the configured one if that was 0
     * @throws IOException when the port is not open
     */
    public int boundPort() throws IOException
    {
        return ((InetSocketAddress)listener.getLocalAddress()).getPort();
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = counters.snapshot();
        // The open port, because the configured one may be 0. The socket retains it after it was closed.
        figures.put("port", listener == null ? port : listener.socket().getLocalPort());
        figures.put("timesyncRequests", timesync == null ? 0L : timesync.requests());
        return figures;
    }

    private int[] columns()
    {
        final EventType type = sender.schema().type();
        if (eventTypeName != null && !eventTypeName.equals(type.name()))
        {
            throw new IllegalArgumentException("LDG-0104 event type differs from the one of the downstream channel, " +
                "stage=" + stageId() + " eventTypeName=" + eventTypeName + " channelType=" + type.name() +
                "; make both equal");
        }
        return BatchAssembler.columnsOf(type, eventPropertyNames);
    }

    private void closeAll() throws IOException
    {
        if (timesync != null)
        {
            timesync.release();
            timesync = null;
        }
        if (selector != null && selector.isOpen())
        {
            for (final SelectionKey key : selector.keys())
            {
                key.channel().close();
            }
            selector.close();
        }
        if (listener != null)
        {
            listener.close();
        }
    }

    private int parsePort(final String text)
    {
        try
        {
            return Integer.parseInt(text.strip());
        }
        catch (final NumberFormatException ex)
        {
            throw new IllegalArgumentException("LDG-0103 system property is not a port number, name="
                + TIMESYNC_PORT_PROPERTY +
                " value=" + text + "; set a number from 1 to 65535 in startwlevs.sh", ex);
        }
    }

    private void check(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw new IllegalArgumentException("LDG-0103 instance property is out of range, stage=" + stageId() +
                " name=" + name + " value=" + value + " min=" + min + " max=" + max + "; correct it");
        }
    }

    private String stageId()
    {
        return context == null ? "unknown" : context.stageId();
    }
}
