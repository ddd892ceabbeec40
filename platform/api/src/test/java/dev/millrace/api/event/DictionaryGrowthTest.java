package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strings as objects, and growth: what a single call allocates bounds what it can have copied. */
@Timeout(60)
class DictionaryGrowthTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final int MANY = 1 << 20;

    private final Dictionary dictionary = new Dictionary("Test.key");

    private static long allocated()
    {
        return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static String name(final int number)
    {
        return "K" + number;
    }

    private static String longName(final int number)
    {
        return "a longer key " + number;
    }

    @Test
    @Tag("large")
    void shouldAgreeWithAMapWhenStringsComeAsObjectsOrAsBytes()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final Map<String, Integer> expected = new HashMap<>();
        final List<String> objects = new ArrayList<>();
        for (int i = 0; i < 400_000; i++)
        {
            final boolean again = !objects.isEmpty() && random.nextBoolean();
            final String key = again ? objects.get(random.nextInt(objects.size())) :
                (random.nextInt(3) == 0 ? longName(random.nextInt(60_000)) : name(random.nextInt(60_000)));
            objects.add(key);
            expected.putIfAbsent(key, expected.size() + 1);
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            final int id = random.nextBoolean() ? dictionary.idOf(key) : dictionary.idOf(bytes, 0, bytes.length);
            assertThat(id).isEqualTo(expected.get(key));
            assertThat(dictionary.string(id)).isEqualTo(key);
        }
        assertThat(dictionary.size()).isEqualTo(expected.size());
    }

    @Test
    void shouldKeepStringsApartThatHaveTheSameHash()
    {
        final List<String> same = new ArrayList<>();
        for (int i = 0; i < 1 << 11; i++)
        {
            final StringBuilder text = new StringBuilder();
            for (int bit = 0; bit < 11; bit++)
            {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            same.add(text.toString());
        }
        assertThat(same.stream().mapToInt(String::hashCode).distinct().count()).isEqualTo(1);
        for (int pass = 0; pass < 2; pass++)
        {
            for (int i = 0; i < same.size(); i++)
            {
                assertThat(dictionary.idOf(same.get(i))).isEqualTo(i + 1);
            }
        }
    }

    @Test
    void shouldGiveAStringWithHalfAPairTheIdOfWhatItIsWrittenAs()
    {
        final int question = dictionary.idOf("?");
        assertThat(dictionary.idOf("\uD800")).isEqualTo(question);
        assertThat(dictionary.idOf("\uD800")).isEqualTo(question);
        assertThat(dictionary.string(question)).isEqualTo("?");
    }

    @Test
    void shouldAllocateNothingWhenStringsAreKnown()
    {
        final String[] keys = new String[1000];
        final String[] equal = new String[keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = name(i);
            equal[i] = new String(keys[i]);
            dictionary.idOf(keys[i]);
        }
        allocated();
        final long before = allocated();
        long sum = 0;
        for (int i = 0; i < keys.length; i++)
        {
            sum += dictionary.idOf(keys[i]) - dictionary.idOf(equal[i]);
        }
        assertThat(allocated() - before).isLessThan(keys.length);
        assertThat(sum).isZero();
    }

    @Test
    @Tag("large")
    void shouldNotMoveMoreThanAPartWhenItGrowsByBytes()
    {
        final byte[][] bytes = new byte[MANY][];
        for (int i = 0; i < MANY; i++)
        {
            bytes[i] = ((i & 1) == 0 ? name(i) : longName(i)).getBytes(StandardCharsets.UTF_8);
        }
        long largest = 0;
        for (int i = 0; i < MANY; i++)
        {
            final long before = allocated();
            dictionary.idOf(bytes[i], 0, bytes[i].length);
            largest = i < MANY / 4 ? 0 : Math.max(largest, allocated() - before);
        }
        // Two tables of 16 bytes an entry at least; a larger part has room for twice the entries and is half full.
        final long table = MANY / 2 * 16L;
        assertThat(largest).as("most bytes allocated in a call").isLessThan(4 * 2 * table / 256);
        assertThat(dictionary.size()).isEqualTo(MANY);
    }

    @Test
    @Tag("large")
    void shouldMoveA256thAtMostWhenStringsAreMany()
    {
        TextTable table = new TextTable();
        for (int i = 0; i < MANY; i++)
        {
            table = table.isCrowded() ? movedTo(table, table.larger()) : table;
            table.insert(name(i), i + 1);
        }
        final int[] missing = new int[1];
        for (int i = 0; i < MANY; i++)
        {
            final int id = table.find(name(i));
            assertThat(id).isIn(0, i + 1);
            missing[0] += id == 0 ? 1 : 0;
        }
        assertThat(missing[0]).as("strings whose places many share").isLessThan(MANY / 1000);
    }

    private static TextTable movedTo(final TextTable from, final TextTable to)
    {
        int slices = 0;
        int moved = 0;
        while (moved < from.places())
        {
            final int end = from.moveSlice(moved, to);
            assertThat(end - moved).isPositive().isLessThanOrEqualTo(Math.max(1024, from.places() / 256));
            moved = end;
            slices++;
        }
        assertThat(slices).isLessThanOrEqualTo(256);
        return to;
    }
}
