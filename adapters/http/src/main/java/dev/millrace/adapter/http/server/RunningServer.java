package dev.millrace.adapter.http.server;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.JsonResponse;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.api.http.EventPort;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.http.PortTls;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/**
 * A Jetty server for events: HTTP/1.1 with limits for threads, connections, heads and buffers, and a handler for each
 * path. Opened and closed by one thread at a time; paths may be added and removed by any thread.
 */
final class RunningServer extends Handler.Abstract.NonBlocking implements AutoCloseable
{
    /** At the end of a path: all paths below it as well. */
    static final String BELOW = "/*";

    private static final int MAX_THREADS = 16;
    private static final int MIN_THREADS = 2;
    private static final int THREAD_IDLE_MS = 10_000;
    private static final int BACKLOG = 128;
    private static final int INPUT_BUFFER_BYTES = 8 << 10;
    private static final int MAX_POOLED_BUFFER_BYTES = 64 << 10;
    private static final long MAX_POOLED_BYTES = 16L << 20;
    /** Number of checks within each time limit. */
    private static final int SWEEPS = 20;
    /** Pause before the next accept; the client waits in the backlog. */
    private static final long ACCEPT_AGAIN_MS = 100;

    private final EventServer description;
    private final ConnectionGuard guard;
    private final Server jetty;
    private final Scheduler scheduler;
    private final long sweepNs;
    private final List<ServerConnector> connectors = new ArrayList<>();
    private final Map<String, Request.Handler> handlers = new ConcurrentHashMap<>();
    private volatile Scheduler.Task nextSweep;

    RunningServer(final EventServer description, final ServerLimits limits)
    {
        this.description = description;
        guard = new ConnectionGuard(limits, description.name(), System::nanoTime);
        sweepNs = limits.headTimeoutNs() / SWEEPS;
        // Its queue is unbounded, but each connection adds at most one task at a time, and connections are limited.
        final QueuedThreadPool pool = new QueuedThreadPool(MAX_THREADS, MIN_THREADS, THREAD_IDLE_MS);
        pool.setReservedThreads(0);
        pool.setName("events-http");
        pool.setDaemon(true);
        scheduler = new ScheduledExecutorScheduler("events-http-deadlines", true);
        jetty = new Server(pool, scheduler, new ArrayByteBufferPool(0, INPUT_BUFFER_BYTES, MAX_POOLED_BUFFER_BYTES,
            Integer.MAX_VALUE, MAX_POOLED_BYTES, MAX_POOLED_BYTES));
        // Before the start, because a running server starts nothing that is added.
        ServerWebSocketContainer.ensure(jetty);
        description.ports().forEach(port -> add(port, limits));
        jetty.setHandler(this);
        jetty.setErrorHandler((request, response, callback) ->
        {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
            JsonResponse.refuse(response, callback, new RefusedRequest(response.getStatus(), HttpErrorCode.BAD_REQUEST,
                "invalid request or internal error, status=" + response.getStatus(), "send HTTP/1.1 with a Host, one " +
                "length and a head of at most " + ServerLimits.MAX_HEAD_BYTES + " bytes; status 500: see the log"));
            return true;
        });
    }

    private void add(final EventPort port, final ServerLimits limits)
    {
        final HttpConnectionFactory http = new HttpConnectionFactory(configuration(port.tls() != null));
        final ServerConnector connector = port.tls() == null ? new PatientConnector(jetty, guard, http) :
            new PatientConnector(jetty, guard, new SslConnectionFactory(tls(port.tls()), http.getProtocol()), http);
        connector.setName(port.name());
        connector.setHost(port.host());
        connector.setPort(port.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(limits.writeTimeoutMs());
        connector.addBean(guard);
        jetty.addConnector(connector);
        connectors.add(connector);
    }

    private static SslContextFactory.Server tls(final PortTls settings)
    {
        final SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(settings.context());
        tls.setIncludeProtocols(settings.protocols().toArray(String[]::new));
        if (!settings.cipherSuites().isEmpty())
        {
            tls.setExcludeCipherSuites();
            tls.setIncludeCipherSuites(settings.cipherSuites().toArray(String[]::new));
        }
        tls.setNeedClientAuth(settings.needsClientAuth());
        tls.setSniRequired(false);
        tls.setRenegotiationAllowed(false);
        return tls;
    }

    private static HttpConfiguration configuration(final boolean isSecure)
    {
        final HttpConfiguration configuration = new HttpConfiguration();
        if (isSecure)
        {
            // Marks requests as secure. Clients compare the name with the certificate.
            configuration.addCustomizer(new SecureRequestCustomizer(false));
        }
        configuration.setRequestHeaderSize(ServerLimits.MAX_HEAD_BYTES);
        configuration.setInputBufferSize(INPUT_BUFFER_BYTES);
        configuration.setSendServerVersion(false);
        configuration.setHttpCompliance(HttpCompliance.RFC9110);
        configuration.setUriCompliance(UriCompliance.RFC3986);
        return configuration;
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

    /**
     * Opens all ports.
     *
     * @throws BindException if one is in use
     */
    void open() throws IOException
    {
        try
        {
            for (int i = 0; i < connectors.size(); i++)
            {
                open(connectors.get(i), description.ports().get(i));
            }
            jetty.start();
            sweep();
        }
        catch (final IOException | RuntimeException e)
        {
            close();
            throw e;
        }
        catch (final Exception e)
        {
            close();
            throw new IOException("the HTTP server for events does not start", e);
        }
    }

    private void open(final ServerConnector connector, final EventPort port) throws IOException
    {
        try
        {
            connector.open();
        }
        catch (final IOException e)
        {
            final String message = HttpErrorCode.PORT.message("a port for events cannot be opened, server=" +
                description.name() + " netio=" + port.name() + " host=" + port.host() + " port=" + port.port() +
                " reason=" + e, "stop the other process (ss -ltnp shows it), or change the netio element in " +
                "config.xml and restart the server");
            throw e instanceof BindException || e.getCause() instanceof BindException ?
                (IOException)new BindException(message).initCause(e) : new IOException(message, e);
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

    /** Adds a path, or with {@code /*} at its end a path and all below it; returns false if it has a handler. */
    boolean add(final String path, final Request.Handler handler)
    {
        return handlers.putIfAbsent(path, handler) == null;
    }

    /** Removes a path; returns whether no path is left. */
    boolean remove(final String path)
    {
        handlers.remove(path);
        return handlers.isEmpty();
    }

    ServerConnector connector(final int index)
    {
        return connectors.get(index);
    }

    @Override
    public boolean handle(final Request request, final Response response, final Callback callback) throws Exception
    {
        final EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        guard.headArrived(endPoint);
        Request.addCompletionListener(request, failure -> guard.answered(endPoint));
        final Request.Handler handler = find(Request.getPathInContext(request));
        if (handler == null)
        {
            JsonResponse.refuse(response, callback, new RefusedRequest(RefusedRequest.NOT_FOUND, HttpErrorCode.NO_PATH,
                "no running application uses this path", "compare it with contextPath of the adapters"));
            return true;
        }
        return handler.handle(request, response, callback);
    }

    private Request.Handler find(final String path)
    {
        Request.Handler found = handlers.get(path);
        for (int end = path.length(); found == null && end > 0; end = path.lastIndexOf('/', end - 1))
        {
            found = handlers.get(path.substring(0, end) + BELOW);
        }
        return found;
    }

    /** The server, for its threads and the protocols to which requests upgrade. */
    Server jetty()
    {
        return jetty;
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
            jetty.stop();
        }
        catch (final Exception e)
        {
            throw new IllegalStateException("the HTTP server for events does not stop", e);
        }
        finally
        {
            connectors.forEach(ServerConnector::close);
        }
    }
}
