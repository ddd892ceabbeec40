package dev.millrace.adapter.http.pubsub;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.http.bayeux.BayeuxEndpoint;
import dev.millrace.adapter.http.channel.ChannelHub;
import dev.millrace.adapter.http.channel.ChannelPolicy;
import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.adapter.http.property.JsonResponse;
import dev.millrace.adapter.http.property.RefusedRequest;
import dev.millrace.adapter.http.push.PushEndpoint;
import dev.millrace.adapter.http.security.CrossOrigin;
import dev.millrace.adapter.http.server.ServerPool;
import dev.millrace.api.http.ChannelServer;
import dev.millrace.api.http.EventServer;
import dev.millrace.api.secret.NamedSecrets;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A running server of channels: its hub, and the paths at which clients reach it. Started and closed by one thread at a
 * time; requests come from threads of the HTTP server.
 */
final class RunningChannelServer implements Request.Handler, AutoCloseable
{
    /** Number of heartbeats within the time after which a client is dropped. */
    private static final int HEARTBEATS = 4;

    private final ChannelServer description;
    private final ChannelHub hub;
    private final ChannelPolicy policy;
    private ServerPool.Registration registration;
    private PushEndpoint push;
    private BayeuxEndpoint bayeux;
    /** Requests that arrive before are refused. */
    private volatile boolean isOpen;
    private volatile boolean isClosed;
    private volatile Scheduler.Task nextCheck;
    private int uses;

    private RunningChannelServer(final ChannelServer description, final ChannelPolicy policy)
    {
        this.description = description;
        this.policy = policy;
        hub = new ChannelHub(description.limits(), description.channels());
    }

    /**
     * Starts a server.
     *
     * @throws IllegalArgumentException if other hosts could use it without authentication, or a role has no secret
     * @throws IOException if a port cannot be opened or the path is in use
     */
    static RunningChannelServer start(final ChannelServer description, final EventServer eventServer,
        final PropertyCheck check, final NamedSecrets secrets, final ServerPool pool) throws IOException
    {
        final RunningChannelServer server =
            new RunningChannelServer(description, ChannelAccessCheck.policy(description, eventServer, check, secrets));
        server.open(eventServer, pool);
        return server;
    }

    private void open(final EventServer eventServer, final ServerPool pool) throws IOException
    {
        registration = pool.register(eventServer, description.path() + ServerPool.BELOW, this);
        push = new PushEndpoint(hub, policy, description.transports(), registration.webSockets());
        bayeux = new BayeuxEndpoint(description, hub, policy, registration);
        bayeux.open();
        check();
        isOpen = true;
    }

    private void check()
    {
        if (!isClosed)
        {
            hub.check();
            nextCheck = registration.scheduler().schedule(this::check,
                Math.max(1, description.limits().clientTimeoutMillis() / HEARTBEATS), TimeUnit.MILLISECONDS);
        }
    }

    String path()
    {
        return description.path();
    }

    ChannelHub hub()
    {
        return hub;
    }

    int port(final int index)
    {
        return registration.port(index);
    }

    void addUse()
    {
        uses++;
    }

    /** Ends a use; returns whether it was the last one. */
    boolean releaseUse()
    {
        uses--;
        return uses == 0;
    }

    @Override
    public boolean handle(final Request request, final Response response, final Callback callback)
    {
        final String path = Request.getPathInContext(request).substring(description.path().length());
        try
        {
            handle(path, request, response, callback);
        }
        catch (final RefusedRequest e)
        {
            JsonResponse.refuse(response, callback, e);
        }
        return true;
    }

    private void handle(final String path, final Request request, final Response response, final Callback callback)
        throws RefusedRequest
    {
        policy.checkOrigin(request);
        CrossOrigin.allow(request, response);
        if (CrossOrigin.isPreflight(request))
        {
            CrossOrigin.answer(response, callback, "GET, POST", "Authorization, Content-Type, Last-Event-ID");
            return;
        }
        final String role = policy.role(request);
        if (!isOpen)
        {
            throw new RefusedRequest(RefusedRequest.UNAVAILABLE, HttpErrorCode.SUSPENDED, "the server starts or ends",
                "try again later");
        }
        else if (PushEndpoint.isServed(path))
        {
            push.handle(path, role, request, response, callback);
        }
        else
        {
            bayeux.handle(role, request, response, callback);
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        isOpen = false;
        final Scheduler.Task task = nextCheck;
        if (task != null)
        {
            task.cancel();
        }
        bayeux.close();
        hub.close("the last application that uses the server has ended");
        registration.close();
    }
}
