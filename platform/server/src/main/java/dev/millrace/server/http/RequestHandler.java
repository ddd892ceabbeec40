package dev.millrace.server.http;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.audit.AuditLog.Entry;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.http.ManagementRequest.Caller;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes a request from its head to its response. The HTTP server's threads handle heads, credentials and bodies and
 * never block on input. One thread verifies passwords. The work manager executes changes once their whole body has
 * arrived. Thread-safe.
 */
final class RequestHandler extends Handler.Abstract
{
    private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

    /** Maximum bytes read of the body of a rejected request, so that the client can read the response. */
    private static final long MAX_DRAIN_BYTES = 256L << 20;

    /** The same for clients without credentials. */
    private static final long MAX_DRAIN_UNKNOWN_BYTES = 64L << 10;

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final List<Route> routes;

    private final Authentication authentication;

    private final ConnectionGuard guard;

    private final Workers workers;

    private final RequestAudit audit;

    private final String host;

    private final Path uploads;

    private final AtomicLong uploadBudget;

    private final Gson gson = new GsonBuilder().serializeSpecialFloatingPointValues().disableHtmlEscaping()
        .serializeNulls().create();

    /**
     * The executors of slow work.
     *
     * @param logins  verifies passwords, one at a time
     * @param changes executes changes
     */
    record Workers(Executor logins, Executor changes)
    {
    }

    RequestHandler(final List<Route> routes, final Authentication authentication, final ConnectionGuard guard,
        final Workers workers, final RequestAudit audit, final String host, final Path uploads,
        final long uploadBytes)
    {
        this.routes = routes;
        this.authentication = authentication;
        this.guard = guard;
        this.workers = workers;
        this.audit = audit;
        this.host = host;
        this.uploads = uploads;
        this.uploadBudget = new AtomicLong(uploadBytes);
    }

    @Override
    public boolean handle(final Request request, final Response response, final Callback callback)
    {
        final EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        guard.headArrived(endPoint);
        Request.addCompletionListener(request, failure -> guard.answered(endPoint));
        // A change may take longer than the idle timeout of a connection.
        request.addIdleTimeoutListener(silence -> false);
        final Exchange exchange = new Exchange(request, response, callback, endPoint);
        if (Authentication.isPassword(exchange.authorization))
        {
            execute(workers.logins, exchange, exchange::begin, new HttpProblem(HttpProblem.TOO_MANY, "SRV-0406",
                "too many concurrent logins", "try again later; the token of var/admin.token works in the meantime"));
        }
        else
        {
            exchange.begin();
        }
        return true;
    }

    private static void execute(
        final Executor executor, final Exchange exchange, final Runnable work, final HttpProblem problem)
    {
        try
        {
            executor.execute(work);
        }
        catch (final RejectedExecutionException e)
        {
            // Does not look up the user, because this thread would have to wait.
            exchange.refuse(problem, Authentication.NOBODY);
        }
    }

    /** Responds to a malformed HTTP request. */
    void answerBadRequest(final Request request, final Response response, final Callback callback)
    {
        final int status = response.getStatus();
        final HttpProblem problem = status >= HttpProblem.OUR_FAULT
            ? new HttpProblem(status, "SRV-0499", "internal error, status=" + status,
                "please report it with the server's log")
            : new HttpProblem(status, "SRV-0400", "invalid request, status=" + status,
                "send HTTP/1.1 with a Host, one length and a head of at most "
                    + EndpointLimits.MAX_HEAD_BYTES + " bytes");
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        write(response, callback, status, problem.body());
    }

    private void write(final Response response, final Callback callback, final int status, final Object body)
    {
        final byte[] bytes = gson.toJson(body).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        final HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, "application/json; charset=utf-8");
        headers.put(HttpHeader.CONTENT_LENGTH, bytes.length);
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        response.write(true, ByteBuffer.wrap(bytes), callback);
    }

    /** A request in progress. Confined to one thread at a time. */
    private final class Exchange
    {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final EndPoint endPoint;
        private final String authorization;
        private final IncomingBody body = new IncomingBody(uploads, uploadBudget);
        private String path = "";
        private Route route;
        private Caller caller;

        /** Why the request is rejected, or null. The body of a rejected request is still read, up to a limit. */
        private HttpProblem problem;
        private long drainBytes;
        private long arrivedBytes;
        private boolean hasArrived;

        Exchange(final Request request, final Response response, final Callback callback, final EndPoint endPoint)
        {
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.endPoint = endPoint;
            authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
        }

        private void begin()
        {
            try
            {
                checkHost();
                final String peer = peer();
                caller = new Caller(
                    authentication.user(authorization, user -> audit.lockedOut(user, peer)), peer);
                guard.knows(endPoint, true);
                path = decodedPath();
                route = findRoute();
                checkLength();
                receive();
            }
            catch (final HttpProblem e)
            {
                refuse(e, authentication.claimed(authorization));
            }
            catch (final RuntimeException e)
            {
                answer(internal(e));
            }
        }

        private void refuse(final HttpProblem why, final String claimed)
        {
            final boolean known = caller != null;
            if (!known)
            {
                audit.refused(claimed, peer(), why);
            }
            guard.knows(endPoint, known);
            problem = why;
            drainBytes = known ? MAX_DRAIN_BYTES : MAX_DRAIN_UNKNOWN_BYTES;
            if (announcedBytes() > drainBytes)
            {
                end();
            }
            else
            {
                receive();
            }
        }

        private String peer()
        {
            final SocketAddress address = request.getConnectionMetaData().getRemoteSocketAddress();
            return address instanceof final InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ':' + inet.getPort() : "-";
        }

        /** Rejects pages in a browser, whichever name they resolve to this machine. */
        private void checkHost() throws HttpProblem
        {
            final String header = request.getHeaders().get(HttpHeader.HOST);
            final String named = header == null ? "" : header.replaceFirst(":\\d{1,5}$", "").toLowerCase(Locale.ROOT);
            // Over TLS, the name in the certificate protects against pages that resolve their own name to this machine.
            if (!request.isSecure() && !LOCAL_NAMES.contains(named) && !named.equals(host.toLowerCase(Locale.ROOT)))
            {
                throw new HttpProblem(HttpProblem.FORBIDDEN, "SRV-0403",
                    "the Host header does not name this machine, Host=" + header,
                    "use 127.0.0.1 or localhost in the URL");
            }
            if (request.getHeaders().contains(HttpHeader.ORIGIN))
            {
                throw new HttpProblem(HttpProblem.FORBIDDEN, "SRV-0403", "requests from web pages are refused",
                    "use the command line");
            }
        }

        private String decodedPath() throws HttpProblem
        {
            try
            {
                return URI.create(request.getHttpURI().getPath()).getPath();
            }
            catch (final IllegalArgumentException e)
            {
                throw new HttpProblem(HttpProblem.NOT_FOUND, "SRV-0404", "no such path, path="
                    + request.getHttpURI().getPath(), "paths start with /wlevs/server or /wlevs/apps");
            }
        }

        private Route findRoute() throws HttpProblem
        {
            final List<String> methods = new ArrayList<>();
            for (final Route each : routes)
            {
                if (each.matcher(path).matches())
                {
                    methods.add(each.method());
                    if (each.method().equals(request.getMethod()))
                    {
                        return each;
                    }
                }
            }
            if (!methods.isEmpty())
            {
                throw new HttpProblem(HttpProblem.METHOD_NOT_ALLOWED, "SRV-0405",
                    "method is not allowed here, method=" + request.getMethod() + " path=" + path,
                    "use " + String.join(" or ", methods));
            }
            throw new HttpProblem(HttpProblem.NOT_FOUND, "SRV-0404", "no such path, path=" + path,
                "paths start with /wlevs/server or /wlevs/apps; names contain letters, digits, '.', '_' and '-'");
        }

        private void checkLength() throws HttpProblem
        {
            if (announcedBytes() > EndpointLimits.MAX_BODY_BYTES)
            {
                throw new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413", "body is too large, sizeBytes="
                    + announcedBytes() + " limitBytes=" + EndpointLimits.MAX_BODY_BYTES,
                    "make the bundle smaller");
            }
        }

        /** Returns the announced length of the body; 0 without a length. */
        private long announcedBytes()
        {
            return Math.max(0, request.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH));
        }

        /** Reads the available part of the body, and requests a callback for more. */
        private void receive()
        {
            try
            {
                while (true)
                {
                    final Content.Chunk chunk = request.read();
                    if (chunk == null)
                    {
                        request.demand(this::receive);
                        return;
                    }
                    if (Content.Chunk.isFailure(chunk))
                    {
                        giveUp(chunk.getFailure());
                        return;
                    }
                    take(chunk);
                    if (chunk.isLast() || problem != null && arrivedBytes > drainBytes)
                    {
                        end();
                        return;
                    }
                }
            }
            catch (final RuntimeException e)
            {
                answer(internal(e));
            }
        }

        private void take(final Content.Chunk chunk)
        {
            final int count = chunk.remaining();
            arrivedBytes += count;
            guard.bodyArrives(endPoint, count);
            try
            {
                if (problem == null && arrivedBytes > EndpointLimits.MAX_BODY_BYTES)
                {
                    throw new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413", "body is too large, limitBytes="
                        + EndpointLimits.MAX_BODY_BYTES, "make the bundle smaller");
                }
                if (problem == null)
                {
                    body.write(chunk.getByteBuffer());
                }
            }
            catch (final IncomingBody.NoRoomException e)
            {
                stopKeeping(new HttpProblem(HttpProblem.UNAVAILABLE, "SRV-0409", "too many concurrent uploads",
                    "try again when the other uploads are complete"));
            }
            catch (final IOException e)
            {
                stopKeeping(unreadable(e));
            }
            catch (final HttpProblem e)
            {
                stopKeeping(e);
            }
            finally
            {
                chunk.release();
            }
        }

        private void stopKeeping(final HttpProblem why)
        {
            problem = why;
            drainBytes = MAX_DRAIN_BYTES;
            closeBody();
        }

        private void giveUp(final Throwable failure)
        {
            LOG.debug("client closed the connection, path={} reason={}", path, failure.toString());
            closeBody();
            // Jetty logs other failures with their stacks, but a client may close the connection at any time.
            callback.failed(new EofException(failure));
        }

        private void end()
        {
            if (problem != null)
            {
                if (route != null && RequestAudit.isAudited(route))
                {
                    audit.refused(route, caller, path, problem);
                }
                answer(problem);
            }
            else if (route.isChange())
            {
                execute(workers.changes, this, this::run, new HttpProblem(HttpProblem.UNAVAILABLE, "SRV-0408",
                    "too many requests are waiting", "try again later; max-threads-constraint of the work manager "
                        + "limits the number of concurrent changes"));
            }
            else
            {
                run();
            }
        }

        private void run()
        {
            arrived();
            final ManagementRequest arrived = new ManagementRequest(request.getMethod(), path,
                request.getHttpURI().getQuery(), caller, field -> request.getHeaders().get(field), body);
            if (!RequestAudit.isAudited(route))
            {
                answer(outcome(arrived));
                return;
            }
            try
            {
                final Entry begun = audit.begin(route, arrived);
                final ManagementResponse outcome = outcome(arrived);
                audit.end(begun, outcome);
                answer(outcome);
            }
            catch (final HttpProblem e)
            {
                answer(e);
            }
        }

        private ManagementResponse outcome(final ManagementRequest arrived)
        {
            try
            {
                GroupRequest.parameters(arrived, List.copyOf(route.about().parameters().keySet()));
                final Matcher matcher = route.matcher(path);
                final String name = matcher.matches() && matcher.groupCount() > 0 ? matcher.group(1) : null;
                return ManagementResponse.of(route, route.action().run(arrived, name));
            }
            catch (final HttpProblem e)
            {
                return ManagementResponse.of(e);
            }
            catch (final DeploymentException e)
            {
                return ManagementResponse.of(e);
            }
            catch (final NoSuchApplicationException e)
            {
                return ManagementResponse.of(new HttpProblem(HttpProblem.NOT_FOUND, "SRV-0404", e.getMessage(),
                    "check the list of applications"));
            }
            catch (final LimitedInput.TooLargeException e)
            {
                return ManagementResponse.of(new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413", "body is too large",
                    "make it smaller"));
            }
            catch (final IOException e)
            {
                return ManagementResponse.of(unreadable(e));
            }
            catch (final RuntimeException | LinkageError | StackOverflowError e)
            {
                return ManagementResponse.of(internal(e));
            }
        }

        private void arrived()
        {
            if (!hasArrived)
            {
                hasArrived = true;
                guard.requestArrived(endPoint);
            }
        }

        /** Reports I/O errors, such as a full disk, to the client. */
        private HttpProblem unreadable(final IOException e)
        {
            LOG.warn("SRV-0498 request ends early, method={} path={} reason={}", request.getMethod(), path,
                e.toString());
            return new HttpProblem(HttpProblem.OUR_FAULT, "SRV-0498", "files cannot be read or written, reason=" + e,
                "check free space and owner of the domain directory, then try again");
        }

        private HttpProblem internal(final Throwable e)
        {
            LOG.error("request failed, method={} path={}", request.getMethod(), path, e);
            return new HttpProblem(HttpProblem.OUR_FAULT, "SRV-0499", "internal error, reason=" + e,
                "please report it with the server's log");
        }

        private void answer(final HttpProblem why)
        {
            if (why.status() == HttpProblem.UNAUTHORIZED)
            {
                response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
            }
            answer(ManagementResponse.of(why));
        }

        private void answer(final ManagementResponse outcome)
        {
            arrived();
            closeBody();
            write(response, Callback.from(callback, guard::requestDone), outcome.status(), outcome.body());
        }

        private void closeBody()
        {
            try
            {
                body.close();
            }
            catch (final IOException e)
            {
                LOG.warn("SRV-0411 file of a request body cannot be removed, folder={} reason={}", uploads,
                    e.toString());
            }
        }
    }
}
