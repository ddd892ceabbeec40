package dev.millrace.cluster.ignite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ClusterSettings;
import dev.millrace.cluster.ReplicatedMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.ignite.internal.util.future.GridFutureAdapter;
import org.apache.ignite.internal.util.future.IgniteFutureImpl;
import org.apache.ignite.lang.IgniteFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A map shared by two members in one process. */
@Tag("slow")
@Timeout(120)
class SharedMapTest
{
    @TempDir
    private Path directory;

    private final List<Cluster> members = new ArrayList<>();
    /** A map reads changed values on this thread; a thread of Ignite would wait for itself. */
    private final ExecutorService listeners = Executors.newSingleThreadExecutor();
    private TestPorts ports;
    private ReplicatedMap one;
    private ReplicatedMap two;

    @BeforeEach
    void join() throws Exception
    {
        ports = TestPorts.free();
        one = join("one").map("rules");
        two = join("two").map("rules");
    }

    @AfterEach
    void leave()
    {
        members.forEach(Cluster::close);
        listeners.shutdownNow();
    }

    private Cluster join(final String name) throws Exception
    {
        final Cluster cluster = IgniteCluster.join(ports.member(directory, name));
        members.add(cluster);
        return cluster;
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(UTF_8);
    }

    private static void awaitValue(final ReplicatedMap map, final String name, final String value) throws Exception
    {
        final BlockingQueue<String> values = new LinkedBlockingQueue<>();
        final ReplicatedMap.Listener listener = (key, bytes) ->
        {
            if (key.equals(name))
            {
                values.add(bytes == null ? "" : new String(bytes, UTF_8));
            }
        };
        map.addListener(listener);
        try
        {
            String last = values.poll(60, TimeUnit.SECONDS);
            while (last != null && !last.equals(value))
            {
                last = values.poll(60, TimeUnit.SECONDS);
            }
            assertThat(last).isEqualTo(value);
        }
        finally
        {
            map.removeListener(listener);
        }
    }

    @Test
    void shouldRefuseChangesAsFencedWhenItsNodeStopsBeforeAnybodyHasSaidSo() throws Exception
    {
        final IgniteReplicatedMap map = new IgniteReplicatedMap("own", "three", listeners);
        final Node node = Node.start(new ClusterSettings("shop", "three", 1, Set.of(), "127.0.0.1", ports.addresses(),
            ports.ports(), TestPorts.FAILURE_DETECTION_MS, null, directory.resolve("three"),
            TestPorts.SECRET), event ->
            {
                // No listener.
            }, () ->
            {
                // No listener here either.
            });
        map.open(node.ignite());
        map.put("a", bytes("1"));
        node.stop();
        assertThatThrownBy(() -> map.put("a", bytes("2"))).isInstanceOf(ReplicatedMap.FencedException.class)
            .hasMessageContaining("member=three");
        assertThatThrownBy(() -> map.put("a", null)).isInstanceOf(ReplicatedMap.FencedException.class);
        assertThatThrownBy(() -> map.replace("a", bytes("1"), bytes("2")))
            .isInstanceOf(ReplicatedMap.FencedException.class);
        assertThat(map.get("a")).as("the last known value").isEqualTo(bytes("1"));
    }

    @Test
    void shouldShowChangesOfOneMemberToTheOther() throws Exception
    {
        one.put("a", bytes("1"));
        awaitValue(two, "a", "1");
        two.put("a", bytes("2"));
        awaitValue(one, "a", "2");
        assertThat(one.get("a")).isEqualTo(bytes("2"));
        two.put("b", bytes("3"));
        awaitValue(one, "b", "3");
        assertThat(one.all()).containsOnlyKeys("a", "b");
        one.put("a", null);
        awaitValue(two, "b", "3");
        one.put("end", bytes("e"));
        awaitValue(two, "end", "e");
        assertThat(two.get("a")).isNull();
    }

    @Test
    void shouldShowALateMemberWhatIsThere() throws Exception
    {
        for (int i = 0; i < 300; i++)
        {
            one.put("name" + i, bytes("value" + i));
        }
        final ReplicatedMap three = join("three").map("rules");
        assertThat(three.all()).hasSize(300);
        assertThat(three.get("name299")).isEqualTo(bytes("value299"));
    }

    @Test
    void shouldNotWaitForeverForMembersThatDoNotConfirm()
    {
        final IgniteReplicatedCache cache = new IgniteReplicatedCache("map", "rules", "one", Map::of);
        final IgniteFuture<Boolean> endless = new IgniteFutureImpl<>(new GridFutureAdapter<>());
        assertThatThrownBy(() -> cache.await(endless, 20)).isInstanceOf(ReplicatedMap.ClusterTimeoutException.class)
            .hasMessageContaining("map=rules member=one timeoutMs=20");
    }

    @Test
    void shouldLetOneOfTwoWinWhenBothReplace() throws Exception
    {
        assertThat(one.replace("n", null, bytes("0"))).isTrue();
        assertThat(two.replace("n", null, bytes("9"))).isFalse();
        assertThat(two.replace("n", bytes("8"), bytes("9"))).isFalse();
        final int each = 200;
        final ExecutorService threads = Executors.newFixedThreadPool(2);
        try
        {
            final List<Future<Integer>> runs = new ArrayList<>();
            for (final ReplicatedMap map : List.of(one, two))
            {
                runs.add(threads.submit(() -> countUp(map, each)));
            }
            for (final Future<Integer> run : runs)
            {
                assertThat(run.get()).isEqualTo(each);
            }
        }
        finally
        {
            threads.shutdownNow();
        }
        awaitValue(one, "n", Integer.toString(2 * each));
        assertThat(one.replace("n", bytes(Integer.toString(2 * each)), null)).isTrue();
        one.put("end", bytes("e"));
        awaitValue(two, "end", "e");
        assertThat(two.get("n")).isNull();
    }

    @Test
    void shouldHaveTheSameCopiesInTheEndWhenBothWriteAtOnce() throws Exception
    {
        final ExecutorService threads = Executors.newFixedThreadPool(2);
        try
        {
            final List<Future<?>> runs = new ArrayList<>();
            for (final ReplicatedMap map : List.of(one, two))
            {
                final String writer = map == one ? "one-" : "two-";
                runs.add(threads.submit(() -> writeMany(map, writer)));
            }
            for (final Future<?> run : runs)
            {
                run.get();
            }
        }
        finally
        {
            threads.shutdownNow();
        }
        // If they never become equal, this ends with the time limit of the test.
        while (!texts(one).equals(texts(two)))
        {
            Thread.onSpinWait();
        }
        assertThat(texts(one)).hasSize(8).allSatisfy((key, value) -> assertThat(value).matches("(one|two)-\\d+"));
    }

    private static void writeMany(final ReplicatedMap map, final String writer)
    {
        for (int i = 0; i < 1000; i++)
        {
            map.put("n" + i % 8, bytes(writer + i));
        }
    }

    private static Map<String, String> texts(final ReplicatedMap map)
    {
        final Map<String, String> texts = new TreeMap<>();
        map.all().forEach((key, value) -> texts.put(key, new String(value, UTF_8)));
        return texts;
    }

    /** Increments a counter by compare-and-set the given number of times, starting from the local value. */
    private static int countUp(final ReplicatedMap map, final int times)
    {
        int done = 0;
        while (done < times)
        {
            final byte[] before = map.get("n");
            final int value = Integer.parseInt(new String(before, UTF_8));
            if (map.replace("n", before, bytes(Integer.toString(value + 1))))
            {
                done++;
            }
        }
        return done;
    }

    @Test
    void shouldRefuseChangesOfAMemberThatHasLeft() throws Exception
    {
        one.put("a", bytes("1"));
        members.get(0).close();
        assertThat(one.get("a")).isEqualTo(bytes("1"));
        assertThatThrownBy(() -> one.put("a", bytes("2"))).isInstanceOf(ReplicatedMap.FencedException.class)
            .hasMessageContaining("member=one");
        two.put("a", bytes("3"));
        assertThat(one.get("a")).isEqualTo(bytes("1"));
    }
}
