package dev.millrace.api.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DictionaryTest
{
    private final Dictionary dictionary = new Dictionary("Test.key");

    @Test
    void shouldGiveDenseIdsInOrderOfFirstAppearance()
    {
        assertThat(dictionary.idOf("ORCL")).isEqualTo(1);
        assertThat(dictionary.idOf("a key longer than eight bytes")).isEqualTo(2);
        assertThat(dictionary.idOf("IBM")).isEqualTo(3);
        assertThat(dictionary.idOf("ORCL")).isEqualTo(1);
        assertThat(dictionary.idOf("a key longer than eight bytes")).isEqualTo(2);
        assertThat(dictionary.size()).isEqualTo(3);
    }

    @Test
    void shouldTakeNullAndTheEmptyStringForNull()
    {
        assertThat(dictionary.idOf((String)null)).isEqualTo(Dictionary.NULL_ID);
        assertThat(dictionary.idOf("")).isEqualTo(Dictionary.NULL_ID);
        assertThat(dictionary.idOf(new byte[4], 2, 0)).isEqualTo(Dictionary.NULL_ID);
        assertThat(dictionary.idOfPacked(0)).isEqualTo(Dictionary.NULL_ID);
        assertThat(dictionary.string(Dictionary.NULL_ID)).isNull();
        assertThat(dictionary.size()).isZero();
    }

    @Test
    void shouldRejectOnlyNewStringsWhenMemoryIsFullAndTakeThemAgainLater()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 16, new ManualClock(0));
        final MemoryAccount other = budget.open(new MemoryHolder("app", "proc", "rule", "state"));
        final Dictionary small = new Dictionary("Test.key", 1 << 20,
            budget.open(new MemoryHolder("app", "", "", "dictionary Test.key")));
        other.charge(1 << 15);
        int taken = 0;
        while (small.idOf("a text of two dozen " + (1000 + taken)) != Dictionary.FULL)
        {
            taken++;
        }
        // 32 KiB are left, and a string takes at least two objects of 40 bytes, a String of 24 and 16 in the table.
        assertThat(taken).isBetween(60, (1 << 15) / 120);
        assertThat(small.idOf("a text of two dozen 1000")).as("known").isEqualTo(1);
        assertThat(small.idOf("SHORT")).isEqualTo(Dictionary.FULL);
        other.close();
        assertThat(small.idOf("SHORT")).isEqualTo(taken + 1);
        assertThat(small.idOf("a text of two dozen " + (1000 + taken))).isEqualTo(taken + 2);
    }

    @Test
    void shouldKeepKeysApartThatDifferOnlyInZeroBytes()
    {
        final List<String> keys = List.of(
            "a", "a\0", "a\0\0", "\0", "\0\0", "\0a", "\0a\0", "abcdefgh", "abcdefg\0", "abcdefg", "abcdefgh\0",
            "a\0b", "a\0\0b", "\0\0\0\0\0\0\0\0", "\0\0\0\0\0\0\0\0\0");
        for (int i = 0; i < keys.size(); i++)
        {
            assertThat(dictionary.idOf(keys.get(i))).as("key %d", i).isEqualTo(i + 1);
        }
        for (int i = 0; i < keys.size(); i++)
        {
            assertThat(dictionary.idOf(keys.get(i))).as("key %d again", i).isEqualTo(i + 1);
            assertThat(dictionary.string(i + 1)).isEqualTo(keys.get(i));
        }
    }

    @Test
    void shouldFindKeysWhereverTheyLieInTheBuffer()
    {
        final byte[] line = "xxORCL,abcdefgh,a longer key of many bytes".getBytes(StandardCharsets.UTF_8);
        final int shortId = dictionary.idOf(line, 2, 4);
        final int eightId = dictionary.idOf(line, 7, 8);
        final int longId = dictionary.idOf(line, 16, line.length - 16);
        assertThat(dictionary.idOf("ORCL")).isEqualTo(shortId);
        assertThat(dictionary.idOf("abcdefgh")).isEqualTo(eightId);
        assertThat(dictionary.idOf("a longer key of many bytes")).isEqualTo(longId);
        // At the very end of the buffer eight bytes cannot be read at once.
        assertThat(dictionary.idOf("..ORCL".getBytes(StandardCharsets.UTF_8), 2, 4)).isEqualTo(shortId);
        assertThat(dictionary.bytes(shortId)).isEqualTo("ORCL".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldFindAKeyThatTheCallerHasPacked()
    {
        final long packed = 'O' | 'R' << 8 | 'C' << 16 | (long)'L' << 24;
        final int id = dictionary.idOfPacked(packed);
        assertThat(id).isEqualTo(1);
        assertThat(dictionary.idOf("ORCL")).isEqualTo(1);
        assertThat(dictionary.string(1)).isEqualTo("ORCL");
        assertThat(dictionary.idOfPacked(0x68_67_66_65_64_63_62_61L)).isEqualTo(dictionary.idOf("abcdefgh"));
        assertThat(dictionary.idOf("Zürich")).isEqualTo(3);
        assertThat(dictionary.string(3)).isEqualTo("Zürich");
    }

    @Test
    void shouldFindEveryKeyWhileItGrows()
    {
        final int keys = 40_000;
        for (int i = 0; i < keys; i++)
        {
            final String key = i % 3 == 0 ? "instrument-number-" + i : "k" + i;
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            final int id = i % 2 == 0 ? dictionary.idOf(key) : dictionary.idOf(bytes, 0, bytes.length);
            assertThat(id).isEqualTo(i + 1);
        }
        for (int i = 0; i < keys; i++)
        {
            final String key = i % 3 == 0 ? "instrument-number-" + i : "k" + i;
            final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
            assertThat(dictionary.idOf(bytes, 0, bytes.length)).isEqualTo(i + 1);
            assertThat(dictionary.idOf(key)).isEqualTo(i + 1);
            assertThat(dictionary.string(i + 1)).isEqualTo(key);
            assertThat(dictionary.bytes(i + 1)).isEqualTo(bytes);
        }
        assertThat(dictionary.size()).isEqualTo(keys);
    }

    @Test
    void shouldSayItsNameItsBoundAndItsSize()
    {
        final Dictionary small = new Dictionary("Test.small", 1);
        small.idOf("a");
        assertThat(small.domain()).isEqualTo("Test.small");
        assertThat(small.maxEntries()).isEqualTo(1);
        assertThat(dictionary.maxEntries()).isEqualTo(1 << 24);
        assertThat(small).hasToString("Dictionary[Test.small size=1]");
    }

    @Test
    @Tag("large")
    void shouldFindEveryKeyAfterGrowingToAMillion()
    {
        for (int i = 0; i < 1_000_000; i++)
        {
            final String key = i % 3 == 0 ? "instrument-number-" + i : "k" + i;
            if (dictionary.idOf(key) != i + 1)
            {
                assertThat(dictionary.idOf(key)).isEqualTo(i + 1);
            }
        }
        assertThat(dictionary.size()).isEqualTo(1_000_000);
        for (int i = 0; i < 1_000_000; i++)
        {
            final String key = i % 3 == 0 ? "instrument-number-" + i : "k" + i;
            if (dictionary.idOf(key) != i + 1 || !key.equals(dictionary.string(i + 1)))
            {
                assertThat(dictionary.string(i + 1)).isEqualTo(key);
                assertThat(dictionary.idOf(key)).isEqualTo(i + 1);
            }
        }
        assertThat(dictionary.size()).isEqualTo(1_000_000);
    }

    @Test
    void shouldRefuseNewKeysOnlyWhenFull()
    {
        final Dictionary small = new Dictionary("Test.small", 3);
        assertThat(small.idOf("a")).isEqualTo(1);
        assertThat(small.idOf("b, a longer key")).isEqualTo(2);
        assertThat(small.idOf("c")).isEqualTo(3);
        assertThat(small.idOf("d")).isEqualTo(Dictionary.FULL);
        assertThat(small.idOf("e, another longer key")).isEqualTo(Dictionary.FULL);
        assertThat(small.idOf("b, a longer key")).isEqualTo(2);
        assertThat(small.idOf("c")).isEqualTo(3);
        assertThat(small.size()).isEqualTo(3);
        assertThatThrownBy(() -> new Dictionary("Test.none", 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseIdsThatWereNeverGivenOut()
    {
        dictionary.idOf("a");
        assertThatThrownBy(() -> dictionary.string(2)).isInstanceOf(IndexOutOfBoundsException.class)
            .hasMessageContaining("Test.key");
        assertThatThrownBy(() -> dictionary.string(-1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> dictionary.bytes(0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> dictionary.bytes(2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(dictionary.string(1)).isEqualTo("a");
    }

    @Test
    @Tag("large")
    void shouldGiveAllThreadsTheSameIdsWhileKeysAreAdded() throws Exception
    {
        final long seed = 20261120L;
        System.out.println("DictionaryTest seed=" + seed);
        final int threadCount = 4;
        final CountDownLatch start = new CountDownLatch(1);
        final List<Map<String, Integer>> seen = new ArrayList<>();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < threadCount; t++)
        {
            final Map<String, Integer> ids = new HashMap<>();
            seen.add(ids);
            final Random random = new Random(seed + t);
            threads.add(new Thread(() -> lookUp(start, random, ids, failure)));
        }
        threads.forEach(Thread::start);
        start.countDown();
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        final Map<Integer, String> keyOf = new HashMap<>();
        final Map<String, Integer> idOf = new HashMap<>();
        for (final Map<String, Integer> ids : seen)
        {
            ids.forEach((key, id) ->
            {
                assertThat(idOf.merge(key, id, (before, now) -> before)).isEqualTo(id);
                assertThat(keyOf.merge(id, key, (before, now) -> before)).isEqualTo(key);
                assertThat(dictionary.string(id)).isEqualTo(key);
            });
        }
        assertThat(dictionary.size()).isEqualTo(idOf.size());
        assertThat(keyOf.keySet()).allMatch(id -> id >= 1 && id <= idOf.size());
    }

    private void lookUp(
        final CountDownLatch start,
        final Random random,
        final Map<String, Integer> ids,
        final AtomicReference<Throwable> failure)
    {
        try
        {
            start.await();
            for (int i = 0; i < 200_000; i++)
            {
                final int number = random.nextInt(20_000);
                final String key = number % 2 == 0 ? "s" + number : "a longer key with number " + number;
                final int id = dictionary.idOf(key);
                final Integer before = ids.put(key, id);
                if (before != null && before != id || !key.equals(dictionary.string(id)))
                {
                    throw new AssertionError("key=" + key + " id=" + id + " before=" + before);
                }
            }
        }
        catch (final InterruptedException | RuntimeException | AssertionError e)
        {
            failure.set(e);
        }
    }
}
