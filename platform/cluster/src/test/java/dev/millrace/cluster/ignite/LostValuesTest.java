package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.ClusterSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheRebalanceMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.PartitionLossPolicy;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.events.DiscoveryEvent;
import org.apache.ignite.events.EventType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values lost with their last member while other members use the map. */
@Tag("slow")
@Timeout(120)
class LostValuesTest
{
    private static final int WRITERS = 16;
    private static final int VALUES = 64;

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final ExecutorService listeners = Executors.newSingleThreadExecutor();
    private final List<Node> nodes = new ArrayList<>();
    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void stop()
    {
        threads.shutdownNow();
        listeners.shutdownNow();
        nodes.forEach(Node::stop);
    }

    private Node start(final String name, final BlockingQueue<DiscoveryEvent> changes) throws Exception
    {
        final ClusterSettings settings = ports.member(directory, name);
        final Node node = Node.start(settings, changes::add, () ->
        {
            // Continue.
        });
        nodes.add(node);
        return node;
    }

    /** The cache of a map that sends no values to a joining member until requested. */
    @SuppressWarnings("deprecation") // The only way to keep a member without values for as long as a test needs.
    private static CacheConfiguration<String, byte[]> thatStays(final String name)
    {
        return new CacheConfiguration<String, byte[]>("millrace." + name).setCacheMode(CacheMode.REPLICATED)
            .setAtomicityMode(CacheAtomicityMode.ATOMIC)
            .setAffinity(new RendezvousAffinityFunction(false, IgniteReplicatedCache.PARTITIONS))
            .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)
            .setRebalanceMode(CacheRebalanceMode.ASYNC).setRebalanceDelay(-1)
            .setPartitionLossPolicy(PartitionLossPolicy.READ_WRITE_SAFE);
    }

    @Test
    void shouldTakeTheChangesOfAllThreadsAndKeepWhatIsKnownWhenValuesAreLost() throws Exception
    {
        final Node donor = start("donor", new LinkedBlockingQueue<>());
        donor.ignite().getOrCreateCache(thatStays("own"));
        final IgniteReplicatedMap given = new IgniteReplicatedMap("own", "donor", listeners);
        given.open(donor.ignite());
        for (int i = 0; i < VALUES; i++)
        {
            given.put("n" + i, new byte[] {1});
        }
        final BlockingQueue<DiscoveryEvent> changes = new LinkedBlockingQueue<>();
        final Node left = start("left", changes);
        final IgniteReplicatedMap map = new IgniteReplicatedMap("own", "left", listeners);
        map.open(left.ignite());
        assertThat(map.all()).as("read from the other member").hasSize(VALUES);
        given.close();
        donor.stop();
        awaitLeft(changes);
        // If nothing is lost, this ends with the time limit of the test.
        while (left.ignite().cache("millrace.own").lostPartitions().isEmpty())
        {
            Thread.onSpinWait();
        }
        final CyclicBarrier all = new CyclicBarrier(WRITERS);
        final CountDownLatch done = new CountDownLatch(WRITERS);
        final List<Future<?>> runs = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++)
        {
            final int first = writer;
            runs.add(threads.submit(() -> write(map, first, all, done)));
        }
        for (final Future<?> run : runs)
        {
            run.get();
        }
        assertThat(done.getCount()).isZero();
        assertThat(map.all()).hasSize(VALUES).allSatisfy((name, value) -> assertThat(value).containsExactly(2));
    }

    private static void awaitLeft(final BlockingQueue<DiscoveryEvent> changes) throws InterruptedException
    {
        DiscoveryEvent event = changes.poll(60, TimeUnit.SECONDS);
        while (event != null && event.type() != EventType.EVT_NODE_LEFT && event.type() != EventType.EVT_NODE_FAILED)
        {
            event = changes.poll(60, TimeUnit.SECONDS);
        }
        assertThat(event).as("the death of the donor is detected in time").isNotNull();
    }

    /** Each name has one writer, so the last value known to that writer is correct. */
    private static Void write(final IgniteReplicatedMap map, final int first, final CyclicBarrier all,
        final CountDownLatch done) throws Exception
    {
        all.await(60, TimeUnit.SECONDS);
        for (int i = first; i < VALUES; i += WRITERS)
        {
            assertThat(map.replace("n" + i, new byte[] {1}, new byte[] {2})).as("n" + i).isTrue();
        }
        done.countDown();
        return null;
    }
}
