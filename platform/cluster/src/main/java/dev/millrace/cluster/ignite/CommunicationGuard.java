package dev.millrace.cluster.ignite;

import dev.millrace.api.time.Clock;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.trust.PendingHandshakes;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.internal.util.nio.GridNioServer;
import org.apache.ignite.internal.util.nio.GridNioSession;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.communication.tcp.internal.GridNioServerWrapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections to the communication port whose peer does not identify itself as a member in time; Ignite would
 * keep them, with their buffers, indefinitely. Ignite has no setting for this, so a dedicated thread checks the
 * sessions of its server periodically.
 */
@SuppressWarnings("deprecation") // Ignite internals without a replacement.
final class CommunicationGuard implements AutoCloseable
{
    private static final Logger LOG = LoggerFactory.getLogger(CommunicationGuard.class);
    private static final String FIELD = "nioSrvWrapper";
    private static final long LOOK_MS = 200;
    /** A member needs a few milliseconds; on a loaded host it can take much longer. */
    private static final long PROOF_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOGGED = 10;

    /** Unidentified sessions and when each was first seen: Ignite's own timestamps use a clock that may jump. */
    private final Map<GridNioSession, Long> seenNs = new IdentityHashMap<>();
    private final String member;
    private final GridNioServerWrapper wrapper;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long turnedAway;

    private CommunicationGuard(final String member, final GridNioServerWrapper wrapper)
    {
        this.member = member;
        this.wrapper = wrapper;
    }

    /**
     * Starts the guard.
     *
     * @param communication of a running node
     */
    static CommunicationGuard begin(final String member, final TcpCommunicationSpi communication)
    {
        final CommunicationGuard made = new CommunicationGuard(member, wrapper(communication));
        final Thread thread = new Thread(made::run, "millrace-communication-guard-" + member);
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    private static GridNioServerWrapper wrapper(final TcpCommunicationSpi communication)
    {
        try
        {
            return (GridNioServerWrapper)sessions(TcpCommunicationSpi.class).get(communication);
        }
        catch (final ClusterException | IllegalAccessException e)
        {
            throw new IllegalStateException("internal error: the check before the start did not detect this", e);
        }
    }

    /**
     * Rejects a version of Ignite that cannot be guarded. Must be called before a node starts.
     *
     * @throws ClusterException when the sessions of the communication port are not accessible
     */
    static void check() throws ClusterException
    {
        sessions(TcpCommunicationSpi.class);
    }

    /** The field that contains the sessions of the communication port; Ignite offers no other access. */
    static Field sessions(final Class<?> communication) throws ClusterException
    {
        try
        {
            final Field field = communication.getDeclaredField(FIELD);
            if (!GridNioServerWrapper.class.isAssignableFrom(field.getType()))
            {
                throw new NoSuchFieldException(FIELD + "  has an unexpected type, type=" + field.getType().getName());
            }
            field.setAccessible(true);
            return field;
        }
        catch (final NoSuchFieldException | InaccessibleObjectException e)
        {
            throw new ClusterException("CLU-0109", "connections to the communication port cannot be guarded with this" +
                " version of Ignite, class=" + communication.getName() + " field=" + FIELD + " reason=" + e,
                "use the Ignite jars of the distribution in lib; with other versions, unknown peers could exhaust the "
                    + "memory", e);
        }
    }

    private void run()
    {
        try
        {
            while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS))
            {
                look(Clock.SYSTEM.epochNs());
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void look(final long nowNs)
    {
        final GridNioServer<?> server = wrapper.nio();
        if (server == null)
        {
            return;
        }
        final List<GridNioSession> strangers = new ArrayList<>();
        for (final GridNioSession session : server.sessions())
        {
            if (session.accepted() && session.inRecoveryDescriptor() == null && session.outRecoveryDescriptor() == null)
            {
                strangers.add(session);
            }
        }
        seenNs.keySet().removeIf(seen -> strangers.stream().noneMatch(stranger -> stranger == seen));
        strangers.forEach(stranger -> seenNs.putIfAbsent(stranger, nowNs));
        strangers.sort(Comparator.comparingLong(seenNs::get));
        final int surplus = strangers.size() - PendingHandshakes.MOST;
        for (int i = 0; i < strangers.size(); i++)
        {
            if (i < surplus || nowNs - seenNs.get(strangers.get(i)) > PROOF_NS)
            {
                turnAway(strangers.get(i), i < surplus);
            }
        }
    }

    private void turnAway(final GridNioSession stranger, final boolean isSurplus)
    {
        stranger.close();
        turnedAway++;
        if (turnedAway <= LOGGED)
        {
            LOG.warn("CLU-0011 a connection to a port of the cluster was rejected, member={} port=communication "
                + "from={} reason={}; only members, which have the secret of the domain, may connect{}", member,
                stranger.remoteAddress(), isSurplus ?
                "more than " + PendingHandshakes.MOST + " unidentified connections" :
                "the peer has not identified itself",
                turnedAway < LOGGED ? "" : ", further rejections are not logged");
        }
    }

    @Override
    public void close()
    {
        closed.countDown();
    }
}
