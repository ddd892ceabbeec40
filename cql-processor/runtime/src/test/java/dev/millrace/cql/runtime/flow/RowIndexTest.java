package dev.millrace.cql.runtime.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RowIndexTest
{
    private static final int[] KEY = {0};

    private final RowStore store = new RowStore(new RowLayout(CqlType.BIGINT, CqlType.INT), 1 << 20);
    private final RowIndex index = new RowIndex(store, KEY);
    private int number;

    /** Partitions of even numbers. */
    private static final class EvenNumbers implements PartitionTest
    {
        @Override
        public boolean ofNull()
        {
            return false;
        }

        @Override
        public boolean ofLong(final long value)
        {
            return value % 2 == 0;
        }

        @Override
        public boolean ofString(final String value)
        {
            return false;
        }

        @Override
        public boolean ofFloat(final float value)
        {
            return false;
        }

        @Override
        public boolean ofDouble(final double value)
        {
            return false;
        }
    }

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

    private int find(final long key)
    {
        final int probe = row(key);
        final int found = index.find(probe);
        store.release(probe);
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1_000, 50_000})
    void shouldFindTheRowOfAKeyWhileItIsThere(final int keys)
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Map<Long, Integer> expected = new HashMap<>();
        for (int i = 0; i < 60_000; i++)
        {
            final long key = random.nextInt(keys) * 1_000_000_007L;
            final Integer entry = expected.remove(key);
            assertThat(find(key)).isEqualTo(entry == null ? RowIndex.NONE : entry);
            if (entry == null)
            {
                expected.put(key, add(key));
            }
            else
            {
                assertThat(store.getLong(index.row(entry), 0)).isEqualTo(key);
                index.remove(entry);
            }
            assertThat(find(key)).isEqualTo(expected.getOrDefault(key, RowIndex.NONE));
            assertThat(index.size()).isEqualTo(expected.size());
            assertThat(store.size()).as("rows that are claimed").isEqualTo(expected.size());
        }
        assertThat(new HashSet<>(expected.values())).as("ids are told apart").hasSize(expected.size());
        final int[] even = index.entriesOf(new EvenNumbers(), 0);
        assertThat(IntStream.of(even).boxed()).containsExactlyInAnyOrderElementsOf(
            expected.entrySet().stream().filter(each -> each.getKey() % 2 == 0).map(Map.Entry::getValue).toList());
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
        assertThat(find(5)).isEqualTo(entry);
        assertThat(find(6)).isEqualTo(RowIndex.NONE);
    }
}
