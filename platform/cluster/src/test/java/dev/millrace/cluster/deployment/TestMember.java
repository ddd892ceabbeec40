package dev.millrace.cluster.deployment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.server.files.DomainFiles;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A member that can leave and rejoin with its data on disk. */
final class TestMember implements AutoCloseable
{
    final String name;
    final MemoryDeployments local;

    private final TestPorts ports;
    private final Path directory;
    private final Disk disk = new Disk();
    private final Set<String> named;
    private final long answerNs;
    private Cluster cluster;
    private GroupDeploymentService changes;

    TestMember(final String name, final TestPorts ports, final Path directory, final long answerSeconds,
        final String... named) throws Exception
    {
        this.name = name;
        this.ports = ports;
        this.directory = directory.resolve(name);
        this.named = Set.of(named);
        answerNs = TimeUnit.SECONDS.toNanos(answerSeconds);
        local = new MemoryDeployments(name, this.directory.resolve("applications"));
        join();
    }

    /** Sets the number of writes of cluster files that fit on the disk. */
    void room(final int writes)
    {
        disk.left.set(writes);
    }

    /** A disk that the test can fill. */
    private static final class Disk extends DomainFiles
    {
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

        @Override
        protected void before(final String change, final Path path) throws IOException
        {
            if (!change.equals("delete") && !change.equals("move") && left.getAndDecrement() <= 0)
            {
                throw new IOException("No space left on device (made by a test)");
            }
        }
    }

    void join() throws Exception
    {
        cluster = IgniteCluster.join(new ClusterSettings("shop", name, 1, named, "127.0.0.1", ports.addresses(),
            ports.ports(), TestPorts.FAILURE_DETECTION_MS, null, directory.resolve("var"),
            TestPorts.SECRET));
        changes = GroupDeploymentService.start(cluster, local, disk, directory.resolve("cluster"), answerNs);
    }

    Cluster cluster()
    {
        return cluster;
    }

    GroupDeployments groups()
    {
        return changes;
    }

    GroupAnswer install(final String group, final String text) throws Exception
    {
        return changes.install(group, stream(text), "file.jar", 0);
    }

    GroupAnswer update(final String group, final String application, final String text) throws Exception
    {
        return changes.update(group, application, stream(text), "file.jar", 0);
    }

    static InputStream stream(final String text)
    {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    /** Leaves like a stopping instance. */
    @Override
    public void close()
    {
        if (changes != null)
        {
            changes.close();
            cluster.close();
            changes = null;
        }
    }
}
