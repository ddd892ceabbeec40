package dev.millrace.cluster.partition;

import dev.millrace.api.event.EventType;
import dev.millrace.api.stage.EventBatchSink;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterException;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.Member;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.network.definition.ChannelStage;
import dev.millrace.network.definition.DeploymentException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A member of a real cluster with a network. */
public final class PartitionMember implements AutoCloseable
{
    final ClusterSettings settings;
    final Cluster cluster;
    final StagedCluster staged;
    final ClusterPartitionedChannels partitions;
    TestNetwork network;

    PartitionMember(final TestPorts ports, final Path directory, final String name, final String... groups)
        throws ClusterException
    {
        this(ports.member(directory, name, groups));
    }

    PartitionMember(final ClusterSettings settings) throws ClusterException
    {
        this.settings = settings;
        cluster = IgniteCluster.join(settings);
        staged = new StagedCluster(cluster);
        partitions = new ClusterPartitionedChannels(staged.cluster, settings);
    }

    PartitionMember run(final EventType type, final int firstSource, final int sources, final EventBatchSink sink)
        throws DeploymentException
    {
        return run(type, Member.ALL_MEMBERS, TestNetwork.NO_HEARTBEAT, firstSource, sources, sink);
    }

    PartitionMember run(final EventType type, final String group, final ChannelStage.Time time, final int firstSource,
        final int sources, final EventBatchSink sink) throws DeploymentException
    {
        network = new TestNetwork(partitions, type, group, time, firstSource, sources, sink);
        network.network().start();
        return this;
    }

    /** Waits until this member sees that number of owners and has taken over its partitions. */
    PartitionMember awaitOwners(final int count)
    {
        await(settings.serverName() + " among " + count, () ->
            network.partitions().get("members") instanceof List<?> members && members.size() == count &&
                (boolean)network.partitions().get("open"));
        return this;
    }

    public static void await(final String what, final BooleanSupplier condition)
    {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() > deadline)
            {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Stops like a killed process: sockets close without any message. */
    void kill()
    {
        partitions.kill();
        cluster.close();
    }

    @Override
    public void close()
    {
        if (network != null)
        {
            network.network().stop();
        }
        partitions.close();
        cluster.close();
    }
}
