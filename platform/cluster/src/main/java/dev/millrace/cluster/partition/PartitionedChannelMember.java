package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.partition.link.EventCount;
import dev.millrace.cluster.partition.link.Handshake;
import dev.millrace.cluster.partition.link.HandshakeRequest;
import dev.millrace.cluster.partition.link.SendEntry;
import dev.millrace.network.spi.PartitionedChannel;
import dev.millrace.network.spi.PartitionedChannels.Terms;
import dev.millrace.network.spi.RemoteInput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * This member's part of a partitioned channel: the routers of its sources, the links to other members, and the state
 * that both read for each batch. {@link RebalanceLoop} handles membership changes. Thread-safe.
 */
final class PartitionedChannelMember implements PartitionedChannel
{
    private static final long WAIT_MS = 250;

    private final Cluster cluster;
    private final Terms terms;
    private final RemoteInput entrance;
    private final String shape;
    private final List<PartitionRouter> ways = new CopyOnWriteArrayList<>();
    private final AtomicInteger nextWay = new AtomicInteger();
    private final EventCount changes = new EventCount();
    private final RebalanceLoop membership;
    private volatile RoutingTable routes;
    private volatile long openEpoch;
    private volatile long floor;
    private volatile boolean takesPart;

    /**
     * Creates a member that participates after {@link #join}.
     *
     * @param terms    type, partition key and group of the channel
     * @param entrance receives rows of other members
     * @param handover transfers state between members
     */
    PartitionedChannelMember(final Cluster cluster, final Terms terms, final RemoteInput entrance,
        final LinkServer links,
        final PartitionHandover handover)
    {
        this.cluster = cluster;
        this.terms = terms;
        this.entrance = entrance;
        shape = terms.schema().type().properties().stream()
            .map(property -> property.name() + ':' + property.type().cqlName()).collect(Collectors.joining(",")) +
            ";by=" + terms.schema().type().properties().get(terms.keyColumn()).name() + ";timed=" + terms.timed();
        membership = new RebalanceLoop(this, cluster, links, handover);
        membership.start();
    }

    Terms terms()
    {
        return terms;
    }

    RemoteInput entrance()
    {
        return entrance;
    }

    /**
     * Names and types of the columns, the partition key, and whether rows have timestamps. Members with different
     * values cannot exchange rows.
     */
    String shape()
    {
        return shape;
    }

    String label()
    {
        return terms.application() + '/' + terms.channel();
    }

    List<PartitionRouter> ways()
    {
        return ways;
    }

    HandshakeRequest hello(final Registration target, final long link)
    {
        return new HandshakeRequest(terms.application(), terms.channel(), shape, membership.stay(), target.stay(),
            link);
    }

    /** Serves a connection from another member, on the thread of that connection. */
    void admit(final Handshake.Caller caller) throws IOException
    {
        membership.admit(caller);
    }

    void reject(final int rows, final String reason, final String detail)
    {
        entrance.reject(rows, reason, detail);
    }

    void rejectFenced(final int rows)
    {
        reject(rows, "fenced", "the other members have removed this instance from the cluster");
    }

    void rejectNoPart(final int rows)
    {
        reject(rows, "stopped", "the channel does not participate, channel=" + label());
    }

    /** Whether this member may send and process rows. */
    boolean mayAct()
    {
        return cluster.holdsLease();
    }

    boolean takesPart()
    {
        return takesPart;
    }

    void takesPart(final boolean value)
    {
        takesPart = value;
        changed();
    }

    /** The current routes; {@code null} during a rebalance. */
    RoutingTable routes()
    {
        return routes;
    }

    void routes(final RoutingTable next)
    {
        routes = next;
        changed();
    }

    /**
     * Whether rows may use these routes: the partitions have owners, and this member has taken over its own partitions.
     */
    boolean isOpen(final RoutingTable some)
    {
        return some.size() > 0 && openEpoch >= some.epoch();
    }

    long openEpoch()
    {
        return openEpoch;
    }

    void openEpoch(final long epoch)
    {
        openEpoch = epoch;
        changed();
    }

    /** Rows of epochs before this one are rejected. */
    long floor()
    {
        return floor;
    }

    void floor(final long epoch)
    {
        floor = epoch;
        changed();
    }

    long changes()
    {
        return changes.count();
    }

    void awaitChange(final long seen)
    {
        changes.await(seen, WAIT_MS);
    }

    /** Wakes all waiting threads so that they check their conditions again. */
    void wake()
    {
        changes.raise();
    }

    /** Signals a change that a thread may wait for. */
    void changed()
    {
        changes.raise();
        membership.changed();
    }

    /** Signals a change that membership handling must process. */
    void attention()
    {
        changes.raise();
        membership.attention();
    }

    /** Accepts rows that another member has rejected; they are routed again. */
    void takeBack(final List<SendEntry> slots)
    {
        membership.takeBack(slots);
    }

    /**
     * Waits until this member has taken over its partitions of an epoch. Called on connection threads.
     *
     * @throws IOException when rows of that epoch are rejected, or cannot be accepted now
     */
    void awaitOpen(final long epoch, final BooleanSupplier closed) throws IOException
    {
        while (true)
        {
            final long seen = changes();
            if (closed.getAsBoolean() || !mayAct() || floor > epoch)
            {
                throw new IOException("rows are rejected, epoch=" + epoch + " floor=" + floor + " closed=" +
                    closed.getAsBoolean());
            }
            if (openEpoch >= epoch)
            {
                return;
            }
            awaitChange(seen);
        }
    }

    @Override
    public Way openWay(final Consumer<EventBatch> here)
    {
        final PartitionRouter way = new PartitionRouter(this, nextWay.incrementAndGet(), here);
        ways.add(way);
        return way;
    }

    void remove(final PartitionRouter way)
    {
        ways.remove(way);
        if (terms.timed())
        {
            membership.end(way.number());
        }
    }

    @Override
    public void join()
    {
        takesPart(true);
        membership.join();
    }

    @Override
    public boolean leave(final long timeoutNs)
    {
        final boolean isInOrder = membership.leave(Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
        takesPart(false);
        return isInOrder;
    }

    @Override
    public Map<String, Object> statistics()
    {
        final Map<String, Object> figures = membership.statistics();
        figures.put("waits", ways.stream().mapToLong(PartitionRouter::waits).sum());
        return figures;
    }

    @Override
    public void close()
    {
        takesPart(false);
        membership.close();
    }

    /** Stops like a killed process. For tests. */
    void kill()
    {
        membership.kill();
        takesPart(false);
    }
}
