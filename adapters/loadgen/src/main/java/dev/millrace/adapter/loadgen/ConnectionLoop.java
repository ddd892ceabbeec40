package dev.millrace.adapter.loadgen;

import dev.millrace.api.process.FileHandles;
import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.System.Logger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Serves all connections of one adapter on one thread: accepts, reads available data, sends rows on, and closes
 * connections that are stuck. Each round reads every ready connection once, then sends the collected rows without
 * waiting for more.
 *
 * <p>Threads: {@link #run} on the I/O thread; {@link #stop} and {@link #close} from any thread.
 */
final class ConnectionLoop
{
    /** Source of connections: the listener, or a test wrapper around it. */
    @FunctionalInterface
    interface Acceptor
    {
        /** The next connection, or {@code null} when none is pending. */
        SocketChannel accept() throws IOException;
    }

    private static final Logger LOG = System.getLogger(ConnectionLoop.class.getName());
    private static final int READ_BYTES = 128 << 10;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_SWEEP_MILLIS = 250;
    /**
     * A TLS handshake takes as long as thousands of rows. Further handshakes of a round are postponed, so that rows are
     * not.
     */
    private static final int MAX_HANDSHAKES_PER_ROUND = 4;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Acceptor acceptor;
    private final SelectionKey accepting;
    private final BatchAssembler out;
    private final Clock clock;
    private final ConnectionLimits limits;
    private final AdapterContext entrance;
    private final PeerCounts peers;
    private final Counters counters;
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES + BufferPool.MAX_BYTES);
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final long sweepMillis;
    private volatile boolean isStopping;

    /** The connection of each stream that can be resumed. */
    private final Map<String, Connection> streams = new HashMap<>();
    private final Acknowledgements acknowledgements = new Acknowledgements(this::forget);

    private int openConnections;
    /** The listener is disabled until the next sweep, because the last connection could not be accepted. */
    private boolean isAcceptPaused;
    /** The previous attempt failed too, and has been logged. */
    private boolean isAcceptFailing;
    private long heldBytes;
    /** Reads of this round that belong to TLS handshakes. */
    private int handshakes;
    private long frames;
    private long lines;
    private int waiting;
    /**
     * Time spent sending rows on. It must not count against senders, because their data could not be read in that time.
     */
    private long stalledNs;
    /** Start time of the current round; 0 between rounds. */
    private long roundNs;
    private long lastSweepNs;
    private long bytesRead;
    private long reads;

    ConnectionLoop(final Selector selector, final ServerSocketChannel listener, final Acceptor acceptor,
        final AdapterContext entrance, final Clock clock, final ConnectionLimits limits, final Counters counters)
        throws IOException
    {
        this.selector = selector;
        this.listener = listener;
        this.acceptor = acceptor;
        this.entrance = entrance;
        out = entrance.out;
        this.clock = clock;
        this.limits = limits;
        this.counters = counters;
        peers = new PeerCounts(limits.maxConnectionsPerPeer(), limits.maxConnections());
        sweepMillis = Math.max(1, Math.min(MAX_SWEEP_MILLIS, TimeUnit.NANOSECONDS.toMillis(
            Math.min(limits.frameTimeoutNs(), limits.firstFrameTimeoutNs())) / 4));
        accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /**
     * Serves connections until {@link #stop}. May be called again afterwards and continues with the same connections.
     */
    void run() throws IOException
    {
        final long idleSinceNs = clock.epochNs();
        // Senders must not time out because of a pause of this thread.
        stalledNs += lastSweepNs == 0 ? 0 : Math.max(0, idleSinceNs - lastSweepNs);
        lastSweepNs = idleSinceNs;
        while (!isStopping && selector.isOpen())
        {
            roundNs = 0;
            handshakes = 0;
            selector.select(onReady, selectMillis());
            out.flush();
            final long endNs = clock.epochNs();
            acknowledgements.send(endNs);
            if (roundNs != 0 && endNs - roundNs > STALL_NS)
            {
                stalledNs += endNs - roundNs;
            }
            if ((waiting > 0 || isAcceptPaused) &&
                endNs - lastSweepNs >= TimeUnit.MILLISECONDS.toNanos(sweepMillis))
            {
                sweep(endNs - stalledNs);
                acceptAgain();
                lastSweepNs = endNs;
            }
            publish();
        }
        lastSweepNs = clock.epochNs();
    }

    /** Maximum time until the next round; 0 if only connections can begin it. */
    private long selectMillis()
    {
        final long nextSweepMillis = waiting > 0 || isAcceptPaused ? sweepMillis : 0;
        final long nextAcknowledgementMillis = acknowledgements.timeoutMillis();
        return nextSweepMillis == 0 || nextAcknowledgementMillis == 0 ?
            Math.max(nextSweepMillis, nextAcknowledgementMillis) :
            Math.min(nextSweepMillis, nextAcknowledgementMillis);
    }

    /** Must be called after {@link #stop} before {@link #run} is called again. */
    void prepare()
    {
        isStopping = false;
    }

    /** Makes {@link #run} return after the current round. */
    void stop()
    {
        isStopping = true;
        selector.wakeup();
    }

    /** Closes the listener and all connections; idempotent. Must not be called while {@link #run} is in progress. */
    void close() throws IOException
    {
        if (!selector.isOpen())
        {
            return;
        }
        IOException failure = null;
        try
        {
            listener.close();
        }
        catch (final IOException ex)
        {
            failure = ex;
        }
        for (final SelectionKey key : selector.keys())
        {
            if (key.attachment() instanceof Connection connection)
            {
                forget(connection, key);
            }
        }
        out.flush();
        publish();
        selector.close();
        if (failure != null)
        {
            throw failure;
        }
    }

    private void onReady(final SelectionKey key)
    {
        if (isStopping || !key.isValid())
        {
            return;
        }
        if (roundNs == 0)
        {
            roundNs = clock.epochNs();
        }
        if (key.attachment() instanceof Connection connection)
        {
            read(key, connection);
        }
        else
        {
            accept();
        }
    }

    private void accept()
    {
        try
        {
            for (SocketChannel channel = acceptor.accept(); channel != null; channel = acceptor.accept())
            {
                admit(channel);
                isAcceptFailing = false;
            }
        }
        catch (final IOException ex)
        {
            // For example, no file descriptors are left. Pending connections stay in the backlog and the listener stays
            // ready, so an immediate retry would busy-loop and fill the log.
            isAcceptPaused = true;
            accepting.interestOps(0);
            LOG.log(isAcceptFailing ? Level.DEBUG : Level.WARNING, "LDG-0244 connection could not be accepted, " +
                "listener=" + listener + " retryMillis=" + sweepMillis +
                "; raise the limit of open files or lower maxConnections", ex);
            isAcceptFailing = true;
        }
    }

    private void acceptAgain()
    {
        if (isAcceptPaused)
        {
            isAcceptPaused = false;
            accepting.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    /** Serves a connection, or closes it when that fails, because an unreferenced channel would stay open forever. */
    private void admit(final SocketChannel channel) throws IOException
    {
        boolean isKept = false;
        try
        {
            isKept = register(channel);
        }
        finally
        {
            if (!isKept)
            {
                closeQuietly(channel);
            }
        }
    }

    /**
     * Registers a connection.
     *
     * @return false when it is not served
     */
    private boolean register(final SocketChannel channel) throws IOException
    {
        final InetSocketAddress address = (InetSocketAddress)channel.getRemoteAddress();
        if (address == null)
        {
            LOG.log(Level.DEBUG, "a connection was closed before it was accepted");
            return false;
        }
        final InetAddress host = address.getAddress();
        final String peer = address.toString().substring(address.toString().indexOf('/') + 1);
        counters.connectionsTotal.incrementAndGet();
        final Connection connection = new Connection(channel, host, peer, entrance);
        channel.configureBlocking(false);
        if (openConnections == limits.maxConnections())
        {
            refuse(connection, new WireFormatException(InputRejectReason.TOO_MANY_CONNECTIONS, 1,
                "too many connections, " +
                "maxConnections=" + limits.maxConnections() + " peer=" + peer +
                "; close some or raise maxConnections of the adapter"), true);
            return false;
        }
        if (!peers.add(host))
        {
            refuse(connection, new WireFormatException(InputRejectReason.TOO_MANY_OF_PEER, 1,
                "too many connections of one " +
                "address, maxConnectionsPerPeer=" + peers.max(host) + " peer=" + peer +
                "; close some or raise maxConnectionsPerPeer of the adapter"), true);
            return false;
        }
        if (!FileHandles.OF_PROCESS.tryTake())
        {
            peers.remove(host);
            refuse(connection, new WireFormatException(InputRejectReason.TOO_MANY_CONNECTIONS, 1,
                "too few file handles are left, " +
                "limit=" + FileHandles.OF_PROCESS.limit() + " reserved=" + FileHandles.RESERVED + " peer=" + peer +
                "; close some connections or raise the limit of open files (ulimit -n)"), true);
            return false;
        }
        boolean isRegistered = false;
        try
        {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, connection);
            isRegistered = true;
        }
        finally
        {
            if (!isRegistered)
            {
                peers.remove(host);
            }
        }
        connection.incompleteSinceNs = roundNs - stalledNs;
        waiting++;
        openConnections++;
        LOG.log(Level.DEBUG, "connection opened, peer={0}", peer);
        return true;
    }

    private void read(final SelectionKey key, final Connection connection)
    {
        if (connection.isShakingHands() && handshakes++ >= MAX_HANDSHAKES_PER_ROUND)
        {
            return;
        }
        final long framesBefore = connection.frameCount();
        final long linesBefore = connection.lineCount();
        final int heldBefore = connection.heldBytes();
        int read = 0;
        boolean hasEnded = false;
        Exception failure = null;
        try
        {
            read = connection.receive(buffer, roundNs);
            hasEnded = read < 0 || connection.hasEnded();
            if (hasEnded)
            {
                connection.finish(roundNs);
            }
        }
        catch (final WireFormatException | IOException ex)
        {
            failure = ex;
        }
        closeReplaced(connection);
        frames += connection.frameCount() - framesBefore;
        lines += connection.lineCount() - linesBefore;
        hold(connection.heldBytes() - heldBefore);
        bytesRead += Math.max(0, read);
        reads++;
        if (failure == null && connection.heldBytes() > heldBefore)
        {
            failure = refusedBuffers(connection);
        }
        if (failure instanceof WireFormatException refusal)
        {
            refuse(connection, refusal, connection.speaksFrames());
        }
        else if (failure instanceof IOException loss)
        {
            lost(connection, loss);
        }
        if (failure != null || hasEnded)
        {
            forget(connection, key);
        }
        else
        {
            track(connection);
            acknowledgements.add(connection, key);
        }
    }

    /** Closes the earlier connection of a stream: its sender has connected again, or another one uses its name. */
    private void closeReplaced(final Connection connection)
    {
        final String name = connection.streamName();
        final Connection earlier = name == null ? connection : streams.put(name, connection);
        if (earlier != null && earlier != connection)
        {
            forget(earlier, earlier.channel.keyFor(selector));
        }
    }

    private void lost(final Connection connection, final IOException cause)
    {
        LOG.log(Level.DEBUG, "connection lost, peer=" + connection.peer, cause);
        if (connection.keptBytes() > 0)
        {
            refuse(connection, new WireFormatException(InputRejectReason.CUT_OFF, 1,
                "connection was lost in the middle of a " +
                connection.unfinished() + ", bytes=" + connection.keptBytes() + " peer=" + connection.peer +
                " cause=" + cause.getMessage() +
                "; the sender was stopped or lost its network, start it again"), false);
        }
    }

    /** Records since when a connection has incomplete data. */
    private void track(final Connection connection)
    {
        final boolean wasWaiting = connection.incompleteSinceNs != 0;
        if (connection.keptBytes() == 0 && connection.hasStarted())
        {
            connection.incompleteSinceNs = 0;
            waiting -= wasWaiting ? 1 : 0;
        }
        else if (!wasWaiting || connection.madeProgress())
        {
            connection.incompleteSinceNs = roundNs - stalledNs;
            waiting += wasWaiting ? 0 : 1;
        }
    }

    private void refuse(final Connection connection, final WireFormatException cause, final boolean tellPeer)
    {
        counters.connectionsRefused.incrementAndGet();
        out.reject(cause.rows(), cause.refusal(), cause.getMessage().substring(cause.refusal().code().length() + 1));
        final boolean isAboutToken =
            cause.refusal() == InputRejectReason.TOKEN_MISSING || cause.refusal() == InputRejectReason.WRONG_TOKEN;
        if (tellPeer || isAboutToken)
        {
            try
            {
                if (tellPeer)
                {
                    connection.answer(WireFormat.ANSWER_REFUSED, cause.getMessage());
                }
                else
                {
                    connection.tellInText(cause.getMessage());
                }
            }
            catch (final IOException ex)
            {
                LOG.log(Level.DEBUG, "the reason for closing could not be sent, peer=" + connection.peer, ex);
            }
        }
    }

    /** Closes connections whose frame, first frame or first byte is overdue. */
    private void sweep(final long nowNs)
    {
        for (final SelectionKey key : selector.keys())
        {
            if (key.isValid() && key.attachment() instanceof Connection connection &&
                connection.incompleteSinceNs != 0 && nowNs - connection.incompleteSinceNs > timeoutNs(connection))
            {
                refuse(connection, overdue(connection, nowNs), connection.speaksFrames());
                forget(connection, key);
            }
        }
    }

    private long timeoutNs(final Connection connection)
    {
        return connection.hasSpoken() && connection.keptBytes() == 0 ? limits.firstFrameTimeoutNs() :
            limits.frameTimeoutNs();
    }

    private static WireFormatException overdue(final Connection connection, final long nowNs)
    {
        final String waited = " waitedMillis=" + TimeUnit.NANOSECONDS.toMillis(nowNs - connection.incompleteSinceNs) +
            " peer=" + connection.peer;
        if (!connection.hasSpoken())
        {
            return new WireFormatException(InputRejectReason.SILENT, 1, "connection sent nothing," + waited +
                "; connect when there is something to send, or raise frameTimeoutMillis of the adapter");
        }
        if (connection.keptBytes() == 0)
        {
            return new WireFormatException(InputRejectReason.NO_FIRST_FRAME, 1,
                "connection was accepted and sent no row," + waited +
                "; connect when there is something to send, or raise firstFrameTimeoutMillis of the adapter");
        }
        return new WireFormatException(InputRejectReason.INCOMPLETE, 1, "a " + connection.unfinished() +
            " was not completed in time, bytes=" + connection.keptBytes() + waited +
            "; the sender hangs: start it again, or raise frameTimeoutMillis of the adapter");
    }

    /** Records a change of the memory held by connections. */
    private void hold(final int moreBytes)
    {
        heldBytes += moreBytes;
        if (moreBytes > 0)
        {
            limits.memory().charge(moreBytes);
        }
        else if (moreBytes < 0)
        {
            limits.memory().release(-moreBytes);
        }
    }

    /**
     * Checks the memory limits.
     *
     * @return the reason for closing the connection; {@code null} when it is within the limits
     */
    private WireFormatException refusedBuffers(final Connection connection)
    {
        if (heldBytes > limits.maxBufferedBytes())
        {
            return new WireFormatException(InputRejectReason.BUFFERS_FULL, 1,
                "unfinished frames and TLS of all connections " +
                "use too much memory, maxBufferedBytes=" + limits.maxBufferedBytes() + " frameBytes=" +
                connection.heldBytes() + " peer=" + connection.peer +
                "; send smaller frames or raise maxBufferedBytes of the adapter");
        }
        return !limits.memory().isOverdrawn() ? null : new WireFormatException(InputRejectReason.BUFFERS_FULL, 1,
            limits.memory().shortage() + " frameBytes=" + connection.heldBytes() + " peer=" + connection.peer +
            "; send smaller frames, or give the instance more memory");
    }

    private void forget(final Connection connection, final SelectionKey key)
    {
        key.cancel();
        acknowledgements.remove(connection);
        if (connection.streamName() != null)
        {
            streams.remove(connection.streamName(), connection);
        }
        waiting -= connection.incompleteSinceNs != 0 ? 1 : 0;
        connection.incompleteSinceNs = 0;
        openConnections--;
        hold(-connection.heldBytes());
        connection.release();
        peers.remove(connection.host);
        closeQuietly(connection.channel);
        LOG.log(Level.DEBUG, "connection closed, peer={0}", connection.peer);
    }

    private static void closeQuietly(final SocketChannel channel)
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            LOG.log(Level.DEBUG, "closing a channel failed", ex);
        }
    }

    private void publish()
    {
        counters.connectionsOpen.lazySet(openConnections);
        counters.frames.lazySet(frames);
        counters.lines.lazySet(lines);
        counters.bytes.lazySet(bytesRead);
        counters.reads.lazySet(reads);
        counters.rows.lazySet(out.rowsSent());
        counters.rejected.lazySet(out.rowsRejected());
    }
}
