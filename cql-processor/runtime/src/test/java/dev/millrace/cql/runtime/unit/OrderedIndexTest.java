package dev.millrace.cql.runtime.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index compared with a sorted map of all its rows. */
@Timeout(60)
class OrderedIndexTest
{
    private static final int CHANGES = 20_000;
    private static final int VALUES = 200;

    private static List<Integer> found(final OrderedIndex index, final long low, final long high)
    {
        final List<Integer> found = new ArrayList<>();
        for (int at = index.first(low, high); at >= 0; at = index.next(at, high))
        {
            found.add(at);
        }
        return found;
    }

    private static List<Integer> wanted(final Map<Integer, Long> rows, final long low, final long high)
    {
        return rows.entrySet().stream().filter(row -> row.getValue() >= low && row.getValue() <= high)
            .map(Map.Entry::getKey).sorted().toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 20_261_127})
    void shouldFindRowsOfARangeInOrder(final long seed)
    {
        final Random random = new Random(seed);
        final OrderedIndex index = new OrderedIndex(MemoryAccount.NONE);
        final Map<Integer, Long> rows = new TreeMap<>();
        for (int i = 0; i < CHANGES; i++)
        {
            final int place = random.nextInt(i < CHANGES / 2 ? 1_000 : 40);
            if (rows.remove(place) != null)
            {
                index.remove(place);
            }
            else
            {
                rows.put(place, (long)random.nextInt(VALUES));
                index.add(place, rows.get(place));
            }
            final long low = random.nextInt(VALUES);
            final long high = low + random.nextInt(20) - 1;
            final List<Integer> found = found(index, low, high);
            assertThat(found).as("seed %d change %d", seed, i).isSortedAccordingTo(
                (a, b) -> Long.compare(rows.get(a), rows.get(b)));
            assertThat(found).as("seed %d change %d", seed, i).containsExactlyInAnyOrderElementsOf(
                wanted(rows, low, high));
        }
        assertThat(found(index, Long.MIN_VALUE, Long.MAX_VALUE)).hasSize(rows.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Integer.MAX_VALUE - 100, -50, 12_345})
    void shouldFollowARingThatGrows(final int start)
    {
        final Random random = new Random(start);
        final OrderedIndex index = new OrderedIndex();
        final Map<Integer, Long> rows = new TreeMap<>();
        int places = RingArrays.FEWEST;
        int head = start;
        int tail = start;
        for (int i = 0; i < CHANGES; i++)
        {
            if (tail - head == places)
            {
                index.grow(head, tail);
                final Map<Integer, Long> moved = new TreeMap<>();
                for (int id = head; id != tail; id++)
                {
                    moved.put(id & places * 2 - 1, rows.get(id & places - 1));
                }
                rows.clear();
                rows.putAll(moved);
                places *= 2;
            }
            if (tail - head > 0 && random.nextInt(tail - head + 1) > places * 2 / 3)
            {
                index.remove(head & places - 1);
                rows.remove(head++ & places - 1);
            }
            rows.put(tail & places - 1, (long)random.nextInt(VALUES));
            index.add(tail & places - 1, rows.get(tail & places - 1));
            tail++;
            final long low = random.nextInt(VALUES);
            assertThat(found(index, low, low + 2)).as("start %d change %d", start, i)
                .containsExactlyInAnyOrderElementsOf(wanted(rows, low, low + 2));
            if (places > 1_024)
            {
                return;
            }
        }
    }

    @Test
    void shouldBoundFirstValuesByTheGreatestDistance()
    {
        final OrderedIndex index = new OrderedIndex();
        index.add(1, 10, 15);
        index.add(2, 20, 22);
        index.add(3, 30, 25);
        assertThat(index.least(100)).isEqualTo(95);
        index.remove(1);
        assertThat(index.least(100)).isEqualTo(95);
        index.remove(2);
        index.remove(3);
        index.add(1, 10, 9);
        assertThat(index.least(100)).isEqualTo(100);
        index.add(2, Long.MIN_VALUE + 1, Long.MAX_VALUE);
        assertThat(index.least(-2)).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void shouldNotCareAboutARowThatIsNotThere()
    {
        final OrderedIndex index = new OrderedIndex();
        index.remove(5);
        index.remove(1_000_000);
        index.add(7, 1);
        index.remove(5);
        assertThat(found(index, 0, 2)).containsExactly(7);
    }
}
