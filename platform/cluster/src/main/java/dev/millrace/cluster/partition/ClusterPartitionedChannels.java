package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventBatch;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.network.spi.PartitionedChannel;
import dev.millrace.network.spi.PartitionedChannels;
import dev.millrace.network.spi.RemoteInput;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Partitions channels of this member's networks across the members. Thread-safe. */
public final class ClusterPartitionedChannels implements PartitionedChannels, AutoCloseable
{
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(5);

    private final Cluster cluster;
    private final LinkServer links;
    private final List<PartitionedChannelMember> open = new CopyOnWriteArrayList<>();

    /** Creates the object; no port opens before the first channel. */
    public ClusterPartitionedChannels(final Cluster cluster, final ClusterSettings settings)
    {
        this.cluster = cluster;
        links = new LinkServer(settings);
    }

    @Override
    public PartitionedChannel open(final Terms terms, final RemoteInput entrance)
    {
        links.listen();
        final PartitionedChannelMember channel = new PartitionedChannelMember(cluster, terms, entrance, links,
            new AssignmentStore(cluster.map(LinkServer.MAP), terms.application(), terms.channel()));
        links.add(terms, channel);
        open.add(channel);
        return new Opened(channel);
    }

    /** Transfers all partitions, so that the other members need not detect that this member has left. */
    @Override
    public void close()
    {
        open.forEach(channel -> channel.leave(LEAVE_NS));
        open.forEach(PartitionedChannelMember::close);
        links.close();
    }

    int port()
    {
        return links.port();
    }

    InetAddress address()
    {
        return links.address();
    }

    /** Closes connections of other members, which then reconnect. */
    void cutConnections()
    {
        links.cut();
    }

    /** Stops like a killed process. */
    void kill()
    {
        links.close();
        open.forEach(PartitionedChannelMember::kill);
    }

    /** The channel as seen by a network. */
    private final class Opened implements PartitionedChannel
    {
        private final PartitionedChannelMember channel;

        Opened(final PartitionedChannelMember channel)
        {
            this.channel = channel;
        }

        @Override
        public Way openWay(final Consumer<EventBatch> here)
        {
            return channel.openWay(here);
        }

        @Override
        public void join()
        {
            channel.join();
        }

        @Override
        public boolean leave(final long timeoutNs)
        {
            return channel.leave(timeoutNs);
        }

        @Override
        public Map<String, Object> statistics()
        {
            return channel.statistics();
        }

        @Override
        public void close()
        {
            links.remove(channel);
            open.remove(channel);
            channel.close();
        }
    }
}
