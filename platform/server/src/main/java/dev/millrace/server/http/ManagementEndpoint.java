package dev.millrace.server.http;

import dev.millrace.api.process.FileHandles;
import dev.millrace.api.secret.LoginThrottle;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.audit.AuditLog;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.config.ServerConfiguration.SecureAddress;
import dev.millrace.server.http.RequestHandler.Workers;
import dev.millrace.server.http.Route.Description;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of the instance, on loopback and on an address with TLS, with JSON responses. Opened and closed by
 * one thread; requests arrive on several threads.
 */
public final class ManagementEndpoint implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(ManagementEndpoint.class);

    private static final long FINISH_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int MAX_WAITING_LOGINS = 32;

    private static final long KEEP_ALIVE_SECONDS = 10;

    private static final int OK = 200;

    private static final int ACCEPTED = 202;

    private final HttpListener listener;

    private final ConnectionGuard guard;

    private final ThreadPoolExecutor logins;

    private final String host;

    private ManagementEndpoint(final HttpListener listener, final ConnectionGuard guard,
        final ThreadPoolExecutor logins, final String host)
    {
        this.listener = listener;
        this.guard = guard;
        this.logins = logins;
        this.host = host;
    }

    /**
     * Opens the endpoint.
     *
     * @param secure     second address, with TLS, or {@code null}
     * @param domain     domain directory: the token is in {@code var}, users are in {@code config}
     * @param executor   threads that execute changes; rejects work when too much is waiting
     * @param management operations to offer
     * @param audit      log of changes and rejections; stays open
     * @return the endpoint, listening
     * @throws DeploymentException when a port is in use, or the key of the secure one cannot be used
     * @throws IOException         when the token cannot be written
     */
    public static ManagementEndpoint open(final NetworkAddress address, final SecureAddress secure,
        final Path domain, final Executor executor, final Management management, final AuditLog audit)
        throws DeploymentException, IOException
    {
        return open(address, secure, domain, executor, management, audit,
            EndpointLimits.standard(FileHandles.OF_PROCESS.limit()));
    }

    static ManagementEndpoint open(final NetworkAddress address, final SecureAddress secure, final Path domain,
        final Executor executor, final Management management, final AuditLog audit, final EndpointLimits limits)
        throws DeploymentException, IOException
    {
        final Path uploads = domain.resolve("var").resolve("uploads");
        IncomingBody.clean(uploads);
        final Authentication authentication = Authentication.open(domain.resolve("var").resolve("admin.token"),
            domain.resolve("config").resolve("users"), new LoginThrottle(System::nanoTime));
        final ConnectionGuard guard = new ConnectionGuard(limits);
        final ThreadPoolExecutor logins = newLogins();
        final HttpListener listener = new HttpListener(address, secure, guard, limits);
        listener.open(new RequestHandler(routes(management), authentication, guard,
            new Workers(logins, executor), new RequestAudit(audit), address.host(), uploads,
            limits.uploadBytes()));
        return new ManagementEndpoint(listener, guard, logins, address.host());
    }

    private static ThreadPoolExecutor newLogins()
    {
        final ThreadPoolExecutor logins = new ThreadPoolExecutor(1, 1, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING_LOGINS), task ->
            {
                final Thread thread = new Thread(task, "millrace-http-login");
                thread.setDaemon(true);
                return thread;
            });
        logins.allowCoreThreadTimeOut(true);
        return logins;
    }

    public int port()
    {
        return listener.port();
    }

    /** Returns the port with TLS, -1 without one. */
    public int securePort()
    {
        return listener.securePort();
    }

    /** Returns the URL without path. */
    public String url()
    {
        return "http://" + (host.contains(":") ? '[' + host + ']' : host) + ':' + port();
    }

    /** Returns the number of connections, and how many were closed for each reason. */
    public Map<String, Object> figures()
    {
        return guard.figures();
    }

    /** Returns all routes; their actions call the given management. */
    static List<Route> routes(final Management management)
    {
        final List<Route> all = new ArrayList<>(List.of(
            new Route("GET", "/wlevs/server", OK, new Description(
                "Returns the state of the instance.", ResponseBody.SERVER), (request, name) -> management.server()),
            new Route("POST", "/wlevs/server/shutdown", ACCEPTED, new Description(
                "Stops the instance; the response is sent before it stops.", ResponseBody.STOPPING),
                (request, name) -> shutdown(management)),
            new Route("GET", "/wlevs/apps", OK, new Description(
                "Returns all applications.", ResponseBody.APPLICATIONS),
                (request, name) -> management.applications()),
            new Route("GET", "/wlevs/apps/NAME", OK, new Description(
                "Returns the state of an application.", ResponseBody.APPLICATION),
                (request, name) -> management.application(name)),
            new Route("GET", "/wlevs/apps/NAME/statistics", OK, new Description(
                "Returns figures of the stages, caches and memory of an application.", ResponseBody.STATISTICS),
                (request, name) -> management.statistics(name))));
        all.addAll(new DeploymentRoutes(management).routes());
        all.addAll(new RuleRoutes(management).routes());
        all.addAll(new RecordingRoutes(management).routes());
        return List.copyOf(all);
    }

    private static Object shutdown(final Management management)
    {
        management.shutdown();
        return Map.of("state", "SHUTTING_DOWN");
    }

    /** Waits for requests that are nearly complete, such as the one that requested the shutdown. */
    @Override
    public void close()
    {
        try
        {
            if (!guard.awaitIdle(FINISH_NS))
            {
                LOG.info("management requests are aborted, limitSeconds={}", TimeUnit.NANOSECONDS.toSeconds(FINISH_NS));
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        logins.shutdownNow();
        listener.close();
    }
}
