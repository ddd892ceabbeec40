package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyedRowsTest
{
    @Test
    void shouldGiveTheOldestRowOfItsKeyBackWhenTheCircleIsFull()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (final int rows : new int[] {1, 15, 16, 17, 100, 1000})
        {
            for (final int words : new int[] {1, 2, 3, 7})
            {
                compare(random, 1 + random.nextInt(20), rows, words);
            }
        }
    }

    @Test
    void shouldGiveTheOldestRowBackWhenACircleHasManySegments()
    {
        compare(new Random(1), 2, 65_536, 3);
    }

    /** Compares with a queue per key. */
    private static void compare(final Random random, final int keys, final int rows, final int words)
    {
        final KeyedRows circles = new KeyedRows(keys, rows, words);
        final List<Deque<Long>> expected = new ArrayList<>();
        for (int key = 0; key < keys; key++)
        {
            expected.add(new ArrayDeque<>());
        }
        final int changes = 3 * keys * rows;
        for (int i = 1; i <= changes; i++)
        {
            final int key = random.nextInt(keys);
            int at = random.nextBoolean() ? circles.writeIndex(key) : -1;
            if (at < 0)
            {
                at = circles.next(key);
            }
            else
            {
                circles.taken(key, at);
            }
            final Deque<Long> queue = expected.get(key);
            final long oldest = queue.size() == rows ? queue.removeFirst() : 0;
            final long[] array = circles.array(key);
            for (int word = 0; word < words; word++)
            {
                assertThat(array[at + word]).isEqualTo(oldest);
                array[at + word] = i;
            }
            if (oldest == 0)
            {
                circles.added();
            }
            queue.add((long)i);
        }
        assertThat(circles.size()).isEqualTo(expected.stream().mapToLong(Deque::size).sum());
    }
}
