package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RowIndexTest
{
    private static final int[] KEY = {0};

    private final RowStore store = FlowHarness.store(CqlType.BIGINT, CqlType.INT);
    private final RowIndex index = new RowIndex(store, KEY);
    private int number;

    private int row(final long key)
    {
        final int row = store.allocate();
        store.setLong(row, 0, key);
        store.setLong(row, 1, number++);
        return row;
    }

    private int add(final long key)
    {
        final int row = row(key);
        final int entry = index.add(row);
        store.release(row);
        return entry;
    }

    private List<Integer> entriesOf(final long key)
    {
        final int probe = row(key);
        final List<Integer> found = new ArrayList<>();
        for (int entry = index.find(probe); entry != RowIndex.NONE; entry = index.findNext(entry))
        {
            found.add(entry);
        }
        store.release(probe);
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1_000, 50_000})
    void shouldFindRowsOfAKeyInTheOrderTheyCame(final int keys)
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Map<Long, List<Integer>> expected = new HashMap<>();
        int size = 0;
        for (int i = 0; i < 60_000; i++)
        {
            final long key = random.nextInt(keys) * 1_000_000_007L;
            final List<Integer> entries = expected.computeIfAbsent(key, each -> new ArrayList<>());
            if (random.nextInt(5) < 3 && entries.size() < 40 || entries.isEmpty())
            {
                entries.add(add(key));
                size++;
            }
            else
            {
                final int place = random.nextInt(3) == 0 ? random.nextInt(entries.size()) :
                    random.nextBoolean() ? 0 : entries.size() - 1;
                index.remove(entries.remove(place));
                size--;
            }
            assertThat(entriesOf(key)).isEqualTo(entries);
            assertThat(index.size()).isEqualTo(size);
            assertThat(store.size()).as("rows that are claimed").isEqualTo(size);
        }
        final Set<Integer> all = new HashSet<>();
        expected.values().forEach(all::addAll);
        assertThat(all).as("ids are told apart").hasSize(size);
    }

    @Test
    void shouldFindAKeyByTheRowThatTookThePlaceOfAnother()
    {
        final int entry = add(5);
        final int before = index.row(entry);
        final int row = row(5);
        index.replace(entry, row);
        store.release(row);
        assertThat(index.row(entry)).isEqualTo(row).isNotEqualTo(before);
        assertThat(store.size()).isEqualTo(1);
        assertThat(entriesOf(5)).containsExactly(entry);
        assertThat(entriesOf(6)).isEmpty();
    }
}
