package dev.millrace.network.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.cache.CacheLoader;
import dev.millrace.api.cache.CacheSettings;
import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.cache.EvictionPolicy;
import dev.millrace.api.time.ManualClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalCacheTest
{
    private final List<String> changes = new ArrayList<>();
    private final Store store = new Store();

    /** Loads from and stores to a map. */
    private static final class Store implements CacheStore
    {
        final Map<Object, Object> backing = new LinkedHashMap<>();
        final List<Object> asked = new ArrayList<>();

        @Override
        public Object load(final Object key)
        {
            asked.add(key);
            return backing.get(key);
        }

        @Override
        public Map<Object, Object> loadAll(final Collection<?> keys)
        {
            asked.addAll(keys);
            final Map<Object, Object> found = new HashMap<>(backing);
            found.keySet().retainAll(keys);
            return found;
        }

        @Override
        public Map<Object, Object> loadAll()
        {
            return backing;
        }

        @Override
        public void store(final Object key, final Object value)
        {
            backing.put(key, value);
        }

        @Override
        public void remove(final Object key)
        {
            backing.remove(key);
        }
    }

    private LocalCache cache(final int maxSize, final CacheLoader loader)
    {
        final LocalCache cache = new LocalCachingSystem().createCache(
            new CacheSettings("c", null, List.of(), maxSize, loader));
        cache.addListener((key, before, after) -> changes.add(key + ":" + before + ">" + after));
        return cache;
    }

    @Test
    void shouldTellListenersOfEveryChange()
    {
        final LocalCache cache = cache(10, null);
        assertThat(cache.put("a", 1)).isNull();
        assertThat(cache.put("a", 2)).isEqualTo(1);
        assertThat(cache.remove("a")).isEqualTo(2);
        assertThat(cache.remove("a")).isNull();
        assertThat(changes).containsExactly("a:null>1", "a:1>2", "a:2>null");
        assertThat(cache.id()).isEqualTo("c");
        assertThat(cache.get("a")).isNull();
    }

    @Test
    void shouldDriveOutTheLeastRecentlyUsedEntry()
    {
        final LocalCache cache = cache(2, null);
        cache.put("a", 1);
        cache.put("b", 2);
        cache.get("a");
        cache.put("c", 3);
        assertThat(cache.entries()).containsOnlyKeys("a", "c");
        assertThat(changes).contains("b:2>null");
        assertThat(cache.size()).isEqualTo(2);
    }

    @Test
    void shouldAskTheLoaderForWhatIsMissing()
    {
        store.backing.put("a", 1);
        store.backing.put("b", 2);
        final LocalCache cache = cache(10, store);
        assertThat(cache.get("a")).isEqualTo(1);
        assertThat(cache.get("a")).isEqualTo(1);
        assertThat(cache.get("z")).isNull();
        assertThat(cache.getAll(List.of("a", "b", "y"))).containsOnly(Map.entry("a", 1), Map.entry("b", 2));
        assertThat(store.asked).containsExactly("a", "z", "b", "y");
        assertThat(changes).containsExactly("a:null>1", "b:null>2");
    }

    @Test
    void shouldLoadEverythingBeforehandButNotMoreThanFits() throws Exception
    {
        store.backing.put("a", 1);
        store.backing.put("b", 2);
        final LocalCache cache = cache(2, store);
        cache.preload();
        assertThat(cache.entries()).containsOnly(Map.entry("a", 1), Map.entry("b", 2));
        store.backing.put("c", 3);
        assertThatThrownBy(() -> cache(2, store).preload()).hasMessageContaining("entries=3")
            .hasMessageContaining("max-size=2");
        cache(1, null).preload();
    }

    @Test
    void shouldWriteThroughToAStore()
    {
        final LocalCache cache = cache(10, store);
        cache.put("a", 1);
        assertThat(store.backing).containsEntry("a", 1);
        cache.remove("a");
        assertThat(store.backing).isEmpty();
    }

    @Test
    void shouldGoOnWhenAListenerFailsAndRefuseNull()
    {
        final LocalCache cache = new LocalCachingSystem().createCache(
            new CacheSettings("c", null, List.of(), 10, null));
        cache.addListener((key, before, after) ->
        {
            throw new IllegalStateException("listener");
        });
        cache.addListener((key, before, after) -> changes.add("second"));
        cache.put("a", 1);
        assertThat(changes).containsExactly("second");
        assertThatThrownBy(() -> cache.put(null, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.put("a", null)).isInstanceOf(IllegalArgumentException.class);
    }

    private static LocalCache cache(final EvictionPolicy policy, final long timeToLiveNs, final ManualClock clock)
    {
        return new LocalCachingSystem(clock).createCache(new CacheSettings("c", "c", null, List.of(),
            new CacheSettings.Limits(3, policy, timeToLiveNs), null));
    }

    @Test
    void shouldDriveOutWhatThePolicyNames()
    {
        final Map<EvictionPolicy, List<String>> left = Map.of(EvictionPolicy.FIFO, List.of("b", "c", "d"),
            EvictionPolicy.LRU, List.of("a", "b", "d"), EvictionPolicy.NRU, List.of("a", "b", "d"),
            EvictionPolicy.LFU, List.of("a", "c", "d"));
        left.forEach((policy, keys) ->
        {
            final LocalCache cache = cache(policy, 0, new ManualClock(0));
            cache.put("a", 1);
            cache.put("b", 1);
            cache.put("c", 1);
            cache.get("a");
            cache.get("c");
            cache.get("a");
            if (policy != EvictionPolicy.LFU)
            {
                cache.get("b");
            }
            cache.put("d", 1);
            assertThat(cache.entries()).as(policy.name()).containsOnlyKeys(keys);
            assertThat(cache.statistics()).containsEntry("evicted", 1L);
        });
    }

    @Test
    void shouldLetEntriesGoThatWereNotPutAgainInTime()
    {
        final ManualClock clock = new ManualClock(0);
        try (LocalCache cache = cache(EvictionPolicy.LRU, 1000, clock))
        {
            cache.addListener((key, before, after) ->
            {
                synchronized (changes)
                {
                    changes.add(key + ":" + before + ">" + after);
                }
            });
            cache.putAll(Map.of("a", 1));
            cache.put("b", 1);
            clock.advance(600);
            cache.put("a", 2);
            clock.advance(400);
            assertThat(cache.get("b")).isNull();
            assertThat(cache.entries()).isEqualTo(Map.of("a", 2));
            clock.advance(600);
            // The listener is notified although no caller reads the key.
            while (!isGone("a:2>null"))
            {
                Thread.onSpinWait();
            }
            assertThat(cache.size()).isZero();
            assertThat(cache.statistics()).containsEntry("expired", 2L);
        }
    }

    private boolean isGone(final String change)
    {
        synchronized (changes)
        {
            return changes.contains(change);
        }
    }
}
