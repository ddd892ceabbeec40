package dev.millrace.cluster.ignite;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.Mailbox;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ReplicatedBlobStore;
import dev.millrace.cluster.ReplicatedMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ignite.events.DiscoveryEvent;
import org.apache.ignite.events.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cluster membership based on Ignite discovery. Thread-safe.
 *
 * <p>Threads: Ignite reports changes on its discovery thread, which only sets the view of a fenced member, so that the
 * next reader sees it; one thread of this class does everything else.
 *
 * <p>Failure: a fenced member rejoins automatically and retries until it succeeds; failures are logged.
 */
public final class IgniteCluster implements Cluster
{
    private static final Logger LOG = LoggerFactory.getLogger(IgniteCluster.class);

    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(30);
    /** The lease of a member, as a fraction of the time after which the other members remove it. */
    private static final double LEASE = 0.8;

    private final ClusterSettings settings;
    private final Starter starter;
    private final List<ClusterListener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService thread = Executors.newSingleThreadExecutor(work ->
    {
        final Thread made = new Thread(work, "millrace-cluster");
        made.setDaemon(true);
        return made;
    });

    /** Guards changes of the view, which two threads make. */
    private final Object lock = new Object();
    private volatile ClusterView view;
    /** The incarnation that the view belongs to; null if none. Guarded by the lock, as is the node. */
    private Stay stay;
    private Node node;
    private Lease lease;
    /** By name; each is bound to the current node. */
    private final Map<String, NodeBound> shared = new ConcurrentHashMap<>();
    /** Held while objects are bound to a node, which waits for Ignite; never acquired by Ignite's threads. */
    private final Object binding = new Object();

    /** Whether a node can still be a member; it can be lost before it is in the view. Guarded by the lock. */
    private static final class Stay
    {
        private boolean isLost;
    }

    /** Starts nodes; replaced in tests. */
    @FunctionalInterface
    interface Starter
    {
        Node start(ClusterSettings settings, Consumer<DiscoveryEvent> changes, Runnable failed)
            throws ClusterException;
    }

    private IgniteCluster(final ClusterSettings settings, final Starter starter)
    {
        this.settings = settings;
        this.starter = starter;
    }

    /**
     * Joins the cluster, or starts one when there are no members. Returns when this is done, which can take a minute
     * when many members start at the same time.
     *
     * @param settings of this member
     * @return the cluster
     * @throws ClusterException when members reject this one, no port is free, or certificates are not accepted
     */
    public static IgniteCluster join(final ClusterSettings settings) throws ClusterException
    {
        return join(settings, Node::start);
    }

    static IgniteCluster join(final ClusterSettings settings, final Starter starter) throws ClusterException
    {
        final IgniteCluster cluster = new IgniteCluster(settings, starter);
        try
        {
            cluster.start();
            cluster.lease = new Lease(settings.serverName(),
                (long)(LEASE * TimeUnit.MILLISECONDS.toNanos(settings.failureDetectionMs())), System::nanoTime,
                cluster::fenceStay);
            return cluster;
        }
        catch (final ClusterException | RuntimeException e)
        {
            cluster.thread.shutdownNow();
            throw e;
        }
    }

    private void start() throws ClusterException
    {
        final Stay begun = new Stay();
        final Node started = starter.start(settings, event -> onEvent(begun, event), () -> fence(begun));
        try
        {
            bind(started, begun);
        }
        catch (final ClusterException | RuntimeException e)
        {
            // The node was lost while it started; no view contains it yet.
            synchronized (lock)
            {
                shared.values().forEach(NodeBound::close);
            }
            started.stop();
            throw e;
        }
        LOG.info("CLU-0001 in the cluster, domain={} member={} members={} coordinator={}", settings.domainName(),
            view.self(), view.members(), view.coordinator().name());
    }

    private void bind(final Node started, final Stay begun) throws ClusterException
    {
        synchronized (binding)
        {
            shared.values().forEach(each -> each.open(started.ignite()));
            synchronized (lock)
            {
                if (begun.isLost)
                {
                    throw new ClusterException("CLU-0106", "the member was lost while it joined, server-name=" +
                        settings.serverName(), "start it again; check the load of the machine", null);
                }
                node = started;
                stay = begun;
                showMembers();
            }
        }
    }

    /** Updates the view from the current node. The caller holds the lock. */
    private void showMembers()
    {
        final List<Member> members = node.members();
        view = new ClusterView(nextVersion(), State.MEMBER, node.self(), members);
    }

    private long nextVersion()
    {
        return view == null ? 1 : view.version() + 1;
    }

    /** Called on the discovery thread: must not wait for anything that needs that thread. */
    private void onEvent(final Stay of, final DiscoveryEvent event)
    {
        if (event.type() == EventType.EVT_NODE_SEGMENTED)
        {
            fence(of);
        }
        else
        {
            execute(this::refresh);
        }
    }

    /** Called on the thread of the lease. */
    private void fenceStay()
    {
        final Stay now;
        synchronized (lock)
        {
            now = stay;
        }
        if (now != null)
        {
            fence(now);
        }
    }

    /**
     * Called on a thread of Ignite, of the lease, or both; the first call takes effect. Calls for an incarnation that
     * has ended are ignored, and one that has not started yet does not start.
     */
    private void fence(final Stay of)
    {
        synchronized (lock)
        {
            of.isLost = true;
            if (stay != of || view.state() != State.MEMBER)
            {
                return;
            }
            stay = null;
            view = new ClusterView(nextVersion(), State.FENCED, view.self(), List.of(view.self()));
            shared.values().forEach(NodeBound::close);
        }
        execute(this::comeBack);
    }

    private void execute(final Runnable work)
    {
        try
        {
            thread.execute(work);
        }
        catch (final RejectedExecutionException leaving)
        {
            LOG.debug("ignored a change of the cluster after leaving it");
        }
    }

    private void refresh()
    {
        synchronized (lock)
        {
            if (node == null || view == null || view.state() != State.MEMBER)
            {
                return;
            }
            final List<Member> before = view.members();
            showMembers();
            if (view.members().equals(before))
            {
                return;
            }
            LOG.info("CLU-0002 the cluster has changed, members={} coordinator={}", view.members(),
                view.coordinator().name());
        }
        tell();
    }

    private void tell()
    {
        listeners.forEach(this::tell);
    }

    private void tell(final ClusterListener listener)
    {
        try
        {
            listener.changed(view);
        }
        catch (final RuntimeException e)
        {
            LOG.error("CLU-0003 a listener of the cluster failed, listener={}; other listeners are not affected",
                listener, e);
        }
    }

    /** Stops the old node and retries to join until it succeeds. */
    private void comeBack()
    {
        LOG.error("CLU-0004 this member is fenced, member={}: the other members have removed it after {} ms without a "
            + "response; its output stops until it has rejoined", settings.serverName(), settings.failureDetectionMs());
        tell();
        final Node old;
        synchronized (lock)
        {
            old = node;
            node = null;
        }
        if (old != null)
        {
            old.stop();
        }
        while (closed.getCount() > 0)
        {
            try
            {
                start();
                tell();
                return;
            }
            catch (final ClusterException e)
            {
                LOG.warn("CLU-0005 cannot rejoin yet, member={} reason={} ({}); retrying in {} ms",
                    settings.serverName(), e.getMessage(), e.hint(), TimeUnit.NANOSECONDS.toMillis(RETRY_NS));
            }
            catch (final RuntimeException e)
            {
                LOG.warn("CLU-0005 cannot rejoin yet, member={}; retrying in {} ms", settings.serverName(),
                    TimeUnit.NANOSECONDS.toMillis(RETRY_NS), e);
            }
            if (waitedForClose())
            {
                return;
            }
        }
    }

    private boolean waitedForClose()
    {
        try
        {
            return closed.await(RETRY_NS, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public ReplicatedMap map(final String name)
    {
        return shared(name, IgniteReplicatedMap.class,
            () -> new IgniteReplicatedMap(name, settings.serverName(), this::execute));
    }

    @Override
    public ReplicatedBlobStore bytes(final String name)
    {
        return shared(name, IgniteBlobStore.class, () -> new IgniteBlobStore(name, settings.serverName()));
    }

    @Override
    public Mailbox mailbox(final String name, final Mailbox.Receiver receiver)
    {
        return shared(name, IgniteMailbox.class, () -> new IgniteMailbox(name, receiver));
    }

    private <T extends NodeBound> T shared(final String name, final Class<T> kind, final Supplier<T> maker)
    {
        synchronized (binding)
        {
            final NodeBound known = shared.get(name);
            if (known != null)
            {
                return kind.cast(known);
            }
            final T made = maker.get();
            final Node bound = bound();
            if (bound != null)
            {
                made.open(bound.ignite());
            }
            shared.put(name, made);
            return made;
        }
    }

    private Node bound()
    {
        synchronized (lock)
        {
            return view.state() == State.MEMBER ? node : null;
        }
    }

    @Override
    public boolean holdsLease()
    {
        return view.state() == State.MEMBER && lease.holds();
    }

    @Override
    public ClusterView view()
    {
        return view;
    }

    @Override
    public void addListener(final ClusterListener listener)
    {
        listeners.add(listener);
        execute(() -> tell(listener));
    }

    @Override
    public void removeListener(final ClusterListener listener)
    {
        listeners.remove(listener);
    }

    @Override
    public void close()
    {
        closed.countDown();
        lease.close();
        thread.shutdownNow();
        final Node last;
        synchronized (lock)
        {
            last = node;
            node = null;
            stay = null;
            view = new ClusterView(nextVersion(), State.LEFT, view.self(), List.of(view.self()));
            shared.values().forEach(NodeBound::close);
        }
        if (last != null)
        {
            last.stop();
        }
        try
        {
            if (!thread.awaitTermination(CLOSE_NS, TimeUnit.NANOSECONDS))
            {
                LOG.warn("CLU-0006 a listener of the cluster does not return, member={}", settings.serverName());
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }
}
