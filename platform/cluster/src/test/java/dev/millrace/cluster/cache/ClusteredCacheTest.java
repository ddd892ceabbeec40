package dev.millrace.cluster.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CacheSettings.Limits;
import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.api.event.TupleEvent;
import dev.millrace.cluster.Cluster;
import dev.millrace.cluster.ReplicatedMap.FencedException;
import dev.millrace.cluster.ignite.IgniteCluster;
import dev.millrace.cluster.ignite.TestPorts;
import dev.millrace.network.definition.DeploymentException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Caches shared over loopback by members in one process. */
@Tag("slow")
@Timeout(120)
class ClusteredCacheTest
{
    private static final EventType PRICE = EventType.tuple("Price", new EventProperty("symbol", CqlType.CHAR),
        new EventProperty("price", CqlType.DOUBLE), new EventProperty("volume", CqlType.BIGINT));
    private static final Limits LARGE = new Limits(1000, EvictionPolicy.LRU, 0);
    private static final int CHANGES = 400;
    private static final int FIRST_CHANGES = 50;
    private static final int ROUNDS = 5;

    @TempDir
    private Path directory;

    private final List<Member> members = new ArrayList<>();
    private TestPorts ports;

    /** An instance, reduced to what caches need. */
    private record Member(Cluster cluster, ClusteredCachingSystem caches)
    {
        ClusteredCache cache(final String id, final Limits limits, final CacheLoader loader) throws Exception
        {
            final ClusteredCache cache =
                caches.createCache(new CacheSettings(id, "shared", PRICE, List.of("symbol"), limits, loader));
            cache.preload();
            return cache;
        }
    }

    /** A table shared by all members. */
    private static final class Table implements CacheStore
    {
        private final Map<Object, Object> rows = new ConcurrentHashMap<>();
        private final AtomicInteger loads = new AtomicInteger();
        private final AtomicInteger stores = new AtomicInteger();

        @Override
        public Object load(final Object key)
        {
            loads.incrementAndGet();
            return rows.get(key);
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            final Map<Object, Object> found = new HashMap<>(rows);
            found.keySet().retainAll(keys);
            return found;
        }

        @Override
        public Map<Object, Object> loadAll()
        {
            loads.incrementAndGet();
            return new HashMap<>(rows);
        }

        @Override
        public void store(final Object key, final Object value)
        {
            if (key.equals("bad"))
            {
                throw new IllegalStateException("the table is full");
            }
            stores.incrementAndGet();
            rows.put(key, value);
        }

        @Override
        public void remove(final Object key)
        {
            rows.remove(key);
        }
    }

    @BeforeEach
    void ports() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave()
    {
        members.forEach(member ->
        {
            member.caches.close();
            member.cluster.close();
        });
    }

    private Member join(final String name) throws Exception
    {
        final Cluster cluster = IgniteCluster.join(ports.member(directory, name));
        final Member member = new Member(cluster, ClusteredCachingSystem.start(cluster, System::nanoTime));
        members.add(member);
        return member;
    }

    private static TupleEvent price(final String symbol, final double price)
    {
        return new TupleEvent(PRICE, symbol, price, 7L);
    }

    private static Object priceOf(final Object value)
    {
        return value == null ? null : ((TupleEvent)value).get("price");
    }

    /** Ends with the time limit of the test. */
    private static void await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldShowAChangeOfOneMemberOnAllAtOnce() throws Exception
    {
        final ClusteredCache one = join("one").cache("prices", LARGE, null);
        final ClusteredCache two = join("two").cache("prices", LARGE, null);
        final ClusteredCache three = join("three").cache("prices", LARGE, null);
        final BlockingQueue<Long> seen = new LinkedBlockingQueue<>();
        for (final ClusteredCache other : List.of(one, three))
        {
            other.addListener((key, before, after) -> seen.add(System.nanoTime()));
        }
        // The goal is 100 ms; a busy host may pause, but not in each round.
        final long limitNs = TimeUnit.SECONDS.toNanos(2);
        int changes = 0;
        long longestNs = limitNs;
        while (longestNs >= limitNs && changes < ROUNDS * CHANGES)
        {
            longestNs = longestNs(two, seen, changes);
            changes += CHANGES;
        }
        assertThat(longestNs).isLessThan(limitNs);
        assertThat(priceOf(three.remove("AA"))).isEqualTo(changes - 1.0);
        await(() -> one.size() == 0 && two.size() == 0);
    }

    /** Returns the longest time until two other members saw a change. */
    private static long longestNs(final ClusteredCache changed, final BlockingQueue<Long> seen, final int first)
        throws InterruptedException
    {
        long longestNs = 0;
        long sumNs = 0;
        for (int i = 0; i < CHANGES; i++)
        {
            final int change = first + i;
            final long startNs = System.nanoTime();
            assertThat(priceOf(changed.put("AA", price("AA", change)))).isEqualTo(change == 0 ? null : change - 1.0);
            assertThat(priceOf(changed.get("AA"))).isEqualTo((double)change);
            for (int j = 0; j < 2; j++)
            {
                final Long at = seen.poll(60, TimeUnit.SECONDS);
                assertThat(at).isNotNull();
                longestNs = i < FIRST_CHANGES ? 0 : Math.max(longestNs, at - startNs);
                sumNs += i < FIRST_CHANGES ? 0 : at - startNs;
            }
        }
        System.out.println("a change is visible to other members after " + sumNs / 1000 / 2 /
            (CHANGES - FIRST_CHANGES) + " us on average, at most " + longestNs / 1000 + " us");
        return longestNs;
    }

    @Test
    void shouldGiveALateMemberWhatIsThereAndGoOnWhenTheFirstLeaves() throws Exception
    {
        final Member first = join("one");
        final ClusteredCache one = first.cache("prices", LARGE, null);
        final Map<String, Object> prices = new LinkedHashMap<>();
        for (int i = 0; i < 700; i++)
        {
            prices.put("s" + i, price("s" + i, i));
        }
        one.putAll(prices);
        final ClusteredCache two = join("two").cache("prices", LARGE, null);
        final ClusteredCache three = join("three").cache("prices", LARGE, null);
        assertThat(two.entries()).hasSize(700);
        assertThat(priceOf(three.get("s699"))).isEqualTo(699.0);
        first.caches.close();
        first.cluster.close();
        members.remove(first);
        three.put("new", price("new", 1));
        await(() -> two.get("new") != null);
        assertThat(two.entries().keySet()).hasSize(701).isEqualTo(three.entries().keySet());
        assertThatThrownBy(() -> one.put("late", price("late", 1))).isInstanceOf(FencedException.class)
            .hasMessageContaining("member=one");
        assertThat(one.statistics()).containsEntry("refusedChanges", 1L);
        assertThat(one.get("s1")).isNotNull();
    }

    @Test
    void shouldLoadOnceAndReadThroughAndStoreOnce() throws Exception
    {
        final Table table = new Table();
        table.rows.put("AA", price("AA", 1));
        final ClusteredCache one = join("one").cache("prices", LARGE, table);
        final ClusteredCache two = join("two").cache("prices", LARGE, table);
        assertThat(table.loads).hasValue(1);
        assertThat(priceOf(two.get("AA"))).isEqualTo(1.0);
        table.rows.put("BB", price("BB", 2));
        assertThat(two.findsElsewhere()).isTrue();
        assertThat(priceOf(two.get("BB"))).isEqualTo(2.0);
        await(() -> one.size() == 2);
        assertThat(priceOf(one.get("BB"))).isEqualTo(2.0);
        assertThat(table.loads).hasValue(2);
        two.put("CC", price("CC", 3));
        await(() -> one.size() == 3);
        assertThat(table.stores).hasValue(1);
        assertThatThrownBy(() -> one.put("bad", price("bad", 1))).hasMessage("the table is full");
        assertThat(one.size()).isEqualTo(3);
        one.remove("CC");
        await(() -> two.size() == 2);
        assertThat(table.rows).doesNotContainKey("CC");
    }

    @Test
    void shouldTellOtherListenersAndGoOnWhenOneThrowsAnyError() throws Exception
    {
        final ClusteredCache one = join("one").cache("prices", LARGE, null);
        final ClusteredCache two = join("two").cache("prices", LARGE, null);
        final List<Object> heard = new CopyOnWriteArrayList<>();
        two.addListener((key, before, after) ->
        {
            throw key.equals("a") ? new AssertionError("of a listener") : new Error("of a listener");
        });
        two.addListener((key, before, after) -> heard.add(key));
        one.putAll(Map.of("a", price("a", 1), "b", price("b", 2)));
        one.put("c", price("c", 3));
        await(() -> heard.size() == 3);
        assertThat(heard).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(two.entries()).containsOnlyKeys("a", "b", "c");
        two.put("d", price("d", 4));
        assertThat(priceOf(one.get("d"))).isEqualTo(4.0);
    }

    /** A value with a maximum price. */
    public static final class Cheap
    {
        private String symbol;
        private double price;

        public String getSymbol()
        {
            return symbol;
        }

        public void setSymbol(final String symbol)
        {
            this.symbol = symbol;
        }

        public double getPrice()
        {
            return price;
        }

        public void setPrice(final double price)
        {
            if (price > 100)
            {
                throw new IllegalArgumentException("price too high");
            }
            this.price = price;
        }
    }

    @Test
    void shouldLeaveOutValuesOfWhichNoObjectCanBeMade() throws Exception
    {
        final List<EventProperty> properties =
            List.of(new EventProperty("symbol", CqlType.CHAR), new EventProperty("price", CqlType.DOUBLE));
        final EventType tuples = new EventType("Price", EventType.Kind.TUPLE, properties, null);
        final EventType beans = new EventType("Price", EventType.Kind.BEAN, properties, Cheap.class);
        final ClusteredCache one = join("one").caches
            .createCache(new CacheSettings("one", "shared", tuples, List.of("symbol"), LARGE, null));
        final ClusteredCache two = join("two").caches
            .createCache(new CacheSettings("two", "shared", beans, List.of("symbol"), LARGE, null));
        two.preload();
        final List<String> heard = new CopyOnWriteArrayList<>();
        two.addListener((key, before, after) -> heard.add(key + (after == null ? " removed" : " set")));
        one.put("a", new TupleEvent(tuples, "a", 99.0));
        one.put("b", new TupleEvent(tuples, "b", 101.0));
        one.put("a", new TupleEvent(tuples, "a", 102.0));
        one.put("c", new TupleEvent(tuples, "c", 98.0));
        await(() -> heard.size() == 3);
        assertThat(heard).containsExactly("a set", "a removed", "c set");
        assertThat(two.entries()).containsOnlyKeys("c");
        assertThat(((Cheap)two.get("c")).getPrice()).isEqualTo(98.0);
        assertThat(two.statistics()).containsEntry("unreadableValues", 2L).containsEntry("changes", 4L);
        assertThat(one.entries()).as("a member that can create the values has them").containsOnlyKeys("a", "b", "c");
    }

    @Test
    void shouldDropOldEntriesEverywhere() throws Exception
    {
        final Limits limits = new Limits(2, EvictionPolicy.FIFO, TimeUnit.SECONDS.toNanos(5));
        final ClusteredCache one = join("one").cache("prices", limits, null);
        final ClusteredCache two = join("two").cache("prices", limits, null);
        for (final String symbol : List.of("a", "b", "c"))
        {
            two.put(symbol, price(symbol, 1));
        }
        await(() -> one.entries().keySet().equals(Set.of("b", "c")));
        assertThat(two.entries()).containsOnlyKeys("b", "c");
        await(() -> one.size() == 0 && two.size() == 0);
    }

    @Test
    void shouldRefuseColumnsThatDiffer() throws Exception
    {
        final Member first = join("one");
        first.cache("prices", LARGE, null).put("AA", price("AA", 1));
        final EventType other = EventType.tuple("Price", new EventProperty("symbol", CqlType.CHAR),
            new EventProperty("price", CqlType.FLOAT));
        final ClusteredCache two = join("two").caches
            .createCache(new CacheSettings("mine", "shared", other, List.of("symbol"), LARGE, null));
        assertThatThrownBy(two::preload).isInstanceOfSatisfying(DeploymentException.class, e ->
        {
            assertThat(e.problems().get(0).code()).isEqualTo("CLU-0301");
            assertThat(e.problems().get(0).text()).contains("cache=mine name=shared")
                .contains("here=1:(symbol char, price float) key (symbol)")
                .contains("there=1:(symbol char, price double, volume bigint) key (symbol)");
            assertThat(e.problems().get(0).hint()).contains("same application everywhere");
        });
        final EventType objects = EventType.tuple("O", new EventProperty("k", CqlType.CHAR),
            new EventProperty("o", CqlType.OBJECT));
        assertThatThrownBy(() -> first.caches.createCache(
            new CacheSettings("o", "o", objects, List.of("k"), LARGE, null)))
            .hasMessageContaining("CLU-0302").hasMessageContaining("property=o");
        assertThatThrownBy(() -> first.caches.createCache(new CacheSettings("o", "o", PRICE, List.of("symbol"),
            new Limits(1, EvictionPolicy.LFU, 0), null))).hasMessageContaining("LFU");
    }

    @Test
    void shouldConvertKeysAndRefuseWhatDoesNotFit() throws Exception
    {
        final ClusteredCachingSystem system = join("one").caches;
        final ClusteredCache cache = system.createCache(
            new CacheSettings("v", "v", PRICE, List.of("volume"), LARGE, null));
        cache.put(7, price("AA", 1));
        assertThat(priceOf(cache.get(7L))).isEqualTo(1.0);
        assertThat(cache.entries()).containsOnlyKeys(7L);
        assertThatThrownBy(() -> cache.put("x", price("AA", 1))).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("property=volume");
        assertThatThrownBy(() -> cache.put(8, Map.of("price", "dear"))).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("property=price");
        final ClusteredCache plain = system.createCache(new CacheSettings("p", "p", null, List.of(), LARGE, null));
        plain.put("k", Map.of("a", List.of(1, 2.5, true)));
        assertThat(plain.get("k")).isEqualTo(Map.of("a", List.of(1, 2.5, true)));
        assertThatThrownBy(() -> plain.put("k", new Object())).hasMessageContaining("class=java.lang.Object");
        final List<Object> own = new ArrayList<>();
        plain.addListener((key, before, after) ->
        {
            // A listener's change is applied asynchronously.
            if (key.equals("again"))
            {
                own.add(plain.put("from listener", 1));
            }
        });
        plain.put("again", 1);
        await(() -> plain.get("from listener") != null);
        plain.close();
        assertThatThrownBy(() -> plain.put("k", 1)).hasMessageContaining("cache=p");
    }
}
