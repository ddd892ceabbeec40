package dev.millrace.adapter.http.server;

import dev.millrace.adapter.http.property.HttpErrorCode;
import dev.millrace.api.http.EventServer;
import java.io.IOException;
import java.net.BindException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;

/** The running servers for events of this process. Thread-safe. */
public final class ServerPool
{
    /** At the end of a path: all paths below it as well. */
    public static final String BELOW = RunningServer.BELOW;

    private final ServerLimits limits;
    private final Map<String, RunningServer> servers = new HashMap<>();

    public ServerPool(final ServerLimits limits)
    {
        this.limits = limits;
    }

    /** A path that a stage uses; closing it frees the path. */
    public final class Registration implements AutoCloseable
    {
        private final String server;
        private final String path;
        private final RunningServer running;
        private boolean isClosed;

        private Registration(final String server, final String path, final RunningServer running)
        {
            this.server = server;
            this.path = path;
            this.running = running;
        }

        /** The port on which the server listens, in the order of its description. */
        public int port(final int index)
        {
            return running.connector(index).getLocalPort();
        }

        /** The WebSockets of the server, to which requests upgrade. */
        public ServerWebSocketContainer webSockets()
        {
            return ServerWebSocketContainer.get(running.jetty().getContext());
        }

        /** Runs short tasks of the handler that do not block. */
        public Scheduler scheduler()
        {
            return running.jetty().getScheduler();
        }

        /** The threads of the server, for tasks that do not block. */
        public Executor executor()
        {
            return running.jetty().getThreadPool();
        }

        @Override
        public void close()
        {
            synchronized (ServerPool.this)
            {
                if (!isClosed && running.remove(path))
                {
                    servers.remove(server);
                    running.close();
                }
                isClosed = true;
            }
        }
    }

    /**
     * Registers a path, and opens the ports of the server if it is the first one.
     *
     * @param path    with {@link #BELOW} at its end for all paths below it as well
     * @param handler is called by threads of the server and must not block
     * @throws BindException if the path or a port is in use
     */
    public synchronized Registration register(final EventServer server, final String path,
        final Request.Handler handler) throws IOException
    {
        RunningServer running = servers.get(server.name());
        if (running == null)
        {
            running = new RunningServer(server, limits);
            running.add(path, handler);
            running.open();
            servers.put(server.name(), running);
        }
        else if (!running.add(path, handler))
        {
            throw new BindException(HttpErrorCode.PATH.message("another stage uses the path, server=" + server.name() +
                " contextPath=" + path, "choose another contextPath, or stop the other application"));
        }
        return new Registration(server.name(), path, running);
    }
}
