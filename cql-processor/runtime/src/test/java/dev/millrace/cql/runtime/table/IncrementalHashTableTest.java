package dev.millrace.cql.runtime.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Timeout(180)
class IncrementalHashTableTest
{
    /** Part of a table that may move at once, and the minimum for a small one. */
    private static final int PART = 256;
    private static final int SMALL = 4096;
    private static final int STEPS = 200_000;

    private static Set<Integer> numbersOf(final IncrementalHashTable table, final int hash, final int[] hashes)
    {
        final int[] slots = table.segment(hash);
        final Set<Integer> numbers = new HashSet<>();
        for (int i = hash & slots.length - 1; slots[i] != 0; i = i + 1 & slots.length - 1)
        {
            if (hashes[slots[i] - 1] == hash)
            {
                assertThat(numbers.add(slots[i] - 1)).isTrue();
            }
        }
        return numbers;
    }

    @Test
    void shouldKnowWhatWasAddedReplacedAndRemoved()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final int[] hashes = new int[STEPS];
        final IncrementalHashTable table = new IncrementalHashTable(16, number -> hashes[number]);
        final Map<Integer, Set<Integer>> expected = new HashMap<>();
        for (int i = 0; i < STEPS; i++)
        {
            // Few upper and lower bits, so that hashes collide partly and completely.
            final int hash = random.nextInt(64) << 26 ^ random.nextInt(i < 1_000 ? 64 : 1 << 10);
            hashes[i] = hash;
            final Set<Integer> numbers = expected.computeIfAbsent(hash, key -> new HashSet<>());
            final int choice = random.nextInt(10);
            if (numbers.isEmpty() || choice < 5)
            {
                table.add(hash, i);
                numbers.add(i);
            }
            else
            {
                final int number = numbers.iterator().next();
                numbers.remove(number);
                if (choice < 8)
                {
                    table.remove(hash, number);
                }
                else
                {
                    table.replace(hash, number, i);
                    numbers.add(i);
                }
            }
            assertThat(numbersOf(table, hash, hashes)).isEqualTo(numbers);
        }
        expected.forEach((hash, numbers) -> assertThat(numbersOf(table, hash, hashes)).isEqualTo(numbers));
    }

    private static int hash(final int number)
    {
        return number * 0x9E3779B9 ^ number >>> 7;
    }

    @Test
    void shouldMoveASmallPartAtMostWhenItGrows()
    {
        final IncrementalHashTable table = new IncrementalHashTable(16, IncrementalHashTableTest::hash);
        int most = 0;
        for (int i = 0; i < 5_000_000; i++)
        {
            final int[] before = table.segment(hash(i));
            table.add(hash(i), i);
            if (table.segment(hash(i)) == before)
            {
                continue;
            }
            int moved = 0;
            for (final int slot : before)
            {
                moved += slot == 0 ? 0 : 1;
            }
            most = Math.max(most, moved);
            assertThat(moved).as("moved at once, size=%d", i).isLessThanOrEqualTo(Math.max(SMALL, i / PART));
        }
        assertThat(most).isPositive();
    }
}
