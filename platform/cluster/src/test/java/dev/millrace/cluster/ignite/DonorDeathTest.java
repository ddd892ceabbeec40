package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ClusterView;
import dev.millrace.cluster.ReplicatedBlobStore;
import dev.millrace.cluster.ReplicatedMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ignite.Ignite;
import org.apache.ignite.Ignition;
import org.apache.ignite.events.CacheRebalancingEvent;
import org.apache.ignite.events.Event;
import org.apache.ignite.events.EventType;
import org.apache.ignite.lang.IgnitePredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The only member that has some values is killed during or soon after the join of another one; values are transferred
 * slowly.
 */
@Tag("slow")
@Timeout(120)
class DonorDeathTest
{
    /** Ignite property: milliseconds that a member waits before it sends the next values to a joining member. */
    private static final String THROTTLE = "IGNITE_REBALANCE_THROTTLE_OVERRIDE";
    private static final String THROTTLE_MS = "100";
    private static final int PARTS_THAT_COME = 4;
    private static final Runnable NOTHING = () ->
    {
        // The donor stays alive.
    };

    @TempDir
    private Path directory;

    private final Logger log = (Logger)LoggerFactory.getLogger(IgniteReplicatedCache.class);
    private final ListAppender<ILoggingEvent> words = new ListAppender<>();
    private final ExecutorService teller = Executors.newSingleThreadExecutor();
    private TestPorts ports;
    private Process donor;
    private BufferedReader lines;

    @BeforeEach
    void listen() throws Exception
    {
        ports = TestPorts.free();
        words.start();
        log.addAppender(words);
    }

    private void startDonor(final String what) throws Exception
    {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("--add")).forEach(command::add);
        command.addAll(List.of("-D" + THROTTLE + '=' + THROTTLE_MS, "-Xmx160m", "-XX:TieredStopAtLevel=1", "-cp",
            System.getProperty("java.class.path"), DonorMain.class.getName(),
            Integer.toString(ports.ports().discovery()), Integer.toString(ports.ports().communication()),
            directory.resolve("donor").toString(), what));
        donor = new ProcessBuilder(command).redirectErrorStream(true).start();
        lines = donor.inputReader(StandardCharsets.UTF_8);
        await("FILLED");
    }

    @AfterEach
    void endDonor() throws Exception
    {
        log.detachAppender(words);
        teller.shutdownNow();
        if (donor != null)
        {
            donor.destroyForcibly().waitFor();
        }
    }

    private void await(final String wanted) throws IOException
    {
        final List<String> read = new ArrayList<>();
        String line = lines.readLine();
        while (line != null && !line.equals(wanted))
        {
            read.add(line);
            line = lines.readLine();
        }
        assertThat(line).as("output of the donor: " + read).isEqualTo(wanted);
    }

    private ClusterSettings settings()
    {
        return new ClusterSettings("shop", "joiner", 2, Set.of(), "127.0.0.1", ports.addresses(), ports.ports(),
            TestPorts.FAILURE_DETECTION_MS, null, directory.resolve("joiner"),
            TestPorts.SECRET);
    }

    private void kill(final Cluster left) throws Exception
    {
        final BlockingQueue<ClusterView> views = new LinkedBlockingQueue<>();
        left.addListener(views::add);
        donor.destroyForcibly().waitFor();
        ClusterView view = left.view();
        while (view.members().size() > 1)
        {
            view = views.poll(60, TimeUnit.SECONDS);
            assertThat(view).as("the death of the donor is detected in time").isNotNull();
        }
    }

    @Test
    void shouldKeepEachValueWhenTheOnlyOtherMemberDiesAsSoonAsItHasJoined() throws Exception
    {
        startDonor(DonorMain.MAP);
        try (Cluster joiner = IgniteCluster.join(settings()))
        {
            final ReplicatedMap map = joiner.map(DonorMain.MAP);
            kill(joiner);
            int lost = 0;
            for (int i = 0; i < DonorMain.VALUES; i++)
            {
                lost += map.replace(DonorMain.name(i), DonorMain.value(i), new byte[] {1}) ? 0 : 1;
            }
            assertThat(lost).as("values lost by the cluster").isZero();
        }
    }

    @Test
    void shouldTakeChangesOfAllNamesWhenTheOnlyOtherMemberDiesWhileItJoins() throws Exception
    {
        startDonor(DonorMain.MAP);
        final IgniteReplicatedMap map = new IgniteReplicatedMap(DonorMain.MAP, "joiner", teller);
        try (Ignite node = start(() -> donor.destroyForcibly()))
        {
            map.open(node);
            int come = 0;
            for (int i = 0; i < DonorMain.VALUES; i++)
            {
                final String name = DonorMain.name(i);
                final byte[] before = map.get(name);
                if (before != null)
                {
                    assertThat(before).isEqualTo(DonorMain.value(i));
                    come++;
                }
                assertThat(map.replace(name, before, new byte[] {1})).as(name).isTrue();
                assertThat(map.get(name)).containsExactly(1);
            }
            assertLossIsTold("map=" + DonorMain.MAP);
            assertThat(come).as("values received").isBetween(1, DonorMain.VALUES - 1);
        }
    }

    @Test
    void shouldGiveWhatItKnewWhenTheOnlyOtherMemberDiesWhileItComesBack() throws Exception
    {
        startDonor(DonorMain.MAP);
        final IgniteReplicatedMap map = new IgniteReplicatedMap(DonorMain.MAP, "joiner", teller);
        try (Ignite before = start(NOTHING))
        {
            map.open(before);
            assertThat(map.all()).hasSize(DonorMain.VALUES);
            map.close();
        }
        try (Ignite back = start(() -> donor.destroyForcibly()))
        {
            map.open(back);
            for (int i = 0; i < DonorMain.VALUES; i++)
            {
                final String name = DonorMain.name(i);
                assertThat(map.get(name)).as(name).isEqualTo(DonorMain.value(i));
                assertThat(map.replace(name, DonorMain.value(i), null)).as(name).isTrue();
            }
            assertThat(map.all()).isEmpty();
            assertLossIsTold("map=" + DonorMain.MAP);
        }
    }

    @Test
    void shouldKeepLargeValuesWhenTheOnlyOtherMemberDiesAsSoonAsItHasJoined() throws Exception
    {
        startDonor(DonorMain.BYTES);
        try (Cluster joiner = IgniteCluster.join(settings()))
        {
            final ReplicatedBlobStore bytes = joiner.bytes(DonorMain.BYTES);
            kill(joiner);
            for (int i = 0; i < DonorMain.VALUES; i++)
            {
                assertThat(bytes.get(DonorMain.name(i))).as(DonorMain.name(i)).isEqualTo(DonorMain.value(i));
            }
        }
    }

    @Test
    void shouldTellOfLargeValuesThatAreLostAndTakeThemAgain() throws Exception
    {
        startDonor(DonorMain.BYTES);
        final IgniteBlobStore bytes = new IgniteBlobStore(DonorMain.BYTES, "joiner");
        try (Ignite node = start(() -> donor.destroyForcibly()))
        {
            bytes.open(node);
            int come = 0;
            for (int i = 0; i < DonorMain.VALUES; i++)
            {
                final String name = DonorMain.name(i);
                assertThat(bytes.contains(name)).as(name).isEqualTo(bytes.get(name) != null);
                come += bytes.contains(name) ? 1 : 0;
                bytes.put(name, DonorMain.value(i));
                assertThat(bytes.get(name)).as(name).isEqualTo(DonorMain.value(i));
            }
            assertThat(come).as("values received").isBetween(1, DonorMain.VALUES - 1);
            assertLossIsTold("bytes=" + DonorMain.BYTES);
        }
    }

    private void assertLossIsTold(final String of)
    {
        assertThat(words.list).extracting(ILoggingEvent::getFormattedMessage)
            .anyMatch(said -> said.contains("CLU-0009") && said.contains(of + " member=joiner"));
    }

    /** Starts a node like the product, and runs an action as soon as some values have arrived. */
    private Ignite start(final Runnable whenSomeHaveCome)
    {
        NodeConfiguration.setSystemProperties();
        final AtomicInteger come = new AtomicInteger();
        final IgnitePredicate<Event> listener = event ->
        {
            if (event instanceof CacheRebalancingEvent part && part.cacheName().contains(DonorMain.MAP) &&
                come.incrementAndGet() == PARTS_THAT_COME)
            {
                whenSomeHaveCome.run();
            }
            return true;
        };
        return Ignition.start(NodeConfiguration.of(settings(), () ->
        {
            // No action.
        }, listener, EventType.EVT_CACHE_REBALANCE_PART_LOADED)
            .setIncludeEventTypes(EventType.EVT_CACHE_REBALANCE_PART_LOADED)
            .setGridLogger(new Slf4jLogger(new UnknownPeerLog("joiner"))));
    }
}
