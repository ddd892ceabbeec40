package dev.millrace.adapter.loadgen;

import dev.millrace.api.time.Clock;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * All connections of one adapter on one thread: accepts, reads what is there, hands on, sweeps out those that are
 * stuck. Each round reads every ready connection once and then sends the rows gathered; it never waits for more.
 *
 * <p>Threads: {@link #run} on the I/O thread; {@link #stop} and {@link #close} from anywhere.
 */
final class ConnectionLoop
{
    /** Where connections come from: the listener, or in a test what stands in front of it. */
    @FunctionalInterface
    interface Acceptor
    {
        /** The next connection, or {@code null} when none waits. */
        SocketChannel accept() throws IOException;
    }

    private static final Logger LOG = System.getLogger(ConnectionLoop.class.getName());
    private static final int READ_BYTES = 128 << 10;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MAX_SWEEP_MILLIS = 250;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Acceptor acceptor;
    private final SelectionKey accepting;
    private final RowBatch out;
    private final Clock clock;
    private final ConnectionLimits limits;
    private final Counters counters;
    private final ByteBuffer buffer = ByteBuffer.allocate(READ_BYTES + Connection.SMALL_BYTES);
    private final Consumer<SelectionKey> onReady = this::onReady;
    private final long sweepMillis;
    private volatile boolean isStopping;

    private int openConnections;
    /** The listener is off until the next sweep, because the last connection could not be taken. */
    private boolean isAcceptPaused;
    /** The last attempt failed too: the log has said so already. */
    private boolean isAcceptFailing;
    private long heldBytes;
    private long frames;
    private long lines;
    private int waiting;
    /** Time spent handing rows on, which must not count against senders: they could not have been read. */
    private long stalledNs;
    /** When the present round began; 0 between rounds. */
    private long roundNs;
    private long lastSweepNs;
    private long bytesRead;
    private long reads;

    ConnectionLoop(final Selector selector, final ServerSocketChannel listener, final Acceptor acceptor,
        final RowBatch out, final Clock clock, final ConnectionLimits limits, final Counters counters)
        throws IOException
    {
        this.selector = selector;
        this.listener = listener;
        this.acceptor = acceptor;
        this.out = out;
        this.clock = clock;
        this.limits = limits;
        this.counters = counters;
        sweepMillis = Math.max(1, Math.min(MAX_SWEEP_MILLIS,
            TimeUnit.NANOSECONDS.toMillis(limits.frameTimeoutNs()) / 4));
        accepting = listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    /** Serves until {@link #stop}; may be called again afterwards and goes on with the same connections. */
    void run() throws IOException
    {
        final long idleSinceNs = clock.epochNs();
        // A pause is no fault of the senders.
        stalledNs += lastSweepNs == 0 ? 0 : Math.max(0, idleSinceNs - lastSweepNs);
        lastSweepNs = idleSinceNs;
        while (!isStopping && selector.isOpen())
        {
            roundNs = 0;
            selector.select(onReady, waiting > 0 || isAcceptPaused ? sweepMillis : 0);
            out.flush();
            final long endNs = clock.epochNs();
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

    /** Lets {@link #run} be called again after {@link #stop}. */
    void prepare()
    {
        isStopping = false;
    }

    /** Makes {@link #run} return after the present round. */
    void stop()
    {
        isStopping = true;
        selector.wakeup();
    }

    /** Closes the listener and all connections; again does nothing. Not while {@link #run} is in progress. */
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
            // For example no file handles left. Those who wait stay in the backlog, and the listener stays ready:
            // asking again at once would keep a processor busy and fill the log.
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

    /** Takes a connection on, or closes it when that fails: a channel that nobody keeps would stay open for good. */
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

    /** Whether the connection is served from now on. */
    private boolean register(final SocketChannel channel) throws IOException
    {
        final String peer = peerOf(channel);
        counters.connectionsTotal.incrementAndGet();
        final Connection connection = new Connection(channel, peer, out, limits.maxFrameBytes());
        channel.configureBlocking(false);
        if (openConnections == limits.maxConnections())
        {
            refuse(connection, new StreamException(Refusal.TOO_MANY_CONNECTIONS, 1, "too many connections, " +
                "maxConnections=" + limits.maxConnections() + " peer=" + peer +
                "; close some or raise maxConnections of the adapter"), true);
            return false;
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, SelectionKey.OP_READ, connection);
        connection.incompleteSinceNs = roundNs - stalledNs;
        waiting++;
        openConnections++;
        LOG.log(Level.DEBUG, "connection opened, peer={0}", peer);
        return true;
    }

    private static String peerOf(final SocketChannel channel)
    {
        try
        {
            final SocketAddress address = channel.getRemoteAddress();
            return address == null ? "gone" : address.toString().substring(address.toString().indexOf('/') + 1);
        }
        catch (final IOException ex)
        {
            return "gone";
        }
    }

    private void read(final SelectionKey key, final Connection connection)
    {
        final long framesBefore = connection.frameCount();
        final long linesBefore = connection.lineCount();
        final int heldBefore = connection.heldBytes();
        int read = 0;
        Exception failure = null;
        try
        {
            read = connection.receive(buffer, roundNs);
            if (read < 0)
            {
                connection.finish(roundNs);
            }
        }
        catch (final StreamException | IOException ex)
        {
            failure = ex;
        }
        frames += connection.frameCount() - framesBefore;
        lines += connection.lineCount() - linesBefore;
        heldBytes += connection.heldBytes() - heldBefore;
        bytesRead += Math.max(0, read);
        reads++;
        if (failure == null && heldBytes > limits.maxBufferedBytes())
        {
            failure = new StreamException(Refusal.BUFFERS_FULL, 1, "unfinished frames of all connections hold too " +
                "much memory, maxBufferedBytes=" + limits.maxBufferedBytes() + " frameBytes=" +
                connection.heldBytes() + " peer=" + connection.peer +
                "; send smaller frames or raise maxBufferedBytes of the adapter");
        }
        if (failure instanceof StreamException refusal)
        {
            refuse(connection, refusal, connection.speaksFrames());
        }
        else if (failure instanceof IOException loss)
        {
            lost(connection, loss);
        }
        if (failure != null || read < 0)
        {
            forget(connection, key);
        }
        else
        {
            track(connection);
        }
    }

    private void lost(final Connection connection, final IOException cause)
    {
        LOG.log(Level.DEBUG, "connection lost, peer=" + connection.peer, cause);
        if (connection.keptBytes() > 0)
        {
            refuse(connection, new StreamException(Refusal.CUT_OFF, 1, "connection was lost in the middle of a " +
                connection.unfinished() + ", bytes=" + connection.keptBytes() + " peer=" + connection.peer +
                " cause=" + cause.getMessage() +
                "; the sender was stopped or lost its network, start it again"), false);
        }
    }

    /** Notes since when a connection owes the rest of something. */
    private void track(final Connection connection)
    {
        final boolean wasWaiting = connection.incompleteSinceNs != 0;
        if (connection.keptBytes() == 0 && connection.hasSpoken())
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

    private void refuse(final Connection connection, final StreamException cause, final boolean tellPeer)
    {
        counters.connectionsRefused.incrementAndGet();
        out.reject(cause.rows(), cause.refusal(), cause.getMessage().substring(cause.refusal().code().length() + 1));
        if (tellPeer)
        {
            try
            {
                connection.answer(WireFormat.ANSWER_REFUSED, cause.getMessage());
            }
            catch (final IOException ex)
            {
                LOG.log(Level.DEBUG, "peer could not be told why it is closed, peer=" + connection.peer, ex);
            }
        }
    }

    /** Closes connections that owe the rest of a frame, or their first byte, for too long. */
    private void sweep(final long nowNs)
    {
        for (final SelectionKey key : selector.keys())
        {
            if (key.isValid() && key.attachment() instanceof Connection connection &&
                connection.incompleteSinceNs != 0 && nowNs - connection.incompleteSinceNs > limits.frameTimeoutNs())
            {
                final long waitedMs = TimeUnit.NANOSECONDS.toMillis(nowNs - connection.incompleteSinceNs);
                refuse(connection, connection.hasSpoken() ?
                    new StreamException(Refusal.INCOMPLETE, 1, "a " + connection.unfinished() +
                        " began and did not end, bytes=" + connection.keptBytes() + " waitedMillis=" + waitedMs +
                        " peer=" + connection.peer +
                        "; the sender hangs: start it again, or raise frameTimeoutMillis of the adapter") :
                    new StreamException(Refusal.SILENT, 1, "connection said nothing, waitedMillis=" + waitedMs +
                        " peer=" + connection.peer +
                        "; connect when there is something to send, or raise frameTimeoutMillis of the adapter"),
                    connection.speaksFrames());
                forget(connection, key);
            }
        }
    }

    private void forget(final Connection connection, final SelectionKey key)
    {
        key.cancel();
        waiting -= connection.incompleteSinceNs != 0 ? 1 : 0;
        connection.incompleteSinceNs = 0;
        openConnections--;
        heldBytes -= connection.heldBytes();
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
            LOG.log(Level.DEBUG, "closing failed", ex);
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
