package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfiguration.SecureAddress;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * An HTTP/1.1 server on one address, and on a second one with TLS: Jetty with limits for threads, connections, heads
 * and buffers. Opened and closed by one thread.
 */
final class HttpListener implements AutoCloseable
{
    private static final int MAX_THREADS = 16;
    private static final int MIN_THREADS = 2;
    private static final int THREAD_IDLE_MS = 10_000;
    private static final int BACKLOG = 128;
    private static final int INPUT_BUFFER_BYTES = 4 << 10;
    private static final int MAX_POOLED_BUFFER_BYTES = 64 << 10;
    private static final long MAX_POOLED_BYTES = 4L << 20;

    /** How long a response may wait for its reader; requests have separate deadlines. */
    private static final long SILENCE_MS = 30_000;

    /** Number of checks within each deadline. */
    private static final int SWEEPS = 20;

    /** Pause before the next accept; the client waits in the backlog. */
    private static final long ACCEPT_AGAIN_MS = 100;

    private final Server server;

    private final List<Port> ports = new ArrayList<>();

    private final ConnectionGuard guard;

    private final Scheduler scheduler;

    private final long sweepNs;

    private volatile Scheduler.Task nextSweep;

    /** A connector, and the address on which it listens. */
    private record Port(NetworkAddress address, ServerConnector connector)
    {
    }

    /**
     * @param secure address with TLS, or {@code null}
     * @throws DeploymentException when its key cannot be used
     */
    HttpListener(final NetworkAddress address, final SecureAddress secure, final ConnectionGuard guard,
        final EndpointLimits limits) throws DeploymentException
    {
        this.guard = guard;
        sweepNs = limits.headTimeoutNs() / SWEEPS;
        // Its queue is unbounded, but each connection adds at most one task at a time, and connections are limited.
        final QueuedThreadPool pool = new QueuedThreadPool(MAX_THREADS, MIN_THREADS, THREAD_IDLE_MS);
        pool.setReservedThreads(0);
        pool.setName("millrace-http");
        pool.setDaemon(true);
        scheduler = new ScheduledExecutorScheduler("millrace-http-deadlines", true);
        server = new Server(pool, scheduler, new ArrayByteBufferPool(0, INPUT_BUFFER_BYTES, MAX_POOLED_BUFFER_BYTES,
            Integer.MAX_VALUE, MAX_POOLED_BYTES, MAX_POOLED_BYTES));
        add(address, new HttpConnectionFactory(configuration(false)));
        if (secure != null)
        {
            final HttpConnectionFactory http = new HttpConnectionFactory(configuration(true));
            add(secure.address(), new SslConnectionFactory(TlsContexts.create(secure.tls()), http.getProtocol()), http);
        }
    }

    private void add(final NetworkAddress address, final ConnectionFactory... factories)
    {
        final ServerConnector connector = new PatientConnector(server, guard, factories);
        connector.setHost(address.host());
        connector.setPort(address.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(SILENCE_MS);
        connector.addBean(guard);
        server.addConnector(connector);
        ports.add(new Port(address, connector));
    }

    /** Continues after a connection could not be accepted, for example because no file handles are free. */
    private static final class PatientConnector extends ServerConnector
    {
        private final ConnectionGuard guard;

        PatientConnector(final Server server, final ConnectionGuard guard, final ConnectionFactory... factories)
        {
            super(server, null, null, null, 1, 1, factories);
            this.guard = guard;
        }

        @Override
        protected boolean handleAcceptFailure(final Throwable failure)
        {
            if (!isRunning() || !(failure instanceof IOException))
            {
                return super.handleAcceptFailure(failure);
            }
            guard.acceptFailed(failure);
            try
            {
                TimeUnit.MILLISECONDS.sleep(ACCEPT_AGAIN_MS);
                return true;
            }
            catch (final InterruptedException e)
            {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    private static HttpConfiguration configuration(final boolean isSecure)
    {
        final HttpConfiguration configuration = new HttpConfiguration();
        if (isSecure)
        {
            // Marks requests as secure. Clients compare the name with the certificate.
            configuration.addCustomizer(new SecureRequestCustomizer(false));
        }
        configuration.setRequestHeaderSize(EndpointLimits.MAX_HEAD_BYTES);
        configuration.setInputBufferSize(INPUT_BUFFER_BYTES);
        configuration.setSendServerVersion(false);
        configuration.setSendDateHeader(true);
        configuration.setHttpCompliance(HttpCompliance.RFC9110);
        // Paths are decoded once and must match a pattern as a whole; the response to other requests contains the path.
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        return configuration;
    }

    /** Starts listening. */
    void open(final RequestHandler handler) throws DeploymentException, IOException
    {
        server.setHandler(handler);
        server.setErrorHandler((request, response, callback) ->
        {
            handler.answerBadRequest(request, response, callback);
            return true;
        });
        try
        {
            for (final Port port : ports)
            {
                bind(port);
            }
            server.start();
            sweep();
        }
        catch (final IOException | DeploymentException e)
        {
            close();
            throw e;
        }
        catch (final RuntimeException e)
        {
            close();
            throw e;
        }
        catch (final Exception e)
        {
            close();
            throw new IOException("HTTP server does not start", e);
        }
    }

    private static void bind(final Port port) throws DeploymentException, IOException
    {
        try
        {
            port.connector.open();
        }
        catch (final IOException e)
        {
            if (e.getCause() instanceof BindException || e instanceof BindException)
            {
                final NetworkAddress address = port.address;
                throw new DeploymentException("SRV-0111", address.position(), "port is in use, port=" + address.port()
                    + " listen-address=" + address.host() + " netio=" + address.name(),
                    "stop the other process (ss -ltnp shows it), or change the port of this netio element");
            }
            throw e;
        }
    }

    private void sweep()
    {
        guard.sweep();
        if (scheduler.isRunning())
        {
            nextSweep = scheduler.schedule(this::sweep, sweepNs, TimeUnit.NANOSECONDS);
        }
    }

    int port()
    {
        return ports.get(0).connector.getLocalPort();
    }

    /** The port with TLS, -1 without one. */
    int securePort()
    {
        return ports.size() == 1 ? -1 : ports.get(1).connector.getLocalPort();
    }

    @Override
    public void close()
    {
        final Scheduler.Task task = nextSweep;
        if (task != null)
        {
            task.cancel();
        }
        try
        {
            server.stop();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("HTTP server does not stop", e);
        }
    }
}
