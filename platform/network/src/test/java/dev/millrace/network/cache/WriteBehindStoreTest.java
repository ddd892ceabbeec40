package dev.millrace.network.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.cache.CacheStore;
import dev.millrace.api.time.Clock;
import dev.millrace.network.cache.WriteBehindStore.Settings;
import dev.millrace.network.condition.RaisedConditions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(180)
class WriteBehindStoreTest
{
    private final Table table = new Table();

    /** A table whose writes wait for the test. */
    private static final class Table implements CacheStore
    {
        final Map<Object, Object> rows = new ConcurrentHashMap<>();
        final List<Map<Object, Object>> batches = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch isWriting = new CountDownLatch(1);
        final CountDownLatch mayWrite = new CountDownLatch(1);
        volatile int failures;

        @Override
        public Object load(final Object key)
        {
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
            return rows;
        }

        @Override
        public void store(final Object key, final Object value)
        {
            rows.put(key, value);
        }

        @Override
        public void storeAll(final Map<?, ?> values)
        {
            isWriting.countDown();
            try
            {
                assertThat(mayWrite.await(60, TimeUnit.SECONDS)).isTrue();
            }
            catch (final InterruptedException e)
            {
                throw new IllegalStateException(e);
            }
            if (failures > 0)
            {
                failures--;
                throw new IllegalStateException("table is unavailable");
            }
            batches.add(Map.copyOf(values));
            rows.putAll(values);
        }

        @Override
        public void remove(final Object key)
        {
            rows.remove(key);
        }
    }

    private final RaisedConditions conditions = new RaisedConditions("c", Clock.SYSTEM);

    private WriteBehindStore store(final int batchSize, final int bufferSize)
    {
        return new WriteBehindStore("c", table,
            new Settings(batchSize, bufferSize, 1, TimeUnit.MILLISECONDS.toNanos(20)), conditions,
            Executors.defaultThreadFactory());
    }

    @Test
    void shouldWriteTheLastOfSeveralChangesInBatches() throws Exception
    {
        try (WriteBehindStore store = store(2, 10))
        {
            store.store("first", 0);
            assertThat(table.isWriting.await(60, TimeUnit.SECONDS)).isTrue();
            store.store("a", 1);
            store.store("b", 1);
            store.store("a", 2);
            store.store("c", 1);
            assertThat(store.load("a")).as("waiting changes are visible").isEqualTo(2);
            assertThat(store.load("first")).as("changes being written too").isEqualTo(0);
            store.remove("c");
            assertThat(store.load("c")).isNull();
            assertThat(store.loadAll(List.of("a", "b", "c", "z"))).isEqualTo(Map.of("a", 2, "b", 1));
            assertThat(table.rows).isEmpty();
            table.mayWrite.countDown();
        }
        assertThat(table.rows).isEqualTo(Map.of("first", 0, "a", 2, "b", 1));
        assertThat(table.batches).containsExactly(Map.of("first", 0), Map.of("a", 2, "b", 1));
    }

    @Test
    void shouldRaiseAConditionUntilTheStoreTakesWhatWaits() throws Exception
    {
        table.mayWrite.countDown();
        table.failures = 2;
        try (WriteBehindStore store = store(1, 10))
        {
            store.store("a", 1);
            await(() -> !conditions.list().isEmpty());
            assertThat(conditions.list()).singleElement().satisfies(condition ->
            {
                assertThat(condition.stage()).isEqualTo("c");
                assertThat(condition.code()).isEqualTo("EPN-0528");
                assertThat(condition.text()).contains("keysWaiting=1", "table is unavailable");
            });
            await(() -> conditions.list().isEmpty());
            assertThat(table.rows).containsEntry("a", 1);
        }
    }

    private static void await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldTryAgainAndSaySoToTheOneWhoFindsNoRoom()
    {
        table.mayWrite.countDown();
        table.failures = 1000;
        try (WriteBehindStore store = store(1, 1))
        {
            store.store("a", 1);
            assertThatThrownBy(() ->
            {
                for (int i = 0; i < 100; i++)
                {
                    store.store("b" + i, 1);
                }
            }).hasMessage("table is unavailable");
            table.failures = 0;
        }
        assertThat(table.rows).containsEntry("a", 1);
    }

    @Test
    void shouldLoseWhatCannotBeWrittenAtTheEndButEnd()
    {
        table.mayWrite.countDown();
        table.failures = 100;
        final WriteBehindStore store = store(1, 10);
        store.store("a", 1);
        store.store("b", 1);
        store.close();
        assertThat(table.rows).isEmpty();
        table.failures = 0;
        store.store("late", 1);
        assertThat(table.rows).as("written at once after the end").containsOnlyKeys("late");
    }
}
