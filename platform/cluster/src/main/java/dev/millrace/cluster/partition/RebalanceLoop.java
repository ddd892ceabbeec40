package dev.millrace.cluster.partition;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterListener;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.ReplicatedMap;
import dev.millrace.cluster.partition.link.EventCount;
import dev.millrace.cluster.partition.link.Handshake;
import dev.millrace.cluster.partition.link.HandshakeRequest;
import dev.millrace.cluster.partition.link.SendEntry;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles joining and leaving members of a channel. One thread re-evaluates the complete state after every change and
 * performs the steps that are due; evaluation without a due step has no effect.
 *
 * <pre>
 *   1. a new table                     pause sources, send a marker on each link           (sender)
 *   2. all rows acknowledged           reroute rows in flight to members that have left, resume sources
 *   3. all markers received            publish "released": no row of an earlier epoch follows (old owner)
 *   4. all have released, or have left accept rows of the new epoch                        (new owner)
 * </pre>
 * Step 2 preserves the order of each source's rows per partition, independently of steps 3 and 4. Steps 3 and 4 prevent
 * two members from processing a partition at the same time; between them, its state can be transferred.
 */
final class RebalanceLoop
{
    private static final Logger LOG = LoggerFactory.getLogger(RebalanceLoop.class);
    private static final long LOOK_MS = 250;
    private static final long END_S = 10;
    private static final int STACK_SHOWN = 16;

    private final PartitionedChannelMember channel;
    private final Cluster cluster;
    private final AssignmentStore state;
    private final ReplicatedMap map;
    private final LinkServer links;
    private final PartitionRebalance exchange;
    private final MissingOwnerWarning owners;
    private final EventCount attention = new EventCount();
    private final ClusterListener onMembers = view -> attention();
    private final ReplicatedMap.Listener onDocuments = this::onDocument;
    private final Thread thread;
    private volatile Registration registration;
    private volatile boolean wanted;
    private volatile boolean busy;
    private volatile boolean ended;
    private volatile boolean cut;
    private volatile CountDownLatch left = new CountDownLatch(0);

    RebalanceLoop(final PartitionedChannelMember channel, final Cluster cluster, final LinkServer links,
        final PartitionHandover handover)
    {
        this.channel = channel;
        this.cluster = cluster;
        this.links = links;
        map = cluster.map(LinkServer.MAP);
        state = new AssignmentStore(map, channel.terms().application(), channel.terms().channel());
        exchange = new PartitionRebalance(channel, links, handover);
        owners = new MissingOwnerWarning(channel.terms(), System::nanoTime, LOG::warn);
        thread = new Thread(this::run, channel.label() + "/members");
        thread.setDaemon(true);
    }

    /** Starts the thread. The channel must be complete. */
    void start()
    {
        thread.start();
        cluster.addListener(onMembers);
        map.addListener(onDocuments);
    }

    private void onDocument(final String name, final byte[] value)
    {
        if (state.isMine(name))
        {
            attention();
        }
    }

    void attention()
    {
        attention.raise();
    }

    /** Rows were acknowledged, which matters only during a rebalance. */
    void changed()
    {
        if (busy)
        {
            attention.raise();
        }
    }

    String stay()
    {
        final Registration now = registration;
        return now == null ? "" : now.stay();
    }

    void takeBack(final List<SendEntry> slots)
    {
        exchange.takeBack(slots);
        attention();
    }

    /** A source has closed; other members are notified. */
    void end(final int way)
    {
        exchange.end(way);
        attention();
    }

    void join()
    {
        cut = false;
        wanted = true;
        attention();
    }

    boolean leave(final long timeoutMs)
    {
        if (registration == null || ended)
        {
            wanted = false;
            attention();
            return registration == null;
        }
        final CountDownLatch mine = new CountDownLatch(1);
        left = mine;
        wanted = false;
        attention();
        boolean isInOrder = false;
        try
        {
            isInOrder = mine.await(timeoutMs, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        if (!isInOrder)
        {
            cut = true;
            attention();
        }
        return isInOrder;
    }

    void close()
    {
        wanted = false;
        cut = true;
        end();
    }

    /** Stops without any further message to other members. */
    void kill()
    {
        ended = true;
        attention();
        awaitEnd();
        exchange.cutAll();
    }

    private void end()
    {
        ended = true;
        attention();
        cluster.removeListener(onMembers);
        map.removeListener(onDocuments);
        awaitEnd();
        exchange.lose(forget());
    }

    /**
     * Ends the links, then removes the registration. The order matters: other members route rows elsewhere as soon as
     * the registration is removed.
     */
    private List<SendEntry> forget()
    {
        final Registration old = registration;
        registration = null;
        final List<SendEntry> left = exchange.forget();
        if (old != null && cluster.view().state() == State.MEMBER)
        {
            unregister(old);
        }
        return left;
    }

    private void awaitEnd()
    {
        try
        {
            thread.join(TimeUnit.SECONDS.toMillis(END_S));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive())
        {
            LOG.error("CLU-0412 gave up waiting for the thread of a channel to end, channel={} "
                + "seconds={} at={}; check the stages below, and restart the server before the channel is started "
                    + "again",
                channel.label(), END_S, Stream.of(thread.getStackTrace()).limit(STACK_SHOWN).toList());
        }
    }

    private void run()
    {
        while (!ended)
        {
            final long seen = attention.count();
            try
            {
                look();
            }
            catch (final ReplicatedMap.FencedException e)
            {
                LOG.debug("evaluation continues when this member has rejoined, channel={}", channel.label(), e);
            }
            catch (final RuntimeException e)
            {
                tell(e);
            }
            // Waiting sources check whether this member may still act.
            channel.wake();
            attention.await(seen, LOOK_MS);
        }
    }

    private void tell(final RuntimeException failure)
    {
        if (ended)
        {
            // The stopping thread gave up waiting for this one, which has been logged; its objects are closed.
            LOG.debug("a channel has ended in the meantime, channel={}", channel.label(), failure);
        }
        else
        {
            LOG.error("CLU-0409 a membership change could not be processed, channel={}; retrying, please report it "
                + "if it occurs again", channel.label(), failure);
        }
    }

    private void look()
    {
        exchange.beginLook();
        exchange.sayEnds();
        final ClusterView view = cluster.view();
        if (view.state() != State.MEMBER || !cluster.holdsLease())
        {
            standStill();
            return;
        }
        if (registration != null && !registration.memberId().equals(view.self().id().toString()))
        {
            standStill();
        }
        if (registration == null && !wanted)
        {
            return;
        }
        final Registration mine = register(view);
        final Map<String, Registration> live = new LinkedHashMap<>(state.live(view));
        if (!live.containsKey(mine.stay()))
        {
            return;
        }
        exchange.meet(mine.stay(), live);
        state.decide(mine.stay(), live);
        final AssignmentHistory table = state.table();
        if (table != null)
        {
            exchange.follow(table, mine, live);
        }
        owners.look(!wanted || table != null && !table.now().owners().isEmpty(), view);
        busy = exchange.isChanging() || !wanted;
        release(live);
        if (!wanted)
        {
            tryToLeave(state.live(view));
        }
    }

    private Registration register(final ClusterView view)
    {
        if (registration == null)
        {
            final String memberId = view.self().id().toString();
            registration = new Registration(view.self().name(), memberId, memberId + '/' + UUID.randomUUID(),
                links.host(), links.port(), channel.shape(), false, 0);
        }
        registration = registration.withOwner(wanted && view.self().isIn(channel.terms().group()));
        state.register(registration);
        return registration;
    }

    private void release(final Map<String, Registration> live)
    {
        final long epoch = exchange.released(live, registration);
        if (epoch > registration.released())
        {
            registration = registration.withReleased(epoch);
            state.register(registration);
        }
    }

    private void tryToLeave(final Map<String, Registration> live)
    {
        final boolean isThrough = exchange.isThrough(registration, live);
        if (isThrough || cut)
        {
            exchange.lose(forget());
            cut = false;
            busy = false;
            left.countDown();
        }
    }

    private void unregister(final Registration old)
    {
        try
        {
            state.unregister(old);
        }
        catch (final ReplicatedMap.FencedException e)
        {
            LOG.debug("the other members have already removed this member, channel={}", channel.label(), e);
        }
    }

    /** Fenced or no longer in the cluster: rows without acknowledgement wait until this member has rejoined. */
    private void standStill()
    {
        if (registration != null)
        {
            registration = null;
            exchange.takeBack(exchange.forget());
        }
        if (!wanted)
        {
            exchange.lose(exchange.forget());
            left.countDown();
        }
    }

    /** Serves a connection from another member on its thread until it ends. */
    void admit(final Handshake.Caller caller) throws IOException
    {
        final HandshakeRequest hello = caller.hello();
        final Registration mine = registration;
        if (!hello.shape().equals(channel.shape()))
        {
            caller.refuse(new Handshake.Refused("the channel has a different event type here, here=" + channel.shape() +
                " there=" + hello.shape(), true));
        }
        else if (mine == null || !mine.stay().equals(hello.targetStay()) ||
            !state.live(cluster.view()).containsKey(hello.stay()))
        {
            caller.refuse(new Handshake.Refused("the other member is unknown to this one, or this one has rejoined in "
                + "the meantime",
                false));
        }
        else
        {
            final InboundLink link = exchange.admit(hello, () -> registration != null && stay().equals(mine.stay()));
            if (link != null)
            {
                link.run(caller);
            }
        }
    }

    Map<String, Object> statistics()
    {
        final Registration mine = registration;
        final Map<String, Object> figures = exchange.statistics();
        figures.put("takesPart", mine != null);
        return new LinkedHashMap<>(figures);
    }
}
