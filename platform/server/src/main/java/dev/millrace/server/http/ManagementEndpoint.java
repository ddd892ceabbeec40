package dev.millrace.server.http;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.config.ServerConfiguration.NetworkAddress;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on loopback and answers with JSON. Opened and closed by one thread, requests come on a pool. */
public final class ManagementEndpoint implements AutoCloseable
{
    /** Greatest size of an uploaded bundle. */
    public static final long MAX_BODY_BYTES = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(ManagementEndpoint.class);

    private static final int BACKLOG = 64;

    /** What is read of a body that nobody wants, so that the client gets to read the answer. */
    private static final long MAX_DRAIN_BYTES = 256L << 20;

    /** The same for clients that have not shown credentials. */
    private static final long MAX_DRAIN_UNKNOWN_BYTES = 64L << 10;

    private static final int DRAIN_BUFFER_BYTES = 16 << 10;

    private static final long FINISH_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int OK = 200;

    private static final int ACCEPTED = 202;

    private static final String NAME = "([A-Za-z0-9._-]{1,200})";

    /** Ids of rules are in any language. */
    private static final String RULE = "([\\p{L}\\p{N}_$#]{1,200})";

    /** Names of configuration files, without folders. */
    private static final String CONFIGURATION = "([A-Za-z0-9_-][A-Za-z0-9._-]{0,190}\\.xml)";

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Authentication authentication;

    private final HttpServer server;

    private final String host;

    private final Gson gson = new GsonBuilder().serializeSpecialFloatingPointValues().disableHtmlEscaping()
        .serializeNulls().create();

    private final List<Route> routes;

    /** Requests that have no answer yet; guarded by this. */
    private int open;

    /** What answers a method and path. */
    record Route(String method, String path, Pattern pattern, int status, Action action)
    {
        Route(final String method, final String path, final int status, final Action action)
        {
            this(method, path, Pattern.compile(path.replace("NAME", NAME).replace("RULE", RULE)
                .replace("CONFIGURATION", CONFIGURATION)), status, action);
        }
    }

    /** The work behind a route. */
    @FunctionalInterface
    interface Action
    {
        Object run(HttpExchange exchange, String name)
            throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException;
    }

    private ManagementEndpoint(
        final Management management, final Authentication authentication, final HttpServer server, final String host)
    {
        this.authentication = authentication;
        this.server = server;
        this.host = host;
        this.routes = routes(management);
    }

    /**
     * Opens the endpoint.
     *
     * @param address    where to listen
     * @param domain     domain directory: token in {@code var}, users in {@code config}
     * @param executor   threads
     * @param management what to manage
     * @return the endpoint, listening
     * @throws DeploymentException when the port is taken
     * @throws IOException         when the token cannot be written
     */
    public static ManagementEndpoint open(
        final NetworkAddress address, final Path domain, final Executor executor, final Management management)
        throws DeploymentException, IOException
    {
        limitSlowClients();
        final HttpServer server = bind(address);
        try
        {
            final Authentication authentication = Authentication.open(domain.resolve("var").resolve("admin.token"),
                domain.resolve("config").resolve("users"), new AttemptLimit(System::nanoTime));
            final ManagementEndpoint endpoint =
                new ManagementEndpoint(management, authentication, server, address.host());
            server.createContext("/", endpoint::handle);
            server.setExecutor(executor);
            server.start();
            return endpoint;
        }
        catch (final IOException e)
        {
            server.stop(0);
            throw e;
        }
    }

    /** Read by the JDK's server when its class is initialised. */
    private static void limitSlowClients()
    {
        setDefault("sun.net.httpserver.maxReqTime", "60");
        setDefault("sun.net.httpserver.idleInterval", "30");
        setDefault("sun.net.httpserver.maxReqHeaders", "50");
        setDefault("jdk.httpserver.maxConnections", "64");
        // Bodies are drained here, with limits of our own.
        setDefault("sun.net.httpserver.drainAmount", "0");
    }

    private static void setDefault(final String property, final String value)
    {
        if (System.getProperty(property) == null)
        {
            System.setProperty(property, value);
        }
    }

    private static HttpServer bind(final NetworkAddress address) throws DeploymentException, IOException
    {
        try
        {
            return HttpServer.create(
                new InetSocketAddress(InetAddress.getByName(address.host()), address.port()), BACKLOG);
        }
        catch (final BindException e)
        {
            throw new DeploymentException("SRV-0111", address.position(), "port is in use, port=" + address.port()
                + " listen-address=" + address.host() + " netio=" + address.name(),
                "stop the other process (ss -ltnp shows it), or change the port of this netio element");
        }
    }

    /**
     * Where it listens.
     *
     * @return port
     */
    public int port()
    {
        return server.getAddress().getPort();
    }

    /**
     * Where it listens.
     *
     * @return URL without path
     */
    public String url()
    {
        return "http://" + (host.contains(":") ? '[' + host + ']' : host) + ':' + port();
    }

    /** All there is; the actions call the given management. */
    static List<Route> routes(final Management management)
    {
        final List<Route> all = new ArrayList<>(List.of(
            new Route("GET", "/wlevs/server", OK, (exchange, name) -> management.server()),
            new Route("POST", "/wlevs/server/shutdown", ACCEPTED, (exchange, name) -> shutdown(management)),
            new Route("GET", "/wlevs/apps", OK, (exchange, name) -> management.applications()),
            new Route("GET", "/wlevs/apps/NAME", OK, (exchange, name) -> management.application(name)),
            new Route("GET", "/wlevs/apps/NAME/statistics", OK, (exchange, name) -> management.statistics(name))));
        all.addAll(new DeploymentRoutes(management).routes());
        all.addAll(new RuleRoutes(management).routes());
        return List.copyOf(all);
    }

    private static Object shutdown(final Management management)
    {
        management.shutdown();
        return Map.of("state", "SHUTTING_DOWN");
    }

    private void handle(final HttpExchange exchange)
    {
        count(1);
        try (exchange)
        {
            try
            {
                answer(exchange);
            }
            catch (final RuntimeException | LinkageError | StackOverflowError e)
            {
                LOG.error("request failed, method={} path={}", exchange.getRequestMethod(), path(exchange), e);
                send(exchange, HttpProblem.OUR_FAULT, new HttpProblem(HttpProblem.OUR_FAULT, "SRV-0499",
                    "internal error, reason=" + e, "this is our fault; please report it with the server's log")
                    .body());
            }
        }
        catch (final IOException e)
        {
            LOG.debug("client went away, path={} reason={}", path(exchange), e.toString());
        }
        finally
        {
            count(-1);
        }
    }

    private synchronized void count(final int change)
    {
        open += change;
        notifyAll();
    }

    private void answer(final HttpExchange exchange) throws IOException
    {
        try
        {
            checkHost(exchange);
            authentication.check(exchange.getRequestHeaders());
            final Route route = route(exchange);
            final Matcher matcher = route.pattern.matcher(path(exchange));
            final String name = matcher.matches() && matcher.groupCount() > 0 ? matcher.group(1) : null;
            final Object result = result(route, exchange, name);
            send(exchange, isWaiting(result) ? ACCEPTED : route.status, result);
        }
        catch (final HttpProblem e)
        {
            if (e.status() == HttpProblem.UNAUTHORIZED)
            {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            }
            send(exchange, e.status(), e.body());
        }
        catch (final DeploymentException e)
        {
            send(exchange, HttpProblem.REFUSED, HttpProblem.body(e.problems()));
        }
        catch (final NoSuchApplicationException e)
        {
            send(exchange, HttpProblem.NOT_FOUND, new HttpProblem(
                HttpProblem.NOT_FOUND, "SRV-0404", e.getMessage(), "see the list of applications").body());
        }
        catch (final LimitedInput.TooLargeException e)
        {
            send(exchange, HttpProblem.TOO_LARGE, new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413",
                "body is too large, limitBytes=" + MAX_BODY_BYTES, "make the bundle smaller").body());
        }
    }

    /** A full disk is told to the client; one that has gone away does not hear it. */
    private static Object result(final Route route, final HttpExchange exchange, final String name)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        try
        {
            return route.action.run(exchange, name);
        }
        catch (final LimitedInput.TooLargeException e)
        {
            throw e;
        }
        catch (final IOException e)
        {
            LOG.warn("SRV-0498 request ends early, method={} path={} reason={}", route.method, path(exchange),
                e.toString());
            throw new HttpProblem(HttpProblem.OUR_FAULT, "SRV-0498", "files cannot be read or written, reason=" + e,
                "look at room and owner of the domain directory, then try again");
        }
    }

    private static boolean isWaiting(final Object result)
    {
        return result instanceof Map<?, ?> map && "WAITING".equals(map.get("state"));
    }

    /** Keeps pages in a browser out, whatever name they make resolve to this machine. */
    private void checkHost(final HttpExchange exchange) throws HttpProblem
    {
        final String header = exchange.getRequestHeaders().getFirst("Host");
        final String named = header == null ? "" : header.replaceFirst(":\\d{1,5}$", "").toLowerCase(Locale.ROOT);
        if (!LOCAL_NAMES.contains(named) && !named.equals(host.toLowerCase(Locale.ROOT)))
        {
            throw new HttpProblem(HttpProblem.FORBIDDEN, "SRV-0403", "host is not this machine, Host=" + header,
                "use 127.0.0.1 or localhost in the URL");
        }
        if (exchange.getRequestHeaders().containsKey("Origin"))
        {
            throw new HttpProblem(HttpProblem.FORBIDDEN, "SRV-0403", "requests from web pages are refused",
                "use the command line");
        }
    }

    private Route route(final HttpExchange exchange) throws HttpProblem
    {
        final List<String> methods = new ArrayList<>();
        for (final Route route : routes)
        {
            if (route.pattern.matcher(path(exchange)).matches())
            {
                methods.add(route.method);
                if (route.method.equals(exchange.getRequestMethod()))
                {
                    return route;
                }
            }
        }
        if (!methods.isEmpty())
        {
            throw new HttpProblem(HttpProblem.METHOD_NOT_ALLOWED, "SRV-0405",
                "method is not allowed here, method=" + exchange.getRequestMethod() + " path=" + path(exchange),
                "use " + String.join(" or ", methods));
        }
        throw new HttpProblem(HttpProblem.NOT_FOUND, "SRV-0404", "no such path, path=" + path(exchange),
            "paths start with /wlevs/server or /wlevs/apps; names have letters, digits, '.', '_' and '-'");
    }

    static InputStream body(final HttpExchange exchange) throws HttpProblem
    {
        if (announcedBytes(exchange) > MAX_BODY_BYTES)
        {
            throw new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413", "body is too large, sizeBytes="
                + announcedBytes(exchange) + " limitBytes=" + MAX_BODY_BYTES, "make the bundle smaller");
        }
        return new LimitedInput(exchange.getRequestBody(), MAX_BODY_BYTES);
    }

    /** What the client says about its body; 0 when it says nothing. */
    private static long announcedBytes(final HttpExchange exchange)
    {
        final String length = exchange.getRequestHeaders().getFirst("Content-Length");
        return length != null && length.matches("\\d{1,18}") ? Long.parseLong(length) : 0;
    }

    private static String path(final HttpExchange exchange)
    {
        return exchange.getRequestURI().getPath();
    }

    private void send(final HttpExchange exchange, final int status, final Object body) throws IOException
    {
        final boolean isKnown =
            status != HttpProblem.UNAUTHORIZED && status != HttpProblem.FORBIDDEN && status != HttpProblem.TOO_MANY;
        if (!drain(exchange, isKnown ? MAX_DRAIN_BYTES : MAX_DRAIN_UNKNOWN_BYTES))
        {
            exchange.getResponseHeaders().set("Connection", "close");
        }
        final byte[] bytes = gson.toJson(body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.getResponseBody().flush();
    }

    /** Reads what is left of a body; false when that is too much, so that the connection has to end. */
    private static boolean drain(final HttpExchange exchange, final long limitBytes)
    {
        if (announcedBytes(exchange) > limitBytes)
        {
            return false;
        }
        final byte[] buffer = new byte[DRAIN_BUFFER_BYTES];
        try
        {
            long drained = 0;
            int read = 0;
            while (read >= 0 && drained <= limitBytes)
            {
                read = exchange.getRequestBody().read(buffer);
                drained += read;
            }
            return read < 0;
        }
        catch (final IOException e)
        {
            LOG.debug("body ends early, path={} reason={}", path(exchange), e.toString());
            return false;
        }
    }

    /** Lets requests finish that are nearly done, such as the one that asked for the shutdown. */
    @Override
    public void close()
    {
        final long deadlineNs = System.nanoTime() + FINISH_NS;
        synchronized (this)
        {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(FINISH_NS);
            while (open > 0 && leftMs > 0)
            {
                try
                {
                    wait(leftMs);
                }
                catch (final InterruptedException e)
                {
                    Thread.currentThread().interrupt();
                    break;
                }
                leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            }
        }
        server.stop(0);
    }
}
