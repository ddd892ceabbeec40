package dev.millrace.api.string;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.string.StringTable.Lifetime;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Random use compared with a map, and the memory cost of strings that are added and removed. */
@Tag("slow")
@Timeout(120)
class StringTableModelTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private final byte[] buffer = new byte[1 << 17];
    private final Map<String, Integer> expected = new HashMap<>();
    private final Map<String, Integer> holders = new HashMap<>();

    /** Strings of 1 to 60 bytes, some of ten thousand and more. */
    private static String text(final int number)
    {
        final String start = Integer.toString(number, 36);
        final int length = number % 997 == 0 ? 3_000 + number % 7_000 : number % 60;
        return start + "-".repeat(Math.max(0, length - start.length()));
    }

    private int code(final StringTable codes, final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, buffer, 5, bytes.length);
        return codes.code(buffer, 5, bytes.length);
    }

    private void check(final StringTable codes, final String text)
    {
        final int code = code(codes, text);
        final Integer known = expected.put(text, code);
        assertThat(known == null || known == code).as("code of a known string").isTrue();
        assertThat(codes.string(code)).isEqualTo(text);
    }

    private void checkAll(final StringTable codes)
    {
        assertThat(expected.values().stream().distinct().count()).as("two strings, one code").isEqualTo(
            expected.size());
        expected.forEach((text, code) ->
        {
            assertThat(codes.find(text)).isEqualTo(code);
            assertThat(codes.string(code)).isEqualTo(text);
            assertThat(code).isLessThan(codes.limit());
        });
    }

    @ParameterizedTest
    @CsvSource({"1,300,0", "2,20000,0", "3,200000,0", "4,300,50", "5,20000,1000"})
    void shouldAgreeWithAMapWhenItsOwnerRemovesCodes(final long seed, final int variety, final int resting)
    {
        final long used = Long.getLong("seed", seed);
        System.out.println("seed=" + used);
        final Random random = new Random(used);
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.OWN, 1 << 20, resting);
        for (int step = 0; step < 60_000; step++)
        {
            final String text = text(random.nextInt(variety));
            if (random.nextInt(3) == 0 && expected.containsKey(text))
            {
                codes.remove(expected.remove(text));
                assertThat(codes.find(text)).isEqualTo(StringTable.NULL);
            }
            else
            {
                check(codes, text);
            }
        }
        assertThat(codes.size()).isEqualTo(expected.size());
        checkAll(codes);
    }

    @ParameterizedTest
    @CsvSource({"6,300,0", "7,20000,0", "8,200000,0", "9,20000,500"})
    void shouldAgreeWithAMapWhenStateHoldsAndReleases(final long seed, final int variety, final int resting)
    {
        final long used = Long.getLong("seed", seed);
        System.out.println("seed=" + used);
        final Random random = new Random(used);
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.HELD, 1 << 20, resting);
        for (int batch = 0; batch < 300; batch++)
        {
            final Set<String> seen = new HashSet<>();
            for (int row = 0; row < 256; row++)
            {
                final String text = text(random.nextInt(variety));
                check(codes, text);
                seen.add(text);
            }
            for (final String text : seen)
            {
                if (random.nextInt(3) == 0)
                {
                    codes.hold(expected.get(text));
                    holders.merge(text, 1, Integer::sum);
                }
                else if (holders.containsKey(text) && random.nextBoolean())
                {
                    codes.release(expected.get(text));
                    holders.compute(text, (key, count) -> count == 1 ? null : count - 1);
                }
            }
            codes.endOfBatch();
            assertThat(codes.size()).isBetween(holders.size(), holders.size() + StringTable.MOST_WAITING);
            // Waiting codes may be released at any end of a batch, so their state is unknown.
            expected.keySet().retainAll(holders.keySet());
        }
        checkAll(codes);
    }

    @Test
    void shouldHaveFlatMemoryWhileTextsComeAndGo()
    {
        final StringTable held = new StringTable(Lifetime.HELD, 1 << 20);
        final StringTable own = new StringTable(Lifetime.OWN, 1 << 20);
        final int[] codes = new int[100];
        long flat = 0;
        int limit = 0;
        long allocated = 0;
        for (int round = 0; round < 100_000; round++)
        {
            if (round == 50_000)
            {
                flat = held.bytes() + own.bytes();
                limit = held.limit() + own.limit();
                allocated = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            }
            for (int i = 0; i < codes.length; i++)
            {
                final int length = number(round * 100L + i, 12 + i);
                codes[i] = held.code(buffer, 0, length);
                held.hold(codes[i]);
                own.remove(own.code(buffer, 0, length));
            }
            for (final int code : codes)
            {
                held.release(code);
            }
            held.endOfBatch();
        }
        assertThat(held.bytes() + own.bytes()).isEqualTo(flat);
        assertThat(held.limit() + own.limit()).isEqualTo(limit).isLessThan(4_400);
        assertThat(THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - allocated).isLessThan(200_000);
    }

    /** A number as string of a fixed length. */
    private int number(final long number, final int length)
    {
        long rest = number;
        for (int i = length - 1; i >= 0; i--)
        {
            buffer[i] = (byte)('0' + rest % 10);
            rest /= 10;
        }
        return length;
    }

    @ParameterizedTest
    @CsvSource({"8,100", "16,70", "24,70", "40,120"})
    void shouldTakeFewBytesForATextInALargeTable(final int length, final int mostBytes)
    {
        final StringTable codes = new StringTable(Lifetime.OWN, 1 << 21);
        for (int i = 0; i < 1_000_000; i++)
        {
            codes.code(buffer, 0, number(i, length));
        }
        final double bytes = codes.bytes() / 1e6;
        System.out.println("bytes a text of " + length + ": " + bytes);
        assertThat(codes.size()).isEqualTo(1_000_000);
        assertThat(bytes).isLessThan(mostBytes);
    }

    /** The allocation of one call limits how much it can have copied. */
    @ParameterizedTest
    @CsvSource({"8", "16"})
    void shouldGrowByPartsOnceItIsLarge(final int length)
    {
        final StringTable codes = new StringTable(Lifetime.OWN, 1 << 21);
        long most = 0;
        for (int i = 0; i < 1_000_000; i++)
        {
            number(i, length);
            final long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            codes.code(buffer, 0, length);
            most = Math.max(most, THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }
        assertThat(most).as("maximum allocation of a call").isLessThan(1_200_000);
    }
}
